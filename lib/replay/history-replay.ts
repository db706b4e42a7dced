/** The history of the run so far, sent again because the client asked for it. Live ids stay as they were. */

import type { JsonObject } from '../dialects/dialect.ts';
import type { HistoryResend } from '../dialects/traits.ts';
import { exactJson } from '../model/id.ts';
import { isObject, textIn } from '../model/message.ts';
import type { ReadFrame } from '../model/read-frame.ts';
import { Pass } from '../session/pass.ts';
import type { Session } from '../session/session.ts';
import type { Ids } from './ids.ts';

export class HistoryReplay {
  readonly #resend: HistoryResend;
  readonly #request: JsonObject;
  readonly #until: number;
  readonly #ids: Ids;
  readonly #pass: Pass;
  readonly #frames: Iterator<ReadFrame>;
  readonly #counts = { event: 0, request: 0 };
  #isCancelled = false;

  /** `until`: the latest recorded frame that was sent. */
  constructor(session: Session, resend: HistoryResend, request: JsonObject, until: number, ids: Ids) {
    this.#resend = resend;
    this.#request = request;
    this.#until = until;
    this.#ids = ids;
    this.#pass = new Pass(session);
    this.#frames = this.#pass[Symbol.iterator]();
  }

  cancel(): true {
    this.#isCancelled = true;
    return true;
  }

  /** The next line; null at the end. */
  next(): string | null {
    while (!this.#isCancelled) {
      const { done, value: read } = this.#frames.next();
      if (done || read.frame.f > this.#until) break;
      const line = this.#lineOf(read);
      if (line !== null) return line;
    }
    this.#pass.close();
    return null;
  }

  answer(): string {
    return exactJson(this.#resend.answer(this.#request, this.#counts, this.#isCancelled));
  }

  #lineOf({ frame, value, events }: ReadFrame): string | null {
    const text = frame.from === 'agent' && frame.event === null && isObject(value) ? textIn(frame) : null;
    if (text === null || events.some(({ flags }) => flags?.includes('replayed'))) return null;
    const part = this.#resend.partOf(value as JsonObject);
    if (part === null) return null;
    this.#counts[part]++;
    return this.#ids.toLive(text, value, { from: 'agent', isAnswer: false });
  }
}
