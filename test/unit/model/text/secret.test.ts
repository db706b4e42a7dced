/** What looks like a secret, what only nearly does, and that no text takes long. The samples are made up. */
import { describe, expect, it } from 'vitest';
import { KEY_FORMATS } from '../../../../lib/model/text/key-formats.ts';
import { hasSecret } from '../../../../lib/model/text/secret.ts';
import { mayHaveSecret } from '../../../../lib/model/text/secret-sieve.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]) => parts.join('');
const bytesOf = (text: string) => new TextEncoder().encode(text);
const LONG = 'a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0';

describe('hasSecret', () => {
  it.each([
    made('sk-', LONG),
    made('sk-', 'proj-', LONG),
    made('sk-', 'ant-api03-', LONG),
    made('key is "', 'sk-', '0123456789abcdef0123456789abcdef"'),
    made('sk_', 'live_', LONG),
    made('ghp_', LONG.slice(0, 36)),
    made('gho_', LONG.slice(0, 36)),
    made('github_', 'pat_', LONG),
    made('AKIA', 'ABCDEFGHIJ234567'),
    made('export AWS_ACCESS_KEY_ID=', 'ASIA', 'ABCDEFGHIJ234567'),
    made('xoxb', '-123456789012-abcdefghij'),
    made('eyJ', 'hbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxMjM0In0.', 'abcdefgh_ijkl-mn'),
    made('-----BEGIN RSA ', 'PRIVATE KEY-----'),
    made('-----BEGIN ', 'PRIVATE KEY-----\nMIIE'),
    made('AIza', LONG.slice(0, 35)),
    made('hf_', LONG.slice(0, 34)),
    made('glpat-', LONG.slice(0, 20)),
    made('npm_', LONG.slice(0, 36)),
    made('Authorization: Bearer ', LONG),
    'password=hunter2hunter',
    'PASSWORD: "hunter2hunter"',
    'db_password = hunter2hunter',
    '{"api_key":"abcd1234efgh"}',
    '{\\"api_key\\":\\"abcd1234efgh\\"}',
    'API-KEY: abcd1234efgh',
    "client_secret='abcd1234efgh'",
    'url?token=abcd1234efgh&x=1',
  ])('%s', (text) => {
    expect(hasSecret(text)).toBe(true);
    expect(hasSecret(`${'some text before, '.repeat(50)}${text} and behind`)).toBe(true);
    for (const line of [text, `é${text}é`, `x_${text}`]) expect(mayHaveSecret(bytesOf(line))).toBe(hasSecret(line));
  });

  it.each([
    '',
    'sk-',
    'sk-learn is a library with a very long name',
    'sk-some-words-with-dashes-between-them',
    'a task-0123456789abcdef0123456789',
    'a disk-0123456789abcdef0123456789',
    'ghp_short',
    made('AKIA', 'SHORT'),
    made('AKIA', 'ABCDEFGHIJ234567', 'ANDMORE'),
    'eyJhbGciOiJIUzI1NiJ9',
    'eyJhbGciOiJIUzI1NiJ9.x.y',
    '-----BEGIN CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----',
    'the bearer of this letter may pass',
    'Bearer authentication-required',
    'password: string',
    'password: required',
    'password=',
    'password = $PASSWORD1234',
    'password: ********1a',
    'password=process.env.PASSWORD1',
    'enter your password1234 now',
    '"token": "<your token 1234>"',
    '{"input_tokens":12345678901,"output_tokens":12}',
    'max_tokens: 100000000',
    'the secret of 1984 is out',
    'monkey: banana123',
    'npm_config_cache=/tmp/x',
  ])('not %s', (text) => {
    expect(hasSecret(text)).toBe(false);
  });

  it('is told by the bytes where one may be', () => {
    for (const start of KEY_FORMATS.flatMap(({ starts }) => starts))
      expect(mayHaveSecret(bytesOf(`- ${start}${LONG}`)), start).toBe(true);
    for (const name of ['passwd', 'PWD', 'Passphrase', 'secret_key', 'apiKey', 'ACCESS-KEY', 'private_key', 'Token'])
      for (const sign of ['=', ':', '\\\\\\"   =   \\\\\\"', "'\u00a0:\u3000\u3000\u3000'", '\n=\u00a0', '=é'])
        expect([mayHaveSecret(bytesOf(`${name}${sign}abcdefg1`)), hasSecret(`${name}${sign}abcdefg1`)]).toEqual([
          true,
          true,
        ]);
    for (const line of [
      '{"session":"some words"}',
      'a task-0123456789abcdef0123456789',
      '"tokens":12345,',
      'key: string',
    ])
      expect(mayHaveSecret(bytesOf(line)), line).toBe(false);
  });

  it('looks at each text afresh', () => {
    const text = 'password=hunter2hunter';
    expect([hasSecret(text), hasSecret(text), hasSecret('none'), hasSecret(text)]).toEqual([true, true, false, true]);
  });

  // A quadratic search would run for hours here.
  it.each([
    ...[
      'eyJ',
      'eyJaaaaaaaaaa',
      'eyJa.',
      'sk-',
      'sk-a',
      'password=',
      'password:aaaaaaaa ',
      'token',
      '-----BEGIN ',
      'bearer   ',
    ],
    ...['password\\\\\\"', 'key=', 'keykey', 'api_key', 'xox', 'xoxb-', 'ghp_aaaa', '\\'],
  ])('ends on a megabyte of %j', (part) => {
    const text = `token ${part.repeat(1_000_000 / part.length)}`;
    expect(hasSecret(text)).toBe(false);
    mayHaveSecret(bytesOf(text));
  });
});
