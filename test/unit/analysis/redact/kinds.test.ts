/** Every kind is found, and what only nearly is one is not. The samples are made up. */
import { describe, expect, it } from 'vitest';
import { RedactionDetector } from '../../../../lib/analysis/redact/detector.ts';
import { KEY_FORMATS } from '../../../../lib/model/text/key-formats.ts';
import { KEYS, OTHERS } from '../../../support/planted.ts';

const detector = new RedactionDetector();
const found = (text: string) =>
  detector.find(text).map(({ kind, start, end }) => ({ kind, text: text.slice(start, end) }));

describe('keys of known formats', () => {
  it('are of more than sixty kinds, each with a sample', () => {
    expect(KEY_FORMATS.length).toBeGreaterThan(100);
    expect(KEYS.filter(({ text }) => text.includes('undefined'))).toEqual([]);
  });

  it.each(KEYS)('$kind', ({ kind, text }) => {
    for (const around of [text, `see ${text}, and`, `"${text}"`, `key='${text}';`, `X=${text}\n`, `密码${text}。`])
      expect(found(around), around).toContainEqual({ kind, text });
  });

  it.each(KEYS)('not a $kind that is cut short', ({ text }) => {
    const short = text.slice(0, text.startsWith('sl.') ? 60 : Math.min(14, Math.floor(text.length / 2)));
    expect(found(`see ${short} and`).filter((one) => one.kind !== 'random')).toEqual([]);
  });

  it.each(KEYS)('not a $kind inside a word', ({ kind, text }) => {
    expect(found(`see q${text}`).filter((one) => one.kind === kind && one.text === text)).toEqual([]);
  });
});

describe('other secrets and personal data', () => {
  it.each(OTHERS)('$kind: $text', ({ text, secret }) => {
    const all = found(`before ${text}`);
    expect(all.some((one) => one.text.includes(secret) || secret.includes(one.text))).toBe(true);
  });

  it.each([
    ...['a task: key', 'token: string', 'password: required', 'max_tokens: 4096', '"progressToken": "abc12345678"'],
    ...['icon@2x.png', 'git@github.com:x/y.git', 'pkg@1.2.3', '@scope/name', 'http://localhost:8080/@x', 'a@b'],
    ...['8.8.8.8', '127.0.0.1', '10.0.0', '1.10.0.0.1', 'v10.1.2.3', '11.2.3.4', '172.32.0.1'],
    ...['4111 1111 1111 1112', '1794853672353123', '0.4111111111111111', '2026-11-16', '+0000', '123-45-678'],
    ...[
      '/home',
      '/usr/home/x',
      '/Users/Shared/x',
      'Bearer authentication-required',
      'Basic instructions',
      'Basic auth',
    ],
    ...['password=$PASSWORD1234', 'password=process.env.PASSWORD1', 'token=getToken()', 'secret == other12345'],
    ...['Cookie: none', 'Authorization: Bearer <token>', 'https://example.com/a:b@c', '-----BEGIN PUBLIC KEY-----'],
    ...['key: 0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9', 'fe80', 'fdisk', '--max-tokens 4096', '"token": "identifier"'],
  ])('not %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('a key that a terminal wrapped', () => {
    const { text } = KEYS.find(({ kind }) => kind === 'anthropic-key')!;
    const wrapped = `the key is ${text.slice(0, 60)}\n${text.slice(60)} and more`;
    expect(found(wrapped)).toContainEqual({ kind: 'anthropic-key', text: `${text.slice(0, 60)}\n${text.slice(60)}` });
  });
});

describe('hostile text', () => {
  it.each([
    'sk-',
    'eyJ',
    'password="',
    "token:'",
    '://a:',
    '@',
    '--token ',
    'Bearer ',
    '/home/',
    '-----BEGIN PRIVATE KEY-----',
    '\\',
    '%41',
    '10.',
    '+1 ',
    'curl ',
    'AAAA',
  ])('of %j takes linear time', (part) => {
    expect(detector.find(part.repeat(200_000 / part.length))).toBeInstanceOf(Array);
  });
});
