/** Secrets on a screen: what is hidden, in which texts and values, and that the look before it misses nothing. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { StderrTail } from '../../../../lib/analysis/why/stderr.ts';
import { textOrJson } from '../../../../lib/dialects/rules/rule.ts';
import { maskAndShorten, maskSecrets } from '../../../../lib/model/text/mask.ts';
import { mayBeMasked } from '../../../../lib/model/text/mask-sieve.ts';
import { MASK_SECRETS, maskSecretsIn, maskSecretsInValue } from '../../../../lib/model/text/secret.ts';
import { textLines, visible } from '../../../../lib/model/text/text.ts';
import { startWithSize } from '../../../../lib/output/terminal/hit-line.ts';
import { departedText } from '../../../../lib/replay/client/report.ts';
import { differenceText, valueText } from '../../../../lib/replay/report.ts';
import { KEYS } from '../../../support/planted.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const SECRET = ['a1B2c3D4e5', 'F6g7H8i9J0'].join('');
const PASSING = [
  `password=${SECRET}`,
  `PASSWD: "${SECRET}"`,
  `--token ${SECRET}`,
  `--my-api-key=${SECRET}`,
  `{"secret_key": "${SECRET}"}`,
  `{\\"access_key\\":\\"${SECRET}\\"}`,
  `pwd = '${SECRET}'`,
  `https://bot:${SECRET}@example.com/`,
  `curl -u admin:${SECRET} x`,
  `curl\t--user=admin:${SECRET}`,
  `sshpass -p ${SECRET} ssh host`,
  `mysql -h db -p${SECRET}`,
  `Authorization: Basic ${SECRET}`,
  `authorization: bearer ${SECRET}`,
  `ghp_${SECRET}${SECRET}`,
  `AKIA${'ABCDEFGHIJ234567'}`,
  `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`,
];

describe('a text', () => {
  it.each(PASSING)('%s', (text) => {
    expect(maskSecretsIn(text)).toContain('***');
    expect(maskSecretsIn(text)).not.toContain(SECRET);
  });

  it.each(PASSING.filter((text) => !text.includes('\n')))('in a command in Markdown: `%s`', (text) => {
    const shown = maskSecretsIn(`Run command \`${text}\` now`);
    expect(shown).not.toContain(SECRET);
    expect(shown.endsWith('` now')).toBe(true);
  });

  it('has a key of any format', () => {
    for (const { kind, text } of KEYS) expect(maskSecretsIn(text), kind).not.toBe(text);
  });

  it('without secrets stays as it is, without a closer look', () => {
    for (const text of ['12345 input_tokens: 7 in the package', 'monkey business', 'the token is short', 'a-b -user'])
      expect(maskSecretsIn(text)).toBe(text);
    expect(mayBeMasked('{"type":"text","text":"nothing to see in this line"}')).toBe(false);
    expect(mayBeMasked('{"input_other":100,"context_tokens":123}')).toBe(false);
  });

  it('whose value is a command or a variable stays', () => {
    expect(maskSecretsIn('password=`cat file`')).toBe('password=`cat file`');
    expect(maskSecretsIn('TOKEN=$(cat file)')).toBe('TOKEN=$(cat file)');
    expect(maskSecretsIn('--token $TOKEN')).toBe('--token $TOKEN');
  });

  it('is found wherever it stands', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...PASSING), fc.string(), (before, text, after) => {
        expect(mayBeMasked(`${before} ${text} ${after}`)).toBe(true);
        expect(mayBeMasked(`${before}\n${text}\n${after}`)).toBe(true);
      }),
    );
  });
});

it('values: their strings, and what a name gives away', () => {
  const plain = { a: [1, null, { b: 'c' }] };
  expect(maskSecretsInValue(plain)).toBe(plain);
  expect(maskSecretsInValue({ password: 'short', list: [{ API_KEY: 'x1' }], n: 5 })).toEqual({
    password: '***',
    list: [{ API_KEY: '***' }],
    n: 5,
  });
  expect(maskSecretsInValue({ passphrase: 'correct horse battery', token: '$TOKEN' })).toEqual({
    passphrase: '***',
    token: '$TOKEN',
  });
  expect(maskSecretsInValue(['--token', `token=${SECRET}`])).toEqual(['--token', 'token=***']);
});

describe('what is made visible', () => {
  afterEach(() => maskSecrets(null));

  it('hides them if the program says so', () => {
    const text = `a\x1b password=${SECRET}`;
    expect(visible(text)).toContain(SECRET);
    maskSecrets(MASK_SECRETS);
    expect(visible(text)).toBe('a␛ password=***');
    expect(textLines(PASSING.at(-1)!)).toEqual(['***']);
  });

  it('hides what only its place gives away, as in a difference of a replay', () => {
    const difference = { path: '/params/password', recorded: 'hunter', live: `x ${'y'.repeat(60)} token=${SECRET}` };
    expect(differenceText(difference)).toContain('recorded "hunter", got "x yyy');
    maskSecrets(MASK_SECRETS);
    expect(differenceText(difference)).toBe('/params/password: recorded "***", got "***"');
    expect(differenceText({ ...difference, path: '/params/text' })).not.toContain(SECRET.slice(0, 5));
  });

  it.each<[string, number, (text: string) => string]>([
    ['a text', 100, (text) => maskAndShorten(text, 100)],
    ['a value in a message of a replay', 40, (text) => valueText(text, 40)],
    [
      'what a live agent departed in',
      120,
      (what) => departedText({ f: 1, what } as Parameters<typeof departedText>[0]),
    ],
    ['a word in a finding', 80, textOrJson],
    ['a long line', 4096, (text) => visible(startWithSize(text, text.length))],
    [
      'a line of stderr',
      300,
      (text) => {
        const stderr = new StderrTail();
        stderr.take(text);
        return visible(stderr.tail[0]!);
      },
    ],
  ])('is hidden before it is cut: %s', (_, width, show) => {
    for (let at = width - 44; at < width; at++) {
      const text = `${'x '.repeat(width).slice(0, at - 1)} ghp_${SECRET}${SECRET} ${'y '.repeat(width)}`;
      maskSecrets(null);
      expect(show(text)).not.toContain('***');
      maskSecrets(MASK_SECRETS);
      expect(show(text)).not.toContain('ghp_');
    }
  });
});
