/** What a redaction keeps although it looks private: seen whatever the detectors think of it, and said without saying it. */
import { describe, expect, it } from 'vitest';
import { glimpse, patternFor } from '../../../../lib/analysis/redact/glimpse.ts';
import { parseAlso, parseKeep } from '../../../../lib/analysis/redact/options.ts';
import { makeReview } from '../../../../lib/analysis/redact/review.ts';
import { redactSession } from '../../../../lib/analysis/redact/session.ts';
import { keptValueOf, MAX_HARMLESS_WEIGHT, suspectsIn } from '../../../../lib/analysis/redact/suspects.ts';
import { suspicionsIn } from '../../../../lib/analysis/redact/suspicions.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { fixtureSessions, metadataFor } from '../../../support/fixture-sessions.ts';

const frameOf = (line: string, i: number): Frame => ({
  ...{ f: i + 1, t: i, t0: null, from: 'agent', form: 'message', eol: '\n', event: null, detail: {} },
  raw: Buffer.from(line),
});
const sessionOf = (...lines: string[]) => sessionInMemory(metadataFor('x'), lines.map(frameOf));
const told = (text: string, key: string | null = null) =>
  suspicionsIn(text, key).map(({ kind, value }) => `${kind}: ${value}`);

describe('what looks private', () => {
  it.each([
    ['The password is swordfish, he said.', 'named-secret: swordfish'],
    ['export DB_PASSWORD=letmein', 'named-secret: letmein'],
    ['密码：芝麻开门', 'named-secret: 芝麻开门'],
    ['use Zx9Qp2Lm7Vt4Rk8Wd3Bn then', 'random: Zx9Qp2Lm7Vt4Rk8Wd3Bn'],
    ['mail zoe@buildbox now', 'email-like: zoe@buildbox'],
    ['mail 张三@例子.公司', 'email-like: 张三@例子.公司'],
    ['/var/home/margot/x', 'user-name: margot'],
    ['/mnt/c/Users/margot/x', 'user-name: margot'],
    ['see ~margot/notes', 'user-name: margot'],
    ['-rw-r--r--  1 margot staff  12 May  1 a.txt', 'user-name: margot'],
    ['uid=1000(margot) gid=1000(margot)', 'user-name: margot'],
    ['Author: Margot Roe <', 'person: Margot Roe'],
    ['Co-authored-by: Margot Roe', 'person: Margot Roe'],
    ['from 203.0.114.9 to', 'public-address: 203.0.114.9'],
    ['at 2a00:1450:4001:81b::200e', 'public-address: 2a00:1450:4001:81b::200e'],
    ['on 3c:22:fb:9a:01:7e', 'mac-address: 3c:22:fb:9a:01:7e'],
    ['ssh ci.acme.internal', 'host-name: ci.acme.internal'],
    ['https://builds.acme-shop.com/x', 'host-name: builds.acme-shop.com'],
    ['call 13812345678', 'phone-like: 13812345678'],
    ['call 415 555 0123', 'phone-like: 415 555 0123'],
    ['card 4111 1111 1111 1112', 'card-like: 4111 1111 1111 1112'],
    ['7ee67c4bc1a71e8599f54d4e44815b5d535119ed', 'hex: 7ee67c4bc1a71e8599f54d4e44815b5d535119ed'],
    ['7dc40b21-36fd-40b3-8380-5889976d9469', 'id: 7dc40b21-36fd-40b3-8380-5889976d9469'],
    [
      'in rollout-2026-11-16T18-19-28-7dc40b21-36fd-40b3-8380-5889976d9469',
      'id: rollout-2026-11-16T18-19-28-7dc40b21-36fd-40b3-8380-5889976d9469',
    ],
    ['provider-1-7dc40b21-36fd-40b3-8380-5889976d9469', 'id: provider-1-7dc40b21-36fd-40b3-8380-5889976d9469'],
    ['acme-key-7dc40b21-36fd-40b3-8380-5889976d9469', 'base64: acme-key-7dc40b21-36fd-40b3-8380-5889976d9469'],
    ['sk-7dc40b21-36fd-40b3-8380-5889976d9469', 'random: sk-7dc40b21-36fd-40b3-8380-5889976d9469'],
  ])('%s', (text, expected) => {
    expect(told(text)).toContain(expected);
  });

  it('is told by its key', () => {
    expect(told('abc', 'apiKey')).toEqual(['named-secret: abc']);
    expect(told('hunter', 'db_password')).toEqual(['named-secret: hunter']);
    expect(told('margot', 'userName')).toEqual(['user-name: margot']);
    expect(told('Zx9Qp2Lm7Vt4Rk8Wd3Bn', 'toolCallId')).toEqual([]);
    expect(told('refs-1', 'progressToken')).toEqual([]);
  });

  it.each([
    'The password is required. Invalid token: expected a string',
    'plugin cc-plugin-privacy@builtin is on',
    'input_tokens: 4000, max_tokens=100, token limit',
    'npm i @types/node@20.1.2 left-pad@latest git@github.com:a/b.git',
    'at 2026-11-18T13:04:00.542Z, 12:30:45, v1.2.3, 1.2.3.4-beta, 127.0.0.1, 0.0.0.0',
    'https://github.com/a/b https://docs.python.org/3/ http://localhost:8080',
    'src/components/user-profile/UserProfileHeader2.tsx, claude-sonnet-4-20250514',
    'rollout-2026-11-16T18-17-26, createHttpServerForTests, BASE64_ENCODED_VALUE',
    'took 1794795825 s, 1794795825123 ms, f120..f190, 0x1f, 100 200 300 400',
  ])('is not: %s', (text) => {
    expect(told(text)).toEqual([]);
  });

  it('is not what a pseudonym stands for', () => {
    const made = redactSession(
      sessionOf('{"password":"hunter2hunter3","at":"/home/margot/rocket/x","to":"a@corp.org"}'),
    );
    expect(suspectsIn(made.session)).toEqual([]);
  });

  it('hardly ever is in sessions of real agents', () => {
    const counts = fixtureSessions().map((session) => {
      const found = suspectsIn(redactSession(session).session);
      return found.filter(({ weight }) => weight > MAX_HARMLESS_WEIGHT).length;
    });
    expect(counts.length).toBeGreaterThan(100);
    expect(counts.filter((count) => count > 0).length).toBeLessThan(counts.length / 3);
    expect(Math.max(...counts)).toBeLessThanOrEqual(20);
  });

  it('takes linear time', () => {
    for (const text of [
      'a1B2'.repeat(50_000),
      '1'.repeat(200_000),
      'a@'.repeat(100_000),
      ':'.repeat(200_000),
      'a.'.repeat(99_999),
    ])
      expect(suspicionsIn(text, null).length).toBeLessThan(200_000);
  });
});

