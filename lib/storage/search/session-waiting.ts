/** How long a running session has been waiting for its client. */
import { statSync } from 'node:fs';
import { micros } from '../../model/interval.ts';
import type { Ledger } from '../../model/ledger/ledger.ts';
import { Pass } from '../../session/pass.ts';
import { clockOf } from '../store/moment.ts';
import { openPlace, using } from '../store/open.ts';
import { placeOf } from '../store/sessions.ts';

export interface SessionWaiting {
  for: 'client';
  /** The request that has waited longest. */
  f: number;
  seconds: number;
}

/** A listing reads no tape that is longer than this. */
const MAX_TAPE_BYTES = 1 << 24;

/** Null if it does not wait, has ended, or its tape is too long to read for a listing. */
export function waitingIn(home: string, id: string): SessionWaiting | null {
  try {
    return using(openPlace(placeOf(home, id)), (session) => {
      if (!session.running || statSync(session.tape).size > MAX_TAPE_BYTES) return null;
      let ledger: Ledger | null = null;
      for (const read of new Pass(session)) ledger = read.ledger;
      const open = ledger === null ? [] : [...(ledger as Ledger).asks.open];
      const oldest = open.find(({ wait }) => wait === null);
      if (!oldest) return null;
      const now = clockOf({ running: true, started: session.metadata.started_at }, oldest.t);
      return { for: 'client', f: oldest.f, seconds: micros(now - oldest.t) };
    });
  } catch {
    // It has just begun, or was removed.
    return null;
  }
}
