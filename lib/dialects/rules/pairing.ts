/**
 * Requests and their answers, for every dialect that pairs them by an id: each request is answered once. A withdrawn
 * request may be answered or not. Where frames are missing, or one side was not recorded, neither side is blamed.
 */
import type { Stream } from '../../model/frame.ts';
import type { Id } from '../../model/id.ts';
import type { Ledger } from '../../model/ledger/ledger.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { isObject, toJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { JsonObject } from '../dialect.ts';
import {
  type CheckedSession,
  type DialectScope,
  defineRules,
  error,
  quoted,
  type RuleDefinition,
  type RuleHit,
  textOrJson,
  warning,
} from './rule.ts';
import { isAnswerDue, isClientClosingStdin, judgeAgentOmission, judgeClientOmission } from './session-end.ts';

export interface PairingChannel {
  /** The prefix of the rules' ids. */
  prefix: string;
  dialects: DialectScope;
  /** Where the rules are specified. */
  source: string;
  /** The id of the request that a line withdraws; its sender is the one who asked. */
  withdraws(value: JsonObject): unknown;
  /** Methods whose answer comes at the end of the session, if at all. */
  lasting?: readonly string[];
  /** Lines that need no answer. */
  ignores?(session: CheckedSession): (read: ReadFrame) => boolean;
}

/** Their sources are those of each channel. */
const RULES = {
  'unknown-answer': error.unknown('an answer has the id of a request that was sent', ''),
  'answer-id-type': error.unknown('an answer repeats the id of its request with the same JSON type', ''),
  'answered-twice': error.unknown('a request is answered once', ''),
  'id-in-use': error.unknown('an id is not reused while its request is open', ''),
  'unanswered-by-agent': error.agent('the agent answers every request of the client', ''),
  'unanswered-by-client': warning.client('the client answers every request of the agent', ''),
};

type PairingRule = keyof typeof RULES;

export function pairingRules(channel: PairingChannel): RuleDefinition[] {
  const { prefix, dialects, source } = channel;
  const heads = Object.entries(RULES).map(([name, head]) => [`${prefix}-${name}`, { ...head, source }]);
  return defineRules(dialects, Object.fromEntries(heads), (session) => new PairingRules(channel, session));
}

interface PendingRequest {
  f: number;
  asker: Stream;
  method: string;
  id: unknown;
}

class PairingRules {
  readonly #channel: PairingChannel;
  readonly #ignores: (read: ReadFrame) => boolean;
  readonly #open = new LimitedMap<string, PendingRequest>();
  readonly #withdrawn = new LimitedMap<string, true>();
  /** An id in a batch is beyond what JSON.parse reads exactly: from there on, ids cannot be compared. */
  #idsAreUnsafe = false;
  /** Open when the client closed its side: another rule reports that. */
  readonly #leftOpen = new WeakSet<PendingRequest>();

  constructor(channel: PairingChannel, session: CheckedSession) {
    this.#channel = channel;
    this.#ignores = channel.ignores?.(session) ?? (() => false);
  }

