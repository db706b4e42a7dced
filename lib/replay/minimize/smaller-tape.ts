/** A session with only some of its frames, as a tape: renumbered, at their recorded times, with a final seal. */
import type { Frame } from '../../model/frame.ts';
import type { Session } from '../../session/session.ts';
import { tapeLines } from '../../storage/tape/tape-lines.ts';
import { rangesOf } from './ranges.ts';
import type { Structure } from './structure.ts';

export function smallerTape(
  session: Session,
  { frames: { length }, ending }: Structure,
  kept: readonly number[],
): Generator<Uint8Array> {
  const { metadata } = session;
  const minimized = { session: metadata.session, frames: length, kept: rangesOf(kept) };
  // A recording ends with the time of its seal. Any other ending can only be sealed like an import.
  const source = ending !== null && kept.at(-1) === ending ? {} : { source: 'import' };
  return tapeLines({ ...metadata, ...source, minimized }, framesOf(session, kept));
}

function* framesOf(session: Session, kept: readonly number[]): Generator<Frame> {
  const stays = new Set(kept);
  let f = 0;
  // The bytes of a frame may be made when they are asked for.
  for (const frame of session.frames()) if (stays.has(frame.f)) yield { ...frame, raw: frame.raw, f: ++f };
}
