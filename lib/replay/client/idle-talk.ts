/**
 * An agent that writes without progress hangs just like one that is silent: it sends far more than the recorded
 * agent ever sent, or only background messages such as logs.
 */
import { humanBytes, humanSeconds } from '../../model/text/text.ts';

/** An agent may take other steps than the recorded one, so it may send this many times as much, and this much more. */
const MAX_TIMES_RECORDED = 10;
const EXTRA_LINES = 10_000;
const EXTRA_BYTES = 100 << 20;
/** For this many times the limit of silence, only background messages may come. */
const BACKGROUND_LIMIT_TIMES = 10;

export class IdleTalk {
  readonly #timeout: number;
  #lines = 0;
  #bytes = 0;
  /** When the conversation last made progress, and when the agent last sent something other than background messages. */
  #since = 0;
  #lastPointAt = 0;

  /** Seconds of silence after which the agent counts as hanging. */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** The agent has answered, or something was sent to it that it had come far enough for. */
  progressed(now: number): void {
    this.#lines = 0;
    this.#bytes = 0;
    this.#since = now;
    this.#lastPointAt = now;
  }

  addLine(bytes: number, isPoint: boolean, now: number): void {
    this.#lines++;
    this.#bytes += bytes;
    if (isPoint) this.#lastPointAt = now;
  }

  /** Why the agent counts as hanging; null if it does not. `recorded`: everything that the recorded agent sent. */
  hangReason(now: number, recorded: { lines: number; bytes: number }): string | null {
    const waited = now - this.#since;
    if (waited < this.#timeout) return null;
    const isFlood =
      this.#lines > MAX_TIMES_RECORDED * recorded.lines + EXTRA_LINES ||
      this.#bytes > MAX_TIMES_RECORDED * recorded.bytes + EXTRA_BYTES;
    if (isFlood)
      return `the agent made no progress in ${this.#lines} lines (${humanBytes(this.#bytes)}) and ${humanSeconds(waited)}`;
    const backgroundOnly = now - this.#lastPointAt;
    if (this.#lines === 0 || backgroundOnly < BACKGROUND_LIMIT_TIMES * this.#timeout) return null;
    return `the agent sent nothing but logs and status for ${humanSeconds(backgroundOnly)}`;
  }
}
