/** The sieve may stop only texts in which the detector finds nothing, in any reading. */
import { describe, expect, it } from 'vitest';
import { RedactionDetector } from '../../../../lib/analysis/redact/detector.ts';
import { editsAfterSieve, editsIn } from '../../../../lib/analysis/redact/edits.ts';
import { MAY_BE_FOUND, NOTHING_FOUND } from '../../../../lib/analysis/redact/sieve.ts';
import { MIN_KEY_CHARS } from '../../../../lib/model/text/key-formats.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';
import { KEYS } from '../../../support/planted.ts';
import { ALL, lineOf, WRITTEN } from '../../../support/planting.ts';

function detector(): RedactionDetector {
  const made = new RedactionDetector();
  made.add({ text: '/srv/builds/acme', kind: 'path', as: 'path' });
  made.add({ text: 'josé', kind: 'user', as: 'word' });
  made.add({ text: '张三丰', kind: 'user', as: 'word' });
  made.add({ text: 'quillon', kind: 'user', as: 'word' });
  return made;
}

/** The rest of the suite asks it about whole secrets; here are their parts, in any order. */
const PARTS = [
  ...['"', "'", '`', '\\', '\\\\', '\\"', '\\n', '\\\\n', '\\r\\n', '\\t', '\\/', '\\u001b', '\\u00e9', '\\u0041'],
  ...['\n', '\r\n', '\t', ' ', '  ', ':', '=', ':=', '=>', '==', '@', '-', '--', '/', '.', '+', '(', ') ', ',', ';'],
  ...['key', 'api_key', 'token', 'next_token', 'ext_token', 'password', 'passwd', 'pwd', 'secret', 'authorization'],
  ...['cookie', 'bearer', 'Bearer ', 'basic ', 'jwt', 'client-key', 'credentials', 'curl ', '-u ', 'mysql ', '-p'],
  ...['sk-', 'ghp_', 'AKIA', 'xoxb-', 'eyJ', 'pat', 'AC', 'SG.', 'hf_', 'ACAB', 'glpat-', '1//0', 'npm_', 'api-'],
  ...['abc', 'a1b2c3d4e5', 'Zx9Yw8Vu7Ts6Rq5Po4Nm3', '0123456789abcdef0123456789abcdef', 'hunter2', 'word', 'Xy7'],
  ...['10.', '192.168.', '1.2', '3.4', '127', '4111', '1111', '4111111111111111', '+49 ', '170 1234567', '212-'],
  ...['555-', '0199', 'fe80:', 'fd00', '::1', 'user', 'example', '.com', '.org', 'https:', '//', 'home', 'Users'],
  ...[
    '/home/',
    '/Users/',
    'C:',
    'Users\\\\',
    'quillon',
    'josé',
    'é',
    '张三丰',
    '\\u5f20三丰',
    '/srv/builds/acme',
    '%20',
  ],
  ...[
    '138',
    '12345678',
    '010-',
    '62345678',
    'DE89',
    ' 3704 0044 0532 0130 00',
    'E12345678',
    '护照',
    '\\u62a4\\u7167',
    '11010519491231002',
  ],
  ...[
    '~',
    'zhangwei',
    '-rw-r--r-- 1 ',
    'uid=1000(zhangwei)',
    ':x:1000:1000:Zhang:',
    '.local',
    'db-1',
    '张三@',
    '公司',
    '.cn',
    '6222 0212 3456 7890',
  ],
  ...['kX3vQ9pLr7TzW2mNb8', '$x!9', 'MIIEvQ', 'msg_', 'sha256:', '&id=', 'uuid'],
  ...['%2F', '%', '-----BEGIN PRIVATE KEY-----', 'c2stMTIzNDU2', 'cGFzc3dvcmQ9aHVudGVyMiE', '=', '==', '_', 'Q~'],
];

function* texts(count: number): Generator<string> {
  let seed = 7;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let i = 0; i < count; i++) yield Array.from({ length: 2 + next(9) }, () => PARTS[next(PARTS.length)]!).join('');
}

describe('the sieve', () => {
  it('stops nothing that would be found', () => {
    // Each knows what it has seen.
    const [open, made] = [detector(), detector()];
    let [found, stopped] = [0, 0];
    for (const text of texts(60_000)) {
      const all = editsAfterSieve(text, open, MAY_BE_FOUND);
      expect(editsIn(text, made).map(shown), JSON.stringify(text)).toEqual(all.map(shown));
      if (all.length > 0) found++;
      if (made.sieve.lookAtText(text) === NOTHING_FOUND) stopped++;
    }
    expect(found).toBeGreaterThan(5000);
    expect(stopped).toBeGreaterThan(5000);
  });

  it('stops none of the secrets that are planted, however they are written', () => {
    const made = detector();
    for (const written of Object.values(WRITTEN))
      for (const { text } of ALL) {
        const line = `{"a":"\\n${written(text)} "}`;
        expect(editsIn(line, made).map(shown), line).toEqual(editsAfterSieve(line, made, MAY_BE_FOUND).map(shown));
      }
  });

  it('stops most lines of real sessions', () => {
    const made = new RedactionDetector();
    const lines = fixtureSessions().flatMap((session) => [...session.frames()].map(lineOf));
    const stopped = lines.filter((line) => made.sieve.lookAtText(line) === NOTHING_FOUND).length;
    expect(stopped / lines.length).toBeGreaterThan(0.85);
  });

  it('knows the length of the shortest key', () => {
    for (const { text } of KEYS) expect(text.length, text).toBeGreaterThanOrEqual(MIN_KEY_CHARS);
  });
});

function shown({ kind, start, end, value }: { kind: string; start: number; end: number; value: string }): string {
  return `${kind} ${start}-${end} ${value}`;
}
