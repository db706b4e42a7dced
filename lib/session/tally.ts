/**
 * Counts what a row of `ls` needs besides the sums of the timeline: frames, bytes, gaps, conversations, how much was
 * understood, and how the session ended.
 */
import { bytesOf, type Frame } from '../model/frame.ts';
import type { ReadFrame } from '../model/read-frame.ts';
import { Understanding } from './understanding.ts';

export class Tally {
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
  #more = false;

  take(read: ReadFrame): void {
    const { frame } = read;
    this.frames = frame.f;
    this.duration = frame.t;
    if (read.conversation !== null && this.conversations.size < MOST_CONVERSATIONS)
      this.conversations.add(read.conversation);
    if (frame.form !== 'event') {
      this.bytes += bytesOf(frame);
      this.understanding.take(read);
      this.#watchHandshake(read);
    } else if (frame.event === 'gap') {
      this.gaps++;
    } else if (ENDINGS.has(frame.event!)) {
      this.ending = frame;
    }
  }

  /** An editor started the agent only to see what it can do: it sent a handshake, got the answer, and left. */
  get probe(): boolean {
    return this.#handshakes > 0 && this.#answers > 0 && !this.#more && this.ending !== null;
  }

  #watchHandshake({ frame, message, events }: ReadFrame): void {
    if (this.#more) return;
    const shakes = events[0]?.kind === 'handshake';
    if (frame.from === 'agent' && shakes && message.envelope === 'response') this.#answers++;
    if (frame.from !== 'client') return;
    if (shakes) this.#handshakes++;
    else this.#more = true;
  }
}

const MOST_CONVERSATIONS = 100;
const ENDINGS = new Set(['exit', 'spawn-failed', 'lost']);
