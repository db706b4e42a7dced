/** The live conversation, read by the same dialect as the tape: what a live line asks, answers and decides. */

import { dialectNamed } from '../dialects/index.ts';
import type { Frame } from '../model/frame.ts';
import { NO_DETAIL } from '../model/frame.ts';
import type { Decoded } from '../model/read-frame.ts';
import { Recent } from '../model/recent.ts';
import { SessionReader } from '../session/reader.ts';
import type { Say, Side } from './steps.ts';

const REMEMBERED = 10_000;

export class LiveLines {
  readonly #reader: SessionReader;
  #f = 0;
  /** Requests of the agent that were sent, by their live frame. A client may leave any number of them open. */
  readonly #asked = new Recent<number, Say>(REMEMBERED);

  constructor(dialect: string, command: readonly string[]) {
    this.#reader = new SessionReader(dialectNamed(dialect)!, { command });
  }

  heard(text: string): Decoded {
    return this.#reader.read(this.#frame('client', text));
  }

  /** Only requests and answers matter for how the client's next lines are read. */
  said(text: string, say: Say | null): void {
    const frame = this.#frame('agent', text);
    const { pairing } = this.#reader.read(frame);
    if (say?.asks && pairing?.role === 'asks') this.#asked.set(frame.f, say);
  }

  /** The recorded request that a live line answers; null if it answers none. */
  askedBy({ pairing }: Decoded): Say | null {
    const f = pairing?.role === 'answers' || pairing?.role === 'duplicate' ? pairing.exchange!.askedF : null;
    return f === null ? null : (this.#asked.get(f) ?? null);
  }

  forget({ pairing }: Decoded): void {
    if (pairing?.exchange) this.#asked.delete(pairing.exchange.askedF);
  }

  #frame(from: Side, text: string): Frame {
    const f = ++this.#f;
    const raw = new Uint8Array();
    return { f, t: 0, t0: null, from, form: 'text', raw, text, eol: '\n', event: null, detail: NO_DETAIL };
  }
}