describe('what is kept', () => {
  const session = sessionOf(
    '{"text":"The password is swordfish."}',
    '{"text":"see swordfish, password: swordfish and ci.acme.internal"}',
    '{"text":"12 or 7dc40b21-36fd-40b3-8380-5889976d9469"}',
  );
  const kept = (options = {}) => suspectsIn(redactSession(session, options).session, options);

  it('is grouped by value, the most suspicious first', () => {
    expect(kept().map(keptValueOf)).toEqual([
      { kind: 'named-secret', shown: 'sw…sh', length: 9, places: 2, frames: [1, 2] },
      { kind: 'host-name', shown: 'ci…al', length: 16, places: 1, frames: [2] },
      { kind: 'id', shown: '7d…69', length: 36, places: 1, frames: [3] },
    ]);
  });

  it('is less with the options that it is shown with', () => {
    const [secret, host] = kept();
    const options = {
      rules: [parseAlso(patternFor(secret!.value)!)],
      keeps: parseKeep(patternFor(host!.value)!),
    };
    expect(kept(options).map(({ kind }) => kind)).toEqual(['id']);
    const text = [...redactSession(session, options).session.frames()]
      .map(({ raw }) => Buffer.from(raw).toString())
      .join();
    expect(text).not.toContain('swordfish');
    expect(text).toContain('ci.acme.internal');
  });

  it('is joined where it is streamed in pieces', () => {
    const part = (text: string) =>
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'event',
        params: { type: 'ContentPart', payload: { type: 'text', text } },
      });
    const begin = '{"jsonrpc":"2.0","method":"event","params":{"type":"TurnBegin","payload":{"user_input":"go"}}}';
    const lines = [begin, part('The pass'), part('word is sw'), part('ord'), part('fish.')];
    const streamed = sessionInMemory(metadataFor('x', ['kimi', '--wire']), lines.map(frameOf));
    expect(suspectsIn(redactSession(streamed).session).map(keptValueOf)).toEqual([
      { kind: 'named-secret', shown: 'sw…sh', length: 9, places: 1, frames: [2] },
    ]);
  });
});

