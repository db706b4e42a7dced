/** Rows are read for several sessions at once. Sessions with many rows among those with few get all of theirs, in any order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Facts } from '../../../../lib/analysis/facts/facts.ts';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { Search } from '../../../../lib/storage/search/search.ts';
import { SessionAudits } from '../../../../lib/storage/search/session-audits.ts';
import { loadTapeReadersFor } from '../../../../lib/storage/search/tape-readers.ts';
import { type Target, targetsOf } from '../../../../lib/storage/search/targets.ts';
import { makeSession, rpc } from '../../../support/session.ts';
import { makePlace, type Place, removePlace } from '../../../support/store.ts';

/** More and fewer than are read at once, and exactly as many; more sessions than are searched one by one. */
const ASKED = [3, 0, 511, 2, 512, 0, 700, 1, 40, 500, 40, 0, 5];

const asks = (id: number) => ({
  ...{ id, method: 'session/request_permission' },
  params: {
    sessionId: 's',
    toolCall: { toolCallId: `c${id}`, title: 'rm', kind: 'execute' },
    options: [{ optionId: 'y', name: 'yes', kind: 'allow_once' }],
  },
});

function fill(home: string): void {
  for (const [i, count] of ASKED.entries()) {
    makeSession(
      home,
      (journal) => {
        journal.data('client', 10, rpc({ id: 0, method: 'initialize', params: { protocolVersion: 1 } }));
        journal.data('agent', 20, rpc({ id: 0, result: { protocolVersion: 1, agentCapabilities: {} } }));
        for (let id = 1; id <= count; id++) journal.data('agent', 20 + id, rpc(asks(id)));
        journal.exit(5000);
      },
      { id: `20261116T0000${String(i).padStart(2, '0')}-many` },
    );
  }
}

/** One store for all: what its index says, and what its tapes say, read once. */
let place: Place;
let targets: Target[];

beforeAll(async () => {
  place = makePlace();
  fill(place.home);
  await loadTapeReadersFor([{ key: null }]);
  ({ sessions: targets } = await targetsOf(place.home, [], { notice() {}, progress() {} }));
  expect(targets.map(({ key }) => key)).not.toContain(null);
});

afterAll(() => removePlace(place));

/** By their tapes. */
function byTapes<T>(answer: (target: Target) => T): Map<string, T> {
  return new Map(targets.map((target) => [target.summary.session, answer({ ...target, key: null })]));
}

/** In order, backwards, and every one twice. */
const ORDERS: [string, (targets: Target[]) => Target[]][] = [
  ['in order', (targets) => targets],
  ['backwards', (targets) => [...targets].reverse()],
  ['twice', (targets) => targets.flatMap((target) => [target, target])],
];

// One index, and two that name the same frames.
describe.each(['is:pending', 'kind:approval OR is:pending from:agent'])('reading ahead for %s', (query) => {
  const foundBy = (search: Search) => (target: Target) =>
    [...search.matchesOf(target)].flatMap((hit) => (hit ? [hit.facts] : []));
  let right: Map<string, Facts[]>;
  beforeAll(() => {
    const search = new Search(place.home, parseQuery(query), targets.length);
    right = byTapes(foundBy(search));
    search.close();
  });

  it.each(ORDERS)('finds the frames of each session, %s', (_, order) => {
    const search = new Search(place.home, parseQuery(query), targets.length);
    const found = foundBy(search);
    for (const target of order(targets)) expect(found(target)).toEqual(right.get(target.summary.session));
    search.close();
  });
});

describe('reading ahead', () => {
  it('gives each session its audit, in any order', () => {
    const alone = new SessionAudits(place.home);
    const right = byTapes((target) => alone.of(target));
    alone.close();
    for (const [name, order] of ORDERS) {
      const audits = new SessionAudits(place.home);
      for (const target of order(targets)) expect(audits.of(target), name).toEqual(right.get(target.summary.session));
      audits.close();
    }
    expect([...right.values()].map(({ rows }) => rows.length)).toContain(700);
  });
});
