/** The live conversation, read by the same dialect as the tape: what a live line asks, answers and decides. */

import { dialectNamed } from '../dialects/index.ts';
import type { Frame } from '../model/frame.ts';
import { NO_DETAIL } from '../model/frame.ts';
import { LimitedMap } from '../model/limited-map.ts';
import type { DecodedFrame } from '../model/read-frame.ts';
import { SessionReader } from '../session/reader.ts';
import type { AgentStep, ReplaySide } from './script-step.ts';

const MAX_REMEMBERED_REQUESTS = 10_000;

export class LiveReader {
  readonly #reader: SessionReader;
  #f = 0;
  /** Requests of the agent that were sent, by their live frame. A client may leave any number of them open. */
  readonly #openRequests = new LimitedMap<number, AgentStep>(MAX_REMEMBERED_REQUESTS);

  constructor(dialect: string, command: readonly string[]) {
    this.#reader = new SessionReader(dialectNamed(dialect)!, { command });
  }

  readClientLine(text: string): DecodedFrame {
    return this.#reader.read(this.#frame('client', text));
  }

  /** Only requests and answers matter for how the client's next lines are read. */
  readAgentLine(text: string, agentStep: AgentStep | null): void {
    const frame = this.#frame('agent', text);
    const { pairing } = this.#reader.read(frame);
    if (agentStep?.asks && pairing?.role === 'asks') this.#openRequests.set(frame.f, agentStep);
  }

  /** The recorded request that a live line answers; null if it answers none. */
  requestAnsweredBy({ pairing }: DecodedFrame): AgentStep | null {
    const f = pairing?.role === 'answers' || pairing?.role === 'duplicate' ? pairing.exchange!.askedF : null;
    return f === null ? null : (this.#openRequests.get(f) ?? null);
  }

  forget({ pairing }: DecodedFrame): void {
    if (pairing?.exchange) this.#openRequests.delete(pairing.exchange.askedF);
  }

  #frame(from: ReplaySide, text: string): Frame {
    const f = ++this.#f;
    const raw = new Uint8Array();
    return { f, t: 0, t0: null, from, form: 'text', raw, text, eol: '\n', event: null, detail: NO_DETAIL };
  }
}