  take(read: ReadFrame): RuleHit<string>[] {
    const { frame, value, pairing, message, ledger } = read;
    const ignored = this.#ignores(read);
    if (isClientClosingStdin(read)) this.#rememberLeftOpen(ledger);
    if (typeof message.id === 'number' && Math.abs(message.id) > Number.MAX_SAFE_INTEGER) this.#idsAreUnsafe = true;
    if (frame.form === 'event' || !isObject(value) || ignored || this.#idsAreUnsafe) return [];
    const from = frame.from as Stream;
    const withdrawn = this.#channel.withdraws(value);
    if (withdrawn !== undefined) this.#withdraw(from, withdrawn);
    if (!pairing) return [];
    const { f } = frame;
    if (pairing.role === 'asks' || pairing.role === 'asks-again') return this.#addRequest(f, from, message.id, read);
    const asker = from === 'client' ? 'agent' : 'client';
    const requestKey = keyOf(asker, message.id);
    if (pairing.role === 'orphan') return this.#checkOrphan(read, from, asker);
    this.#open.delete(requestKey);
    if (pairing.role !== 'duplicate' || this.#withdrawn.has(requestKey) || ledger.process.hasHoles) return [];
    const { askedF, answerF, method } = pairing.exchange!;
    const frames = [askedF, ...(answerF === null ? [] : [answerF])];
    const text = `${textOrJson(method)} (id ${quoted(message.id)}, f${askedF}) was already answered in f${answerF}`;
    return [this.#makeHit('answered-twice', f, text, from, frames)];
  }

  end({ process }: Ledger): RuleHit<string>[] {
    if (this.#idsAreUnsafe) return [];
    const hits: RuleHit<string>[] = [];
    for (const [name, request] of this.#open.entries()) {
      if (this.#withdrawn.has(name) || this.#leftOpen.has(request)) continue;
      const { f, asker, method, id } = request;
      if (this.#channel.lasting?.includes(method)) continue;
      const { why, ...how } = asker === 'client' ? judgeAgentOmission(process) : judgeClientOmission(process);
      const rule = asker === 'client' ? 'unanswered-by-agent' : 'unanswered-by-client';
      const message = `the ${asker === 'client' ? 'agent' : 'client'} never answered ${textOrJson(method)} (id ${quoted(id)}), ${why}`;
      hits.push({ rule: `${this.#channel.prefix}-${rule}`, f, message, ...how });
    }
    return hits;
  }

  /** The sender's own request; if there is none, that of the other side, which some protocols let it withdraw. */
  #withdraw(from: Stream, id: unknown): void {
    const own = keyOf(from, id);
    this.#withdrawn.set(this.#open.has(own) ? own : keyOf(from === 'client' ? 'agent' : 'client', id), true);
    this.#withdrawn.set(own, true);
  }

  #addRequest(f: number, from: Stream, id: Id, { pairing, ledger }: ReadFrame): RuleHit<string>[] {
    const requestKey = keyOf(from, id);
    const before = this.#open.get(requestKey);
    const { method } = pairing!.exchange!;
    this.#open.set(requestKey, { f, asker: from, method, id });
    this.#withdrawn.delete(requestKey);
    if (!before || ledger.process.hasHoles) return [];
    const text = `${textOrJson(method)} reuses the id ${quoted(id)} of ${textOrJson(before.method)} (f${before.f}), which is still open`;
    return [this.#makeHit('id-in-use', f, text, from, [before.f])];
  }

  #checkOrphan(
    { frame: { f }, message: { id, envelope }, ledger }: ReadFrame,
    from: Stream,
    asker: Stream,
  ): RuleHit<string>[] {
    const { hasSentLine: spoke, hasHoles: isTorn } = ledger.process;
    // An error without an id says that a line could not be read: it answers nothing on purpose.
    if (isTorn || !(asker === 'client' ? spoke.client : spoke.agent) || (id === null && envelope === 'error'))
      return [];
    for (const [name, request] of this.#open.entries()) {
      if (request.asker !== asker || id === null || String(request.id) !== String(id)) continue;
      const text = `the answer to ${textOrJson(request.method)} (f${request.f}) has the id ${quoted(id)} instead of ${quoted(request.id)}`;
      // That the request has no answer is the same mistake.
      this.#open.delete(name);
      return [this.#makeHit('answer-id-type', f, text, from, [request.f])];
    }
    return [
      this.#makeHit(
        'unknown-answer',
        f,
        `an answer to ${quoted(id)}, but the ${asker} sent no request with this id`,
        from,
      ),
    ];
  }

  #makeHit(name: PairingRule, f: number, message: string, fault: Stream, frames: number[] = []): RuleHit<string> {
    return { rule: `${this.#channel.prefix}-${name}`, f, frames, message, fault: fault as 'client' | 'agent' };
  }

  #rememberLeftOpen(ledger: Ledger): void {
    for (const request of this.#open.values())
      if (request.asker === 'agent' && isAnswerDue(ledger, request.f)) this.#leftOpen.add(request);
  }
}

function keyOf(asker: Stream, id: unknown): string {
  return `${asker} ${toJson(id)}`;
}
