/**
 * Counts what a row of `ls` needs besides the sums of the timeline: frames, bytes, gaps, conversations, how much was
 * understood, and how the session ended.
 */
import { bytesOf, type Frame } from '../model/frame.ts';
import type { ReadFrame } from '../model/read-frame.ts';
import { Understanding } from './understanding.ts';

export class SessionTally {
  frames = 0;
  bytes = 0;
  gaps = 0;
  duration: number | null = null;
  /** The event that ended the session. */
  ending: Frame | null = null;
  /** The ids of the conversations that the agent names. */
  readonly conversations = new Set<string>();
  readonly understanding = new Understanding();
  #handshakes = 0;
  #answers = 0;
  #hasOtherLines = false;

  take(read: ReadFrame): void {
    const { frame } = read;
    this.frames = frame.f;
    this.duration = frame.t;
    if (read.conversation !== null && this.conversations.size < MAX_CONVERSATIONS)
      this.conversations.add(read.conversation);
    if (frame.form !== 'event') {
      this.bytes += bytesOf(frame);
      this.understanding.take(read);
      this.#countHandshake(read);
    } else if (frame.event === 'gap') {
      this.gaps++;
    } else if (ENDING_EVENTS.has(frame.event!)) {
      this.ending = frame;
    }
  }

  /** An editor started the agent only to see what it can do: it sent a handshake, got the answer, and left. */
  get probe(): boolean {
    return this.#handshakes > 0 && this.#answers > 0 && !this.#hasOtherLines && this.ending !== null;
  }

  #countHandshake({ frame, message, events }: ReadFrame): void {
    if (this.#hasOtherLines) return;
    const shakes = events[0]?.kind === 'handshake';
    if (frame.from === 'agent' && shakes && message.envelope === 'response') this.#answers++;
    if (frame.from !== 'client') return;
    if (shakes) this.#handshakes++;
    else this.#hasOtherLines = true;
  }
}

const MAX_CONVERSATIONS = 100;
const ENDING_EVENTS = new Set(['exit', 'spawn-failed', 'lost']);
