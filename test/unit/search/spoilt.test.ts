/** Tapes that somebody spoilt: index and tape agree on what is left. */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { parseQuery } from '../../../lib/filter/parser.ts';
import { loadFor } from '../../../lib/search/by-tape.ts';
import { Search } from '../../../lib/search/search.ts';
import { targetsOf } from '../../../lib/search/targets.ts';
import { makeSession, rpc } from '../../support/session.ts';
import { it, type Place } from '../../support/store.ts';

await loadFor([{ key: null }]);

/** What a query finds in the only session, by index and by tape. */
async function found({ home }: Place, query: string): Promise<[number[], number[]]> {
  const { sessions } = await targetsOf(home, [], { notice() {}, progress() {} });
  const search = new Search(home, parseQuery(query), 1);
  const numbers = (key: number | null) =>
    [...search.hits({ ...sessions[0]!, key })].flatMap((hit) => (hit ? [hit.facts.f] : []));
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
