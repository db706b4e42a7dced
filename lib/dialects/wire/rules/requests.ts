/** The client's requests that have no answer yet, as far as the agent can answer them at all. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import { LimitedMap } from '../../../model/limited-map.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf } from '../../common/fields.ts';
import type { CheckedSession, SharedObserver } from '../../rules/rule.ts';
import { WireSessionState } from './session-state.ts';

export interface OpenWireRequest {
  f: number;
  id: string;
  method: string;
  hasParams: boolean;
  /** Cancelled while the agent had asked its client something: old agents forget the prompt then. */
  isForgotten: boolean;
}

const REQUEST_KEYS = new Set(['jsonrpc', 'id', 'method', 'params']);

export class OpenWireRequests implements SharedObserver {
  readonly open = new LimitedMap<number, OpenWireRequest>();
  /** The latest request that was answered. */
  answered = 0;
  /** The open request whose id the request in this frame reuses. */
  reused: OpenWireRequest | null = null;
  /** Ids on lines that are not messages: old agents treat some of those as a cancel. */
  readonly oddIds = new Set<unknown>();
  readonly #state: WireSessionState;

  constructor(session: CheckedSession) {
    this.#state = session.share(WireSessionState);
  }

  take({ frame, message, pairing, value, ledger }: ReadFrame): void {
    this.reused = null;
    if (frame.from === 'agent' && pairing?.role === 'answers') {
      const { askedF } = pairing.exchange!;
      this.open.delete(askedF);
      this.answered = Math.max(this.answered, askedF);
    }
    if (frame.from !== 'client') return;
    const line = objectOf(value);
    if (message.envelope === 'none' && this.oddIds.size < 1000) this.oddIds.add(line.id);
    if (message.envelope === 'request' && this.#isReadable(line)) {
      const id = message.id as string;
      for (const one of this.open.values()) if (one.id === id) this.reused = one;
      const hasParams = Object.hasOwn(line, 'params');
      if (pairing?.role === 'asks')
        this.open.set(frame.f, { f: frame.f, id, method: message.method!, hasParams, isForgotten: false });
    }
    if (message.method === 'cancel') this.#forget(ledger);
  }

  /** Anything else is refused without an id, or, until 0.78, ignored. */
  #isReadable(line: Record<string, unknown>): boolean {
    const { isLegacy, release } = this.#state;
    const { jsonrpc, id } = line;
    if (typeof id !== 'string' || (jsonrpc !== '2.0' && (isLegacy || jsonrpc !== undefined))) return false;
    return release >= 79 || Object.keys(line).every((key) => REQUEST_KEYS.has(key));
  }

  #forget({ turns, asks }: Ledger): void {
    const turn = turns.current?.turn;
    const prompt = turn && this.open.get(turn.prompt_f);
    if (prompt && asks.openIn(turn).some(({ first }) => !first)) prompt.isForgotten = true;
  }
}
