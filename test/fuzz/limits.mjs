/** What no input may cost. */
import { readFileSync } from 'node:fs';

export const MOST_MEMORY = 512 * 2 ** 20;
/** Of a processor. */
export const MOST_SECONDS = 10;
/** Of the clock: a process that waits has none of the processor. */
export const PATIENCE_SECONDS = 120;

/** NaN: it has ended, or the system does not tell. */
export function cpuSecondsOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}
