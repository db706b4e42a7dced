/** The last lines that the agent wrote to stderr, and the last one that reports a failure. */
import { shortened } from '../../model/text/mask.ts';
import type { Watch } from './watch.ts';

const TAIL = 5;
const LONGEST = 300;
const FAILURE = /\b\w*(?:Error|Exception)\b|\b(?:error|fatal|panic|cannot|failed)\b/i;

export class Stderr {
  readonly tail: string[] = [];
  complaint: string | null = null;

  take(text: string): void {
    const line = shortened(text, LONGEST, '');
    if (line.trim() === '') return;
    this.tail.push(line);
    if (this.tail.length > TAIL) this.tail.shift();
    if (FAILURE.test(line)) this.complaint = line.trim();
  }
}

/** What the agent last complained about, if it failed by itself. */
export function complaintOf({ process: { ending, signal }, lines: { stderr } }: Watch): string | null {
  return ending!.code !== 0 && !signal && stderr.complaint !== null ? `on stderr: ${stderr.complaint}` : null;
}
