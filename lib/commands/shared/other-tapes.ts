import type { Io } from '../../output/terminal/io.ts';
import { placeOf, tapeOf } from '../../storage/store/sessions.ts';
import { isElsewhere, otherTapeFailure, otherTapeIn } from '../../storage/store/tape-owner.ts';

/**
 * For commands that answer from the index: it has what was recorded, but whoever opens these sessions does not get that any
 * more. Only tapes outside the store are looked at, where others can write.
 */
export function noteOtherTapes(io: Io, home: string, sessions: readonly string[]): void {
  for (const id of sessions) {
    const { dir } = placeOf(home, id);
    const other = isElsewhere(dir) ? otherTapeIn(dir) : null;
    if (other) io.say(`wiretape: ${id}: ${otherTapeFailure(tapeOf(dir), id, other).message}`);
  }
}
