/** Rows are read for several sessions at once. Sessions with many rows among those with few get all of theirs, in any order. */
import { describe, expect } from 'vitest';
import { parseQuery } from '../../../lib/filter/parser.ts';
import { Audits } from '../../../lib/search/approvals.ts';
import { loadFor } from '../../../lib/search/by-tape.ts';
import { Search } from '../../../lib/search/search.ts';
import { type Target, targetsOf } from '../../../lib/search/targets.ts';
import { makeSession, rpc } from '../../support/session.ts';
import { it } from '../../support/store.ts';

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

async function store(home: string): Promise<Target[]> {
  fill(home);
  await loadFor([{ key: null }]);
  const { sessions } = await targetsOf(home, [], { notice() {}, progress() {} });
  expect(sessions.map(({ key }) => key)).not.toContain(null);
  return sessions;
}

const byTape = (target: Target): Target => ({
  ...{ summary: target.summary, place: target.place, begun: target.begun, key: null },
});

/** In order, backwards, and every one twice. */
const ORDERS: [string, (targets: Target[]) => Target[]][] = [
  ['in order', (targets) => targets],
  ['backwards', (targets) => [...targets].reverse()],
  ['twice', (targets) => targets.flatMap((target) => [target, target])],
];

describe('reading ahead', () => {
  it.for(ORDERS)('finds the frames of each session, %s', async ([, order], { place }) => {
    const targets = order(await store(place.home));
    // One index, and two that name the same frames.
    for (const query of ['is:pending', 'kind:approval OR is:pending from:agent']) {
      const search = new Search(place.home, parseQuery(query), targets.length);
      const found = (target: Target) => [...search.hits(target)].flatMap((hit) => (hit ? [hit.facts] : []));
      for (const target of targets) expect(found(target)).toEqual(found(byTape(target)));
      search.close();
    }
  });

  it.for(ORDERS)('gives each session its audit, %s', async ([, order], { place }) => {
    const targets = order(await store(place.home));
    const audits = new Audits(place.home);
    for (const target of targets) expect(audits.of(target)).toEqual(audits.of(byTape(target)));
    expect(targets.map((target) => audits.of(target).rows.length)).toContain(700);
    audits.close();
  });
});
