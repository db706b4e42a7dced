/** The client's answers to requests of the agent, live or replayed, and what is wrong with them. */
import type { Ask, AskKind } from '../../../model/ledger/records.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { Recent } from '../../../model/recent.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import type { Json } from '../../dialect.ts';
import { misfits } from '../../rules/misfits.ts';
import type { CheckedSession, Watcher } from '../../rules/rule.ts';
import { noteOf, Scene } from './scene.ts';
import { ANSWERS } from './shapes.ts';

export interface Answer {
  /** Null: it does not answer a live request. */
  ask: Ask | null;
  /** The replayed request that it answers. */
  replayed: Replayed | null;
  role: 'first' | 'again' | 'orphan';
  isError: boolean;
  /** What is wrong with its shape. */
  fault: string | null;
  result: Json;
}

/** The first answer to a request, in time or not. */
export interface First extends Pick<Answer, 'fault' | 'isError' | 'result'> {
  f: number;
  /** It was invalid, and another followed. */
  isRetried: boolean;
}

interface Replayed {
  f: number;
  type: string;
}

const REMEMBERED = 10_000;

const TYPES: Readonly<Record<AskKind, string>> = {
  ...{ approval: 'ApprovalRequest', question: 'QuestionRequest' },
  ...{ 'client-call': 'ToolCallRequest', hook: 'HookRequest' },
};

export class Questions implements Watcher {
  /** The request in this frame, if it is live and sent for the first time. */
  asked: Ask | null = null;
  /** The answer in this frame. */
  answer: Answer | null = null;
  /** This frame is an ApprovalResponse: to which request, if it is known, and whether it is the first. */
  resolved: { ask: Ask | null; isFirst: boolean } | null = null;
  readonly #first = new WeakMap<Ask, First>();
  /** By its frame and by its id. */
  readonly #replayed = new Recent<number | string, Replayed>(REMEMBERED);
  readonly #scene: Scene;

  constructor(session: CheckedSession) {
    this.#scene = session.share(Scene);
  }

  firstTo(ask: Ask): First | null {
    return this.#first.get(ask) ?? null;
  }

  /** As the agent called it. */
  typeOf({ kind }: Ask): string {
    return this.#scene.isLegacy && kind === 'approval' ? 'approval' : TYPES[kind];
  }

  take(read: ReadFrame): void {
    this.asked = null;
    this.answer = null;
    this.resolved = null;
    if (read.frame.from === 'client') return this.#answers(read);
    const { said } = this.#scene;
    if (said?.isRequest) this.#asks(read);
    else if (said?.type === 'ApprovalResponse' && !said.isReplayed)
      this.#resolves(read, stringOf(said.payload.request_id));
  }

  #asks({ frame: { f }, message, ledger }: ReadFrame): void {
    if (this.#scene.said!.isReplayed) {
      const replayed = { f, type: stringOf(objectOf(message.body).type) ?? '' };
      this.#replayed.set(f, replayed);
      if (typeof message.id === 'string') this.#replayed.set(message.id, replayed);
      return;
    }
    const ask = ledger.asks.at(f);
    if (ask?.f === f) this.asked = ask;
  }

  #answers({ frame, message, pairing, value, ledger }: ReadFrame): void {
    const { envelope, body } = message;
    if (envelope !== 'response' && envelope !== 'error') return;
    const askedF = pairing?.exchange?.askedF;
    const ask = askedF === undefined ? null : ledger.asks.at(askedF);
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
    const [first] = misfits(result, ANSWERS[type]!, 'result');
    return first ? `${first.path} ${first.what}` : null;
  }

  #resolves(read: ReadFrame, request: string | null): void {
    const ask = noteOf(read, 'approval-resolved')?.ask ?? null;
    // What was asked in the replayed part of the session may be resolved in this one.
    if (!ask && request !== null && this.#replayed.has(request)) return;
    this.resolved = { ask, isFirst: ask?.resolved?.f === read.frame.f };
  }
}

const faultOfError = (line: unknown): string | null =>
  Object.hasOwn(objectOf(line), 'result') ? 'it has both a result and an error' : null;

/** What the two sides declared in their handshakes. */
export class Hello implements Watcher {
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
