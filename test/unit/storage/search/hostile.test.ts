/** Values that want to be more than values: in the index, on the tape, in lists and live they are harmless, and soon over. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quote } from '../../../../lib/analysis/query/lexer-text.ts';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { QUALIFIERS } from '../../../../lib/analysis/query/qualifiers.ts';
import { Failure } from '../../../../lib/model/failure.ts';
import { readQuery } from '../../../../lib/storage/search/query.ts';
import { Search } from '../../../../lib/storage/search/search.ts';
import { loadTapeReadersFor } from '../../../../lib/storage/search/tape-readers.ts';
import { type Target, targetsOf } from '../../../../lib/storage/search/targets.ts';
import { query as sql } from '../../../support/index.ts';
import { sample } from '../../../support/scale.ts';
import { makeSession, rpc } from '../../../support/session.ts';
import { makePlace, type Place, removePlace } from '../../../support/store.ts';

await loadTapeReadersFor([{ key: null }]);

const VALUES = [
  ...[
    "'",
    "''",
    '"',
    '`',
    '\\',
    '\\\\',
    '%',
    '_',
    '*',
    '?',
    '[',
    ']',
    '[a-z]',
    '[^ -~]',
    '{',
    '$1',
    '?1',
    ':name',
    '@x',
  ],
  ...[
    "'; DROP TABLE frames; --",
    "' OR '1'='1",
    '") OR 1=1 --',
    '/*',
    '*/',
    '--',
    ';',
    '\0',
    'a\0b',
    '\u001f',
    '\u001b[2J',
  ],
  ...[
    '\ud800',
    '\ufffd',
    '\u2028',
    '🙂',
    '错误',
    'İ',
    'ß',
    'ς',
    'K',
    'NULL',
    'null',
    'true',
    'NaN',
    '__proto__',
    'constructor',
  ],
  ...['x'.repeat(256), '%'.repeat(256), 'İ'.repeat(256), '*'.repeat(255), `${'*a'.repeat(127)}b`],
];
const NUMBERS = [
  ...['0', '-0', '1e308', '-1e308', '9007199254740993', '99999999999999999999999', '0.1', '1e-300', '4294967296'],
];

let place: Place;
let targets: Target[];

beforeAll(async () => {
  place = makePlace();
  for (const [i, value] of VALUES.entries()) {
    makeSession(
      place.home,
      (journal) => {
        journal.data(
          'client',
          10,
          rpc({ id: value, method: value, params: { [value]: value, text: value, n: 1e308 } }),
        );
        journal.data('agent', 20, rpc({ id: value, error: { code: 1e308, message: value } }));
        journal.data('stderr', 30, `${value.replace('\n', '')}\n`).exit(40);
      },
      {
        id: `20261116T${String(i).padStart(6, '0')}-h${String(i).padStart(3, '0')}`,
        about: { cwd: value, command: [value] },
        names: { name: value, tags: { [value]: value } },
      },
    );
  }
  ({ sessions: targets } = await targetsOf(place.home, [], { notice() {}, progress() {} }));
});

afterAll(() => removePlace(place));

const onTape = (all: Target[]) => all.map((target) => ({ ...target, key: null }));

/** The same from index and tape; what it finds, as `session f`. */
function found(text: string, among: Target[] = targets): string[] {
  const search = new Search(place.home, parseQuery(text), 100);
  try {
    const hits = (all: Target[]) =>
      all
        .flatMap((target) => [...search.matchesOf(target)])
        .flatMap((hit) => (hit ? [`${hit.target.summary.session} ${hit.facts.f}`] : []));
    const all = hits(among);
    expect(all, text).toEqual(hits(onTape(among)));
    const fitting = (all: Target[]) =>
      all.filter((target) => search.matches(target)).map(({ summary }) => summary.session);
    expect(fitting(among.slice(0, 3)), text).toEqual(fitting(onTape(among.slice(0, 3))));
    for (const target of targets.slice(0, 2)) search.plan(target);
    return all;
  } finally {
    search.close();
  }
}

describe('a hostile value', () => {
  const isHalf = (value: string) => /\p{Surrogate}/u.test(value);

  it('is itself as a text, a method, an id, a name, a key', () => {
    for (const [i, value] of VALUES.entries()) {
      const own = targets.find(({ summary }) => summary.session.endsWith(`h${String(i).padStart(3, '0')}`))!;
      const quoted = quote(value);
      const some = [own, ...targets.filter((one) => one !== own).slice(0, 3)];
      const mine = (text: string) => found(text, some).filter((one) => one.startsWith(own.summary.session)).length;
      if (value !== '\u001f' && !isHalf(value)) expect(mine(quoted), value).toBeGreaterThanOrEqual(2);
      else expect(mine(quoted)).toBe(0);
      if (isHalf(value)) continue;
      // The request and its answer.
      expect(mine(`method:${quoted}`), value).toBe(2);
      expect(mine(`id:${quoted}`), value).toBe(2);
      expect(mine(`name:${quoted} from:client`), value).toBe(1);
      expect(mine(`cwd:${quoted} from:client`), value).toBe(1);
      expect(mine(`@params.${quoted}:${quoted}`), value).toBe(1);
    }
  });

  it('is no more than that to any qualifier', () => {
    for (const { name, type } of QUALIFIERS) {
      if (type !== 'text' && type !== 'session') continue;
      found(
        VALUES.slice(0, 40)
          .map((value) => `${name}:${quote(value)}`)
          .join(' OR '),
      );
    }
    expect(sql(place.home, 'SELECT count(*) AS n FROM frames')[0]!.n).toBe(VALUES.length * 4);
  });

  it('is a number of any size', () => {
    const numeric = QUALIFIERS.filter(({ type }) => ['number', 'frame', 'size', 'duration'].includes(type));
    for (const number of sample(NUMBERS, 4)) {
      for (const { name } of numeric) {
        for (const text of [`${name}:${number}`, `${name}:${number}..*`, `NOT ${name}:"${number}"`]) {
          let expr: ReturnType<typeof parseQuery> | undefined;
          try {
            expr = parseQuery(text);
          } catch {
            // Not a number of that kind, and said so.
          }
          if (expr !== undefined) found(text, targets.slice(0, 5));
        }
      }
    }
    expect(found('code:1e308').length).toBe(VALUES.length);
  });
});

describe('a query as large as may be', () => {
  it('of five hundred terms, or a hundred parentheses, is answered', () => {
    const terms = Array.from({ length: 500 }, (_, i) => (i % 2 ? `method:"${i}'"` : `f:${i}`));
    found(terms.join(' OR '));
    found(terms.map((term) => `NOT ${term}`).join(' '));
    found(`${'('.repeat(99)}f:1${')'.repeat(99)}`);
    found(`${'NOT ('.repeat(49)}f:1 method:x${')'.repeat(49)}`);
    // As deep and as wide as both limits allow.
    const mixed = (depth: number): string =>
      depth === 0 ? 'kind:log' : `NOT (tool:"a" OR f:7..9 OR kind:approval OR is:late ${mixed(depth - 1)})`;
    found(mixed(48));
  });

  it('is refused beyond that', () => {
    for (const text of [
      '('.repeat(5000),
      `${'('.repeat(2000)}x${')'.repeat(2000)}`,
      '-'.repeat(8000),
      'x '.repeat(4000),
    ]) {
      expect(() => readQuery(text)).toThrow(Failure);
    }
    expect(() => readQuery(`"${'x'.repeat(257)}"`)).toThrow(/too long/);
    expect(() => readQuery('x'.repeat(9000))).toThrow(/too long/);
  });
});
