/** Tapes that somebody spoilt: index and tape agree on what is left. */

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { listSessions } from '../../../../lib/storage/index/catch-up.ts';
import { Search } from '../../../../lib/storage/search/search.ts';
import { loadTapeReadersFor } from '../../../../lib/storage/search/tape-readers.ts';
import { type Target, targetsOf } from '../../../../lib/storage/search/targets.ts';
import { dump } from '../../../support/index.ts';
import { makeSession, rpc } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

await loadTapeReadersFor([{ key: null }]);

/** What a query finds in the only session, by index and by tape. */
async function found({ home }: Place, query: string): Promise<[number[], number[]]> {
  const { sessions } = await targetsOf(home, [], { notice() {}, progress() {} });
  const search = new Search(home, parseQuery(query), 1);
  const numbers = (key: number | null) =>
    [...search.matchesOf({ ...sessions[0]!, key })].flatMap((hit) => (hit ? [hit.facts.f] : []));
  expect(sessions[0]!.key).not.toBeNull();
  try {
    return [numbers(sessions[0]!.key), numbers(null)];
  } finally {
    search.close();
  }
}

function spoil(place: Place, how: (lines: string[]) => string[]): void {
  const { tape } = makeSession(place.home, (journal) => {
    for (let i = 1; i <= 6; i++) {
      journal.data('client', 1000 * i, rpc({ id: i, method: 'ask', params: `text ${i}` }));
      journal.data('agent', 1000 * i + 500, rpc({ id: i, result: 'fine' }));
    }
    journal.exit(9000);
  });
  const lines = readFileSync(tape, 'utf8').split('\n').slice(0, -1);
  writeFileSync(tape, `${how(lines).join('\n')}\n`);
}

const cases: [string, (lines: string[]) => string[]][] = [
  ['lines that are none', (lines) => lines.map((line, i) => (i % 4 === 2 ? 'what?' : line))],
  ['lines cut off', (lines) => lines.map((line, i) => (i === 5 ? line.slice(0, 40) : line))],
  ['an end that is missing', (lines) => lines.slice(0, 7)],
];

describe('a tape with', () => {
  for (const [what, how] of cases) {
    it(what, async ({ place }) => {
      spoil(place, how);
      for (const query of [
        '',
        'envelope:request',
        'fine',
        '"text 3"',
        'latency:*',
        '@params:*',
        'is:pending',
        'f:3..5',
      ]) {
        const [index, tape] = await found(place, query);
        expect(index, query).toEqual(tape);
      }
    });
  }
});

describe('a tape whose numbers', () => {
  it.for<[string, (lines: string[]) => string[]]>([
    ['stand twice', (lines) => [...lines.slice(0, 5), lines[4]!.replace('text', 'other'), ...lines.slice(5)]],
    ['go back', (lines) => [...lines.slice(0, 9), ...lines.slice(3, 6), ...lines.slice(9)]],
    ['stand twice, one after the other', (lines) => lines.flatMap((line, i) => (i > 0 ? [line, line] : [line]))],
  ])('%s is read alike by all who ask the store and by those who have the file alone', async ([, how], { place }) => {
    spoil(place, how);
    const talk = { notice: (message: string) => expect.fail(message), progress() {} };
    // Once to make its rows, once with them.
    await targetsOf(place.home, [], talk);
    const { sessions } = await targetsOf(place.home, [], talk);
    const elsewhere = join(place.dir, 'copy.jsonl');
    copyFileSync(sessions[0]!.summary.tape, elsewhere);
    const alone = await targetsOf(place.home, [elsewhere], talk);
    for (const query of ['', 'envelope:request', 'other', '"text 3"', 'latency:*', '@params:*', 'f:3..5']) {
      const search = new Search(place.home, parseQuery(query), 1);
      const all = ([target]: Target[]) =>
        [...search.matchesOf(target!)].flatMap((hit) => (hit ? [`${hit.facts.f} ${Buffer.from(hit.frame.raw)}`] : []));
      expect(all(sessions), query).toEqual(all(alone.sessions));
      expect(search.count(sessions[0]!), query).toBe(all(alone.sessions).length);
      search.close();
    }
    expect(listSessions(place.home, talk).sessions[0]).toMatchObject({ frames: 13 });
    expect(dump(place.home).sessions![0]).toMatchObject({ settled: 1, in_order: 0 });
  });
});
