/** The parts of a bar: what a call did when. Waiting for an answer is never part of running. */
import type { RowTable } from '../../page/page.ts';
import { isAsked, isUnfinished, lacksEnd } from './rows.ts';

/** `after`: from an answer to the end of what was asked. `whole`: nothing is known of its parts. */
export type SegmentKind = 'args' | 'queued' | 'waiting' | 'running' | 'after' | 'whole';

export interface BarSegment {
  is: SegmentKind;
  from: number;
  to: number;
}

/** What was cut off while it waited goes on as long as the wait. */
export function endOf(rows: RowTable, row: number, duration: number): number {
  if (isUnfinished(rows, row)) return duration;
  const end = rows.t_end[row]!;
  return lacksEnd(rows, row) ? Math.max(end, rows.wait_end[row]! || end) : end;
}

/** In the order of time, without gaps, from the beginning of the row to its end. */
export function partsOf(rows: RowTable, row: number, duration: number): BarSegment[] {
  const from = rows.t[row]!;
  const end = endOf(rows, row, duration);
  if (isAsked(rows, row)) return askParts(rows, row, end);
  const ready = rows.ready[row]!;
  const wait = rows.wait[row]!;
  const run = rows.run[row]!;
  if (Number.isNaN(ready) && Number.isNaN(wait) && Number.isNaN(run)) return [{ is: 'whole', from, to: end }];
  const parts: BarSegment[] = [];
  let at = from;
  const upTo = (to: number, is: SegmentKind): void => {
    const stop = Math.min(to, end);
    if (!(stop > at)) return;
    parts.push({ is, from: at, to: stop });
    at = stop;
  };
  upTo(ready, 'args');
  upTo(wait, 'queued');
  upTo(Number.isNaN(wait) ? Number.NaN : rows.wait_end[row]!, 'waiting');
  upTo(run, 'queued');
  upTo(end, Number.isNaN(run) ? 'queued' : 'running');
  return parts.length > 0 ? parts : [{ is: Number.isNaN(run) ? 'queued' : 'running', from, to: end }];
}

/** All of an approval or a question is a wait, up to its answer. */
function askParts(rows: RowTable, row: number, end: number): BarSegment[] {
  const from = rows.t[row]!;
  const answered = rows.wait_end[row]!;
  if (!(answered < end) || isUnfinished(rows, row)) return [{ is: 'waiting', from, to: end }];
  return [
    { is: 'waiting', from, to: Math.max(from, answered) },
    { is: 'after', from: Math.max(from, answered), to: end },
  ];
}

/** Seconds of each kind of part; 0 if it has none. */
export function sumOf(parts: readonly BarSegment[], is: SegmentKind): number {
  let sum = 0;
  for (const part of parts) if (part.is === is) sum += part.to - part.from;
  return sum;
}
