/**
 * Every tape of the suite, and every shared one where they are, drives its own replay without a miss on either side, and the
 * run does not differ from the tape by meaning.
 */
import { describe, expect, it } from 'vitest';
import { diffSessions } from '../../../../lib/analysis/diff/diff.ts';
import { type DiffEntry, isDifference } from '../../../../lib/analysis/diff/result.ts';
import { Failure } from '../../../../lib/model/failure.ts';
import { replayBoth } from '../../../../lib/replay/rehearse.ts';
import type { Session } from '../../../../lib/session/session.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';
import { sample } from '../../../support/scale.ts';
import { hasShared, openShared, sharedTapes } from '../../../support/shared-tapes.ts';

/** Null for a tape that has nothing of the client, else what went otherwise. */
async function missesOf(session: Session): Promise<unknown> {
  try {
    const { client, agent, run } = await replayBoth(session);
    const { unmatched, departed, never_sent, never_asked } = client;
    const { near, missed, never_asked: unheard } = agent;
    const differences = diffSessions(session, run).entries.filter(
      (entry) => isDifference(entry) && !isOvertaken(entry),
    );
    return { unmatched, departed, never_sent, never_asked, near, missed, unheard, of: agent.departed, differences };
  } catch (error) {
    if (error instanceof Failure && /no lines from the client/.test(error.message)) return null;
    throw error;
  }
}

/** A replayed agent may send what waits for nothing first, and debug adapters number their lines. */
function isOvertaken({ what }: DiffEntry): boolean {
  return what.startsWith('info dap-seq');
}

const NONE = {
  ...{ unmatched: [], departed: [], never_sent: [], never_asked: [] },
  ...{ near: [], missed: [], unheard: [], of: [], differences: [] },
};

describe('a tape that drives itself', () => {
  it('has no miss, for the tapes of the suite', async () => {
    let driven = 0;
    for (const session of sample(fixtureSessions(), 40)) {
      const misses = await missesOf(session);
      if (misses !== null) driven++;
      expect(misses ?? NONE, session.id).toEqual(NONE);
    }
    expect(driven).toBeGreaterThan(15);
  });

  it.runIf(hasShared)(
    'has no miss, for every shared tape',
    async () => {
      for (const name of sharedTapes()) expect((await missesOf(openShared(name))) ?? NONE, name).toEqual(NONE);
    },
    600_000,
  );
});
