/** What one pass over a tape tells about its session, frame by frame, besides what its dialect knows. */
import { type Frame, type Seal, sizeOf } from '../core/frame.ts';
import type { Reading } from '../dialects/session.ts';

export class Tally {
  frames = 0;
  bytes = 0;
  gaps = 0;
  duration: number | null = null;
  /** The event that ended the session, if it was the last frame. */
  ending: Frame | null = null;
  /** The last seal, if nothing came after it. */
  seal: Seal | null = null;
  #handshakes = 0;
  #answers = 0;
  #more = false;

  frame(reading: Reading): void {
    const { frame } = reading;
    this.frames = frame.f;
    this.duration = frame.t;
    this.seal = null;
    this.ending = null;
    if (frame.form !== 'event') {
      this.bytes += sizeOf(frame) + frame.eol.length;
      this.#watchHandshake(reading);
    } else if (frame.event === 'gap') {
      this.gaps++;
    } else if (ENDINGS.has(frame.event!)) {
      this.ending = frame;
    }
  }

  /** An editor that starts an agent only to see what it can do: it shakes hands, gets its answer, and leaves. */
  get probe(): boolean {
    return this.#handshakes > 0 && this.#answers > 0 && !this.#more && this.ending !== null;
  }

  #watchHandshake({ frame, message, events }: Reading): void {
    if (this.#more) return;
    const shakes = events[0]?.kind === 'handshake';
    if (frame.from === 'agent' && shakes && message.envelope === 'response') this.#answers++;
    if (frame.from !== 'client') return;
    if (shakes) this.#handshakes++;
    else this.#more = true;
  }
}

const ENDINGS = new Set(['exit', 'spawn-failed', 'lost']);
