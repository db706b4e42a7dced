/** What is known about the context and the tokens of a session. */
import type { UsagePoint } from '../../page/page.ts';
import type { Scale } from './scale.ts';

/** How full the context was, from 0 to 1; null if that is not known. */
export function contextShare({ share, used, size }: UsagePoint): number | null {
  if (share !== null) return share;
  return used !== null && size ? used / size : null;
}

export function tokensIn({ input, cache_read, cache_write, output }: UsagePoint): number {
  return (input ?? 0) + (cache_read ?? 0) + (cache_write ?? 0) + (output ?? 0);
}

/** How full the context was at the pixels of a scale that have a report: the fullest where there are several. */
export function contextLine(points: readonly UsagePoint[], scale: Scale): { x: number; share: number }[] {
  const line: { x: number; share: number }[] = [];
  for (const point of points) {
    const share = contextShare(point);
    if (share === null) continue;
    const x = Math.round(scale.x(point.t));
    const last = line.at(-1);
    // What came before the window is still so at its start.
    if (last && (x < 0 || last.x === x))
      line[line.length - 1] = { x, share: x < 0 ? share : Math.max(share, last.share) };
    else if (x <= scale.width) line.push({ x, share });
  }
  return line;
}

/** The line as steps up to the end: the context stays as it was until the next report. */
export function stepsOf(line: readonly { x: number; share: number }[], width: number): { x: number; share: number }[] {
  const steps: { x: number; share: number }[] = [];
  for (const { x, share } of line) {
    const before = steps.at(-1);
    if (before && before.share !== share) steps.push({ x, share: before.share });
    steps.push({ x: Math.max(0, x), share });
  }
  const last = steps.at(-1);
  if (last && last.x < width) steps.push({ x: width, share: last.share });
  return steps;
}
