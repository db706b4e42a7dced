/** Every tape of the suite, and every shared one where they are, drives its own replay without a miss on either side. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diffSessions } from '../../../../lib/diff/diff.ts';
import { type DiffEntry, isDifference, restrictTo } from '../../../../lib/diff/result.ts';
import { Failure } from '../../../../lib/failure.ts';
import type { Session } from '../../../../lib/session/session.ts';
import { replayBoth } from '../../../support/both-replays.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';
import { openShared, SHARED, sharedTapes } from '../../../support/shared-tapes.ts';

/** Null for a tape that has nothing of the client, else what went otherwise. */
async function missesOf(session: Session, name: string): Promise<unknown> {
  try {
    const { client, agent, live } = await replayBoth(session);
    const { entries } = restrictTo(diffSessions(session, live), ['conversation', 'approvals']);
    const differences = entries.filter((entry) => isDifference(entry) && isOfReplay(name, entry));
    const { unmatched, departed, never_sent, never_asked } = client;
    const { near, missed, never_asked: unheard } = agent;
    return { unmatched, departed, never_sent, never_asked, near, missed, unheard, of: agent.departed, differences };
  } catch (error) {
    if (error instanceof Failure && /no lines from the client/.test(error.message)) return null;
    throw error;
  }
}

/**
 * An error that answers nothing may come a line earlier or later. A client that answers although it has cancelled is quicker
 * here than the agent was then.
 */
function isOfReplay(name: string, { kind }: DiffEntry): boolean {
  return kind !== 'error' && !/\/intask\.jsonl$/.test(name);
}

const NONE = {
  ...{ unmatched: [], departed: [], never_sent: [], never_asked: [] },
  ...{ near: [], missed: [], unheard: [], of: [], differences: [] },
};

describe('a tape that drives itself', () => {
  it('has no miss, for every tape of the suite', async () => {
    let driven = 0;
    for (const session of fixtureSessions()) {
      const misses = await missesOf(session, session.id);
      if (misses !== null) driven++;
      expect(misses ?? NONE, session.id).toEqual(NONE);
    }
    expect(driven).toBeGreaterThan(50);
  });

  it.runIf(existsSync(SHARED))(
    'has no miss, for every shared tape',
    async () => {
      for (const name of [...sharedTapes('tapes'), ...sharedTapes('tapes-others')])
        expect((await missesOf(openShared(name), name)) ?? NONE, name).toEqual(NONE);
    },
    600_000,
  );
});
