/** Whether a replay of a session gives the recorded conversation to a client that does what the recorded one did. */
import { diffSessions } from '../analysis/diff/diff.ts';
import { isDifference } from '../analysis/diff/result.ts';
import { Failure } from '../model/failure.ts';
import type { Session } from '../session/session.ts';
import { mismatches } from './client/report.ts';
import { replayBoth } from './rehearse.ts';

export interface Sameness {
  /** Null: the tape has no lines of the client. */
  same: boolean | null;
  requests: number;
  otherwise: string[];
}

/** Seconds. Both sides are in this process, so neither takes long. */
const TIMEOUT_SECONDS = 6;

export async function replaysTheSame(session: Session): Promise<Sameness> {
  try {
    const { client, run, isSame } = await replayBoth(session, { timeout: TIMEOUT_SECONDS });
    // Where every byte is the same, so is what it means.
    const differences = isSame ? [] : diffSessions(session, run).entries.filter(isDifference);
    const otherwise = [...mismatches(client), ...differences.map(({ op, what, path }) => `${op} ${what || path}`)];
    return { same: otherwise.length === 0, requests: client.sent + client.answered, otherwise };
  } catch (error) {
    if (error instanceof Failure && /no lines from the client/.test(error.message))
      return { same: null, requests: 0, otherwise: [] };
    throw error;
  }
}
