/** What is known of a session before it is played: how far it goes, and which part of it is wanted. */
import type { Metadata } from '../../model/frame.ts';
import { Pass } from '../../session/pass.ts';
import { idOf, readAs, type SessionNames } from '../../session/session.ts';
import { metadataOf, type OpenSession } from '../../storage/store/open.ts';
import type { SessionPlace } from '../../storage/store/sessions.ts';

export interface Playback {
  place: SessionPlace;
  id: string;
  metadata: Metadata;
  names: SessionNames;
  /** Null if later lines may show another one. */
  dialect: string | null;
  running: boolean;
  /** The last frame so far. */
  last: { f: number; t: number };
  /** Where the turn that was asked for begins, and where it ends if it has; null if there is none. */
  turn: { first: number; last: number | null } | null;
  /** The number of damaged lines of the tape. */
  damaged: number;
}

/** `dialect`: the one from the command line. `turn`: the number of the turn to play. */
export function readPlayback(
  place: SessionPlace,
  opened: OpenSession,
  dialect: string | null,
  turn: number | null,
): Playback {
  const metadata = metadataOf(opened);
  const { running, names } = opened;
  const known = dialect ?? opened.dialect ?? null;
  const session = known === null ? opened : readAs(opened, known);
  const pass = new Pass(session, { tree: turn !== null });
  const last = { f: 0, t: 0 };
  const take = ({ f, t }: { f: number; t: number }) => {
    last.f = Math.max(last.f, f);
    if (Number.isFinite(t)) last.t = Math.max(last.t, t);
  };
  const found = { id: idOf(opened), dialect: running ? known : pass.dialect };
  let damaged = 0;
  if (turn === null) {
    pass.close();
    // To count frames, their meaning is not needed.
    for (const frame of opened.frames({ seal: () => {}, damaged: () => damaged++ })) take(frame);
  } else {
    pass.run({ take: ({ frame }) => take(frame) });
    damaged = pass.damaged;
  }
  return { place, metadata, names, running, ...found, last, turn: turnIn(pass, turn), damaged };
}

function turnIn(pass: Pass, n: number | null): Playback['turn'] {
  if (n === null) return null;
  const turn = pass.timeline.entries.find((entry) => entry.is === 'turn' && entry.n === n);
  if (turn?.is !== 'turn') return null;
  return { first: turn.f, last: turn.status === null ? null : turn.f_end };
}
