/** The client's answers to requests of the agent, live or replayed, and what is wrong with them. */
import type { Ask, AskKind } from '../../../model/ledger/records.ts';
import { LimitedMap } from '../../../model/limited-map.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import type { CheckedSession, SharedObserver } from '../../rules/rule.ts';
import { findMismatches } from '../../rules/shape-mismatches.ts';
import { noteOf, WireSessionState } from './session-state.ts';
import { ANSWERS } from './shapes.ts';

export interface JudgedAnswer {
  /** Null: it does not answer a live request. */
  ask: Ask | null;
  /** The replayed request that it answers. */
  replayed: ReplayedRequest | null;
  role: 'first' | 'again' | 'orphan';
  isError: boolean;
  /** What is wrong with its shape. */
  fault: string | null;
  result: JsonObject;
}

/** The first answer to a request, in time or not. */
export interface FirstAnswer extends Pick<JudgedAnswer, 'fault' | 'isError' | 'result'> {
  f: number;
  /** It was invalid, and another followed. */
  isRetried: boolean;
}

interface ReplayedRequest {
  f: number;
  type: string;
}

const MAX_REPLAYED = 10_000;

const REQUEST_TYPES: Readonly<Record<AskKind, string>> = {
  ...{ approval: 'ApprovalRequest', question: 'QuestionRequest' },
  ...{ 'client-call': 'ToolCallRequest', hook: 'HookRequest' },
};

export class AskTracker implements SharedObserver {
  /** The request in this frame, if it is live and sent for the first time. */
  newAsk: Ask | null = null;
  /** The answer in this frame. */
  answer: JudgedAnswer | null = null;
  /** This frame is an ApprovalResponse: to which request, if it is known, and whether it is the first. */
  resolved: { ask: Ask | null; isFirst: boolean } | null = null;
  readonly #first = new WeakMap<Ask, FirstAnswer>();
  /** By its frame and by its id. */
  readonly #replayed = new LimitedMap<number | string, ReplayedRequest>(MAX_REPLAYED);
  readonly #state: WireSessionState;

  constructor(session: CheckedSession) {
    this.#state = session.share(WireSessionState);
  }

  firstTo(ask: Ask): FirstAnswer | null {
    return this.#first.get(ask) ?? null;
  }

  /** As the agent called it. */
  typeOf({ kind }: Ask): string {
    return this.#state.isLegacy && kind === 'approval' ? 'approval' : REQUEST_TYPES[kind];
  }

  take(read: ReadFrame): void {
    this.newAsk = null;
    this.answer = null;
    this.resolved = null;
    if (read.frame.from === 'client') return this.#takeAnswer(read);
    const { agentMessage } = this.#state;
    if (agentMessage?.isRequest) this.#addRequest(read);
    else if (agentMessage?.type === 'ApprovalResponse' && !agentMessage.isReplayed)
      this.#takeResolution(read, stringOf(agentMessage.payload.request_id));
  }

  #addRequest({ frame: { f }, message, ledger }: ReadFrame): void {
    if (this.#state.agentMessage!.isReplayed) {
      const replayed = { f, type: stringOf(objectOf(message.body).type) ?? '' };
      this.#replayed.set(f, replayed);
      if (typeof message.id === 'string') this.#replayed.set(message.id, replayed);
      return;
    }
    const ask = ledger.asks.findByFrame(f);
    if (ask?.f === f) this.newAsk = ask;
  }

  #takeAnswer({ frame, message, pairing, value, ledger }: ReadFrame): void {
    const { envelope, body } = message;
    if (envelope !== 'response' && envelope !== 'error') return;
    const askedF = pairing?.exchange?.askedF;
    const ask = askedF === undefined ? null : ledger.asks.findByFrame(askedF);
    const replayed = askedF === undefined ? null : (this.#replayed.get(askedF) ?? null);
    const first = ask && this.firstTo(ask);
    const isError = envelope === 'error';
    const fault = isError ? faultOfError(value) : this.#faultOf(ask ? this.typeOf(ask) : replayed?.type, body);
    const isAgain = pairing?.role === 'duplicate' || first !== null;
    const role = askedF === undefined ? 'orphan' : isAgain ? 'again' : 'first';
    const result = objectOf(isError ? null : body);
    this.answer = { ask, replayed, role, isError, fault, result };
    if (first?.fault && isAgain) first.isRetried = true;
    if (ask && !first) this.#first.set(ask, { f: frame.f, fault, isError, result, isRetried: false });
  }

  #faultOf(type: string | undefined, result: unknown): string | null {
    if (type === undefined || !Object.hasOwn(ANSWERS, type)) return null;
    const [first] = findMismatches(result, ANSWERS[type]!, 'result');
    return first ? `${first.path} ${first.what}` : null;
  }

  #takeResolution(read: ReadFrame, request: string | null): void {
    const ask = noteOf(read, 'approval-resolved')?.ask ?? null;
    // What was asked in the replayed part of the session may be resolved in this one.
    if (!ask && request !== null && this.#replayed.has(request)) return;
    this.resolved = { ask, isFirst: ask?.resolved?.f === read.frame.f };
  }
}

const faultOfError = (line: unknown): string | null =>
  Object.hasOwn(objectOf(line), 'result') ? 'it has both a result and an error' : null;

/** What the two sides declared in their handshakes. */
export class WireHandshake implements SharedObserver {
  supportsQuestion = false;
  /** Names of external tools. */
  readonly accepted = new Set<unknown>();
  /** Events of hooks, by the id of the subscription. */
  readonly hooks = new Map<unknown, unknown>();
  /** The hook events that the agent supports, if this frame lists them. */
  hookEvents: unknown[] | null = null;

  take({ frame, message, pairing }: ReadFrame): void {
    this.hookEvents = null;
    const body = objectOf(message.body);
    if (frame.from === 'client' && message.method === 'initialize') {
      this.supportsQuestion ||= objectOf(body.capabilities).supports_question === true;
      for (const hook of listOf(body.hooks).map(objectOf)) this.hooks.set(hook.id, hook.event);
    }
    if (frame.from !== 'agent' || pairing?.role !== 'answers' || pairing.exchange!.method !== 'initialize') return;
    for (const name of listOf(objectOf(body.external_tools).accepted)) this.accepted.add(name);
    const { supported_events: events } = objectOf(body.hooks);
    if (Array.isArray(events)) this.hookEvents = events;
  }
}
