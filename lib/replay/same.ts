/** Whether a replay of a session gives the recorded conversation to a client that does what the recorded one did. */
import type { Frame } from '../core/frame.ts';
import { diffSessions } from '../diff/diff.ts';
import { isDifference } from '../diff/result.ts';
import { Failure } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { mismatches } from './client/report.ts';
import { replayBoth } from './rehearse.ts';

export interface Sameness {
  /** Null: nothing of the client is on the tape. */
  same: boolean | null;
  requests: number;
  otherwise: string[];
}

/** Seconds. Both sides are in this process, so nobody takes long; a tape that was cut off is waited for half of it. */
const PATIENCE = 6;

export async function replaysTheSame(session: Session): Promise<Sameness> {
  try {
    const { client, run } = await replayBoth(session, { timeout: PATIENCE });
    // Where every byte is the same, so is what it means.
    const differences = isSameTraffic(session, run) ? [] : diffSessions(session, run).entries.filter(isDifference);
    const otherwise = [...mismatches(client), ...differences.map(({ op, what, path }) => `${op} ${what || path}`)];
    return { same: otherwise.length === 0, requests: client.sent + client.answered, otherwise };
  } catch (error) {
    if (error instanceof Failure && /no lines from the client/.test(error.message))
      return { same: null, requests: 0, otherwise: [] };
    throw error;
  }
}

/** The same lines of the same sides in the same order, and the same end. What the recorder saw besides does not count. */
function isSameTraffic(a: Session, b: Session): boolean {
  const [one, other] = [traffic(a), traffic(b)];
  for (const frame of one) {
    const { value } = other.next();
    if (value === undefined || !isSameFrame(frame, value)) return false;
  }
  return other.next().done === true;
}

function* traffic(session: Session): Generator<Frame, undefined> {
  for (const frame of session.frames()) if (frame.form !== 'event' || frame.event === 'exit') yield frame;
}

function isSameFrame(a: Frame, b: Frame): boolean {
  if (a.event !== b.event || a.from !== b.from || a.cut || b.cut) return false;
  if (a.event !== null) return a.detail.code === b.detail.code && a.detail.signal === b.detail.signal;
  return a.eol === b.eol && a.head === b.head && Buffer.compare(a.raw, b.raw) === 0;
}
