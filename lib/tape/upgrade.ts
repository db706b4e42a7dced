/**
 * Checks the format of a tape. A newer format is refused with a hint; an older one is upgraded step by step (format 1 is
 * the first, so there are no steps yet).
 */
import { FORMAT, type Metadata } from '../core/frame.ts';
import { UnreadableTape } from './unreadable.ts';

const steps: Record<number, (metadata: Metadata) => Metadata> = {};

export function checkFormat(metadata: Metadata): Metadata {
  let current = metadata;
  if (!Number.isInteger(current.wiretape) || current.wiretape < 1) {
    throw new UnreadableTape('the first line is not the metadata of a wiretape tape');
  }
  if (current.wiretape > FORMAT) {
    throw new UnreadableTape(
      `the tape has format ${current.wiretape}, this version reads up to ${FORMAT}`,
      'update wiretape to read it',
    );
  }
  while (current.wiretape < FORMAT) {
    const step = steps[current.wiretape];
    if (!step) throw new UnreadableTape(`tape format ${current.wiretape} is not known`);
    current = step(current);
  }
  return current;
}
