/** The live conversation, read by the dialect of the tape: every line that goes or comes, with its turns and requests. */

import { dialectNamed } from '../../dialects/index.ts';
import { type Frame, type From, NO_DETAIL } from '../../model/frame.ts';
import { textOf } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { FrameReader } from '../../session/frame-reader.ts';
import type { StreamMessage } from '../message-reader.ts';
import { ConversationProgress, type FrameProgress } from './conversation-progress.ts';

export interface LiveMessage extends FrameProgress {
  read: ReadFrame;
}

const NO_BYTES = new Uint8Array();

export class LiveConversation {
  readonly progress = new ConversationProgress();
  readonly #reader: FrameReader;
  readonly #startedAt = performance.now();
  #f = 0;

  constructor(dialect: string, command: readonly string[]) {
    this.#reader = new FrameReader(dialectNamed(dialect)!, { command }, false);
  }

  /** So many requests were open that answers to some of them are not recognised. */
  get hasForgotten(): boolean {
    return this.#reader.hasForgotten;
  }

  /** Seconds since the beginning. */
  get now(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  message(from: 'client' | 'agent', { raw, eol, head }: StreamMessage): LiveMessage {
    const f = ++this.#f;
    const text = textOf(raw);
    // One literal: there may be a million lines.
    const t = this.now;
    return this.#take({ f, t, t0: null, from, form: 'text', head, raw, text, eol, event: null, detail: NO_DETAIL });
  }

  /** A line that is too long to be read. */
  longLine({ form, raw, cut, text, eol }: Frame): LiveMessage {
    const f = ++this.#f;
    const frame: Frame = { f, t: this.now, t0: null, from: 'client', form, raw, eol, event: null, detail: NO_DETAIL };
    return this.#take({ ...frame, ...(cut ? { cut } : {}), ...(text === undefined ? {} : { text }) });
  }

  event(from: From, event: string, detail: Frame['detail'] = NO_DETAIL): LiveMessage {
    const f = ++this.#f;
    return this.#take({ f, t: this.now, t0: null, from, form: 'event', raw: NO_BYTES, eol: '\n', event, detail });
  }

  #take(frame: Frame): LiveMessage {
    const read = this.#reader.read(frame);
    return { read, ...this.progress.take(read) };
  }
}
