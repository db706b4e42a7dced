/** What one pass over a tape tells about its session, frame by frame. What only a dialect knows is not counted here. */
import type { Frame, Seal } from '../core/frame.ts';
import type { Message } from '../core/message.ts';

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

  frame(frame: Frame, message: Message): void {
    this.frames = frame.f;
    this.duration = frame.t;
    this.seal = null;
    this.ending = null;
    if (frame.form !== 'event') {
      this.bytes += frame.raw.length + frame.eol.length;
      this.#watchHandshake(frame, message);
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

  #watchHandshake(frame: Frame, message: Message): void {
    if (this.#more) return;
    if (frame.from === 'agent' && isAnswer(message)) this.#answers++;
    if (frame.from !== 'client') return;
    if (isHandshake(message)) this.#handshakes++;
    else this.#more = true;
  }
}

const ENDINGS = new Set(['exit', 'spawn-failed', 'lost']);
const HANDSHAKES = new Set(['initialize', 'initialized', 'notifications/initialized']);

function isHandshake({ method, type, body }: Message): boolean {
  if (method !== null) return HANDSHAKES.has(method);
  const { request } = (body ?? {}) as { request?: { subtype?: unknown } };
  return type === 'control_request' && request?.subtype === 'initialize';
}

function isAnswer({ envelope, type }: Message): boolean {
  return envelope === 'response' || type === 'control_response';
}