describe('a pattern', () => {
  it.each([
    ['swordfish', 'sw…sh', 'sw?????sh'],
    ['letme', 'l…e', 'l???e'],
    ['abcd', '…', null],
    ['Jane Roe', 'Ja…oe', 'Ja????oe'],
    ['/etc/x/y/z', '/e…/z', null],
    ['x'.repeat(100), 'xx…xx', 'xx*xx'],
    ['芝麻开门吧', '芝…吧', '芝???吧'],
  ])('of %s', (value, shown, pattern) => {
    expect([glimpse(value), patternFor(value)]).toEqual([shown, pattern]);
    if (pattern === null) return;
    expect(parseKeep(pattern)(value)).toBe(true);
    const { start, end } = parseAlso(pattern).find(`see "${value}", and`)[0]!;
    expect([start, end]).toEqual([5, 5 + value.length]);
  });

  it.each([
    ['Falcon', 'a Falcon9 Falcon', ['Falcon', 'Falcon']],
    ['AC*', 'x ACME-7 "ACME" BACON', ['ACME-7', 'ACME']],
    ['a?c', 'abc abbc xabc', ['abc']],
    ['/b(?<secret>\\d+)/i', 'B12 b3', ['12', '3']],
    ['a.c', 'abc a.c', ['a.c']],
  ])('of the user: %s', (pattern, text, expected) => {
    expect(
      parseAlso(pattern)
        .find(text)
        .map(({ start, end }) => text.slice(start, end)),
    ).toEqual(expected);
  });
});

describe('a review', () => {
  it('shows places, and no value in full', () => {
    const key = `ghp_${'aB3dE5fG7h'.repeat(4)}`.slice(0, 40);
    const redacted = redactSession(sessionOf(`{"text":"The password is swordfish, key ${key} of zoe@buildbox"}`));
    const review = makeReview(redacted);
    expect(review.kept.map(({ shown, pattern }) => [shown, pattern])).toEqual([
      ['sw…sh', 'sw?????sh'],
      ['zo…ox', 'zo????????ox'],
    ]);
    expect(review.replaced).toEqual([
      {
        ...{ kind: 'github-token', name: '[TOKEN_1]', shown: `${key.slice(0, 2)}…${key.slice(-2)}`, length: 40 },
        ...{ places: 1, frames: [1], pattern: `${key.slice(0, 2)}${'?'.repeat(36)}${key.slice(-2)}` },
        contexts: [{ f: 1, before: 'The password is sw…sh, key ', behind: ' of zo…ox' }],
      },
    ]);
    const said = JSON.stringify(review);
    for (const value of ['swordfish', 'zoe@buildbox', key]) expect(said).not.toContain(value);
  });
});
