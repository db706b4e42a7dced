/** An index that is damaged in any of its pages changes no answer: it is set aside, which is said, and the tapes answer. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { Search } from '../../../../lib/storage/search/search.ts';
import { SessionAudits } from '../../../../lib/storage/search/session-audits.ts';
import { loadTapeReadersFor } from '../../../../lib/storage/search/tape-readers.ts';
import { targetsOf } from '../../../../lib/storage/search/targets.ts';
import { type Answers, answersOf } from '../../../support/answers.ts';
import { indexOf, tamper } from '../../../support/index.ts';
import { importTapes } from '../../../support/query-store.ts';
import { randomOf } from '../../../support/random-query.ts';
import { cases } from '../../../support/scale.ts';
import { it, makePlace, type Place, removePlace } from '../../../support/store.ts';

const PAGE = 4096;

function fill({ home }: Place): void {
  importTapes(home, (name) => /wire-1.49.0.(approval|external|hooks|question)/.test(name));
}

/** The index with its bytes in the file itself, and nothing beside it. */
function put({ home }: Place, bytes: Buffer): void {
  for (const name of readdirSync(home)) if (name.startsWith('index-')) rmSync(join(home, name));
  writeFileSync(indexOf(home), bytes);
}

/** One store for all that is done to its index: what its tapes say, and the index as it was made. */
let store: Place;
let right: Answers;
let whole: Buffer;

beforeAll(async () => {
  store = makePlace();
  fill(store);
  right = await answersOf(store.home, { byTape: true });
  expect(await answersOf(store.home)).toEqual(right);
  whole = readFileSync(indexOf(store.home));
});

afterAll(() => removePlace(store));

type Spoil = (page: Buffer, whole: Buffer, random: () => number) => void;

const noise: Spoil = (page, _, random) => {
  for (let i = 0; i < page.length; i++) page[i] = Math.floor(random() * 256);
};

const WAYS: [string, Spoil][] = [
  ['noise', noise],
  ['zeros', (page) => page.fill(0)],
  ['another page of it', (page, whole, random) => pageOf(whole, random).copy(page)],
  ['half noise', (page, whole, random) => noise(page.subarray(PAGE / 2), whole, random)],
];

function pageOf(bytes: Buffer, random: () => number): Buffer {
  const at = PAGE * Math.floor(random() * (bytes.length / PAGE));
  return bytes.subarray(at, at + PAGE);
}

describe('a page of the index that became', () => {
  it.for(WAYS)('%s', async ([, spoil]) => {
    const random = randomOf(11);
    for (let i = 0; i < cases(8); i++) {
      const spoilt = Buffer.from(whole);
      const page = pageOf(spoilt, random);
      spoil(page, whole, random);
      put(store, spoilt);
      const said: string[] = [];
      expect(
        await answersOf(store.home, { notice: (message) => said.push(message) }),
        `page at ${page.byteOffset - spoilt.byteOffset}`,
      ).toEqual(right);
      expect(said.length, said.join()).toBeLessThanOrEqual(1);
      for (const message of said) expect(message).toMatch(/^the index was damaged; it was set aside as /);
    }
  });
});

describe('rows that are missing although the file is whole', () => {
  it.for([
    'DELETE FROM frames WHERE f = 5',
    'DELETE FROM frames',
    'DELETE FROM texts WHERE n = 0',
    "UPDATE texts SET text = CAST(replace(CAST(text AS TEXT), 'e', 'x') AS BLOB)",
    'UPDATE texts SET sketch = zeroblob(length(sketch))',
    'DELETE FROM approvals',
    "UPDATE approvals SET row = replace(row, 'allow', 'deny')",
    'UPDATE sessions SET heard = 1 - heard',
    'UPDATE frames SET offset = offset + 1',
    'UPDATE sessions SET settled = 1, indexed = indexed - 100, frames = 1',
  ])('are found: %s', async (sql) => {
    put(store, whole);
    tamper(store.home, sql);
    expect(await answersOf(store.home)).toEqual(right);
  });
});

describe('a session that is removed while it is asked about', () => {
  it.for([false, true])('has nothing to tell (by its tape: %s)', async (byTape, { place }) => {
    fill(place);
    const talk = { notice: (message: string) => expect.fail(message), progress() {} };
    const { sessions } = await targetsOf(place.home, [], talk);
    await loadTapeReadersFor([{ key: null }]);
    const [target] = byTape ? [{ ...sessions[0]!, key: null }] : sessions;
    rmSync(join(place.home, 'sessions', target!.summary.session), { recursive: true });
    const search = new Search(place.home, parseQuery('from:agent'), 1);
    expect([...search.matchesOf(target!)].filter((hit) => hit !== null)).toEqual([]);
    expect([...search.matchesWithContext(target!, 1, true, 9)].filter((hit) => hit !== null)).toEqual([]);
    search.close();
    const audits = new SessionAudits(place.home);
    if (byTape) expect(audits.of(target!).rows).toEqual([]);
    audits.close();
  });
});
