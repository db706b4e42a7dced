/** Leaves out of a session whatever a test does not need: the largest units first, and again until nothing more can go. */
import { ddmin, type FirstEnough } from '../../model/ddmin.ts';
import { LEVELS, type Level, type Structure, type Unit } from './structure.ts';

export interface Reduction {
  level: Level;
  /** The frames that are left, in order. */
  frames: readonly number[];
}

/**
 * `firstFailing` says which set of frames is the first for which the test still fails. Calls `reduced` for each smaller session
 * that does, and returns the frames of the smallest, in order.
 */
export async function minimize(
  { frames, units }: Structure,
  firstFailing: FirstEnough<readonly number[]>,
  reduced: (reduction: Reduction) => void,
): Promise<readonly number[]> {
  let kept = frames;
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    for (const level of LEVELS) {
      const base = kept;
      const there = new Set(base);
      const parts = units[level].filter((unit) => unit.some((f) => there.has(f)));
      const framesWith = (left: readonly Unit[]) => remaining(base, parts, left);
      await ddmin(parts, async (count, candidate) => {
        const found = await firstFailing(count, (n) => framesWith(candidate(n)));
        const left = found < 0 ? kept : framesWith(candidate(found));
        if (left.length < kept.length) {
          kept = left;
          reduced({ level, frames: kept });
        }
        return found;
      });
    }
  }
  return kept;
}

/** What is left of the frames if only these of the parts stay. A frame of several parts goes with any of them. */
function remaining(frames: readonly number[], parts: readonly Unit[], left: readonly Unit[]): number[] {
  const stay = new Set(left);
  const gone = new Set(parts.filter((part) => !stay.has(part)).flat());
  return frames.filter((f) => !gone.has(f));
}
