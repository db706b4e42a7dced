/** The last lines that the agent wrote to stderr, and the last one that reports a failure. */
import { maskAndShorten } from '../../model/text/mask.ts';
import type { SessionWatch } from './session-watch.ts';

const MAX_TAIL_LINES = 5;
const MAX_LINE_CHARS = 300;
const FAILURE = /\b\w*(?:Error|Exception)\b|\b(?:error|fatal|panic|cannot|failed)\b/i;

export class StderrTail {
  readonly tail: string[] = [];
  complaint: string | null = null;

  take(text: string): void {
    const line = maskAndShorten(text, MAX_LINE_CHARS, '');
    if (line.trim() === '') return;
    this.tail.push(line);
    if (this.tail.length > MAX_TAIL_LINES) this.tail.shift();
    if (FAILURE.test(line)) this.complaint = line.trim();
  }
}

/** What the agent last complained about, if it failed by itself. */
export function stderrHint({ process: { ending, signal }, lines: { stderr } }: SessionWatch): string | null {
  return ending!.code !== 0 && !signal && stderr.complaint !== null ? `on stderr: ${stderr.complaint}` : null;
}
