/**
 * Requests and their answers, for every dialect that pairs them by an id: each request is answered once. A withdrawn
 * request may be answered or not. Where frames are missing, or one side was not recorded, neither side is blamed.
 */
import type { Stream } from '../../model/frame.ts';
import type { Id } from '../../model/id.ts';
import type { Ledger } from '../../model/ledger/ledger.ts';
import { isObject, toJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Recent } from '../../model/recent.ts';
import type { Json } from '../dialect.ts';
import { isAwaited, isClientLeaving, owedByAgent, owedByClient } from './ending.ts';
import {
  type CheckedSession,
  error,
  quoted,
  type RuleDefinition,
  type Scope,
  type Told,
  warning,
  watch,
  word,
} from './rule.ts';

export interface Channel {
  /** The prefix of the rules' ids. */
  prefix: string;
  dialects: Scope;
  /** Where the rules are specified. */
  source: string;
  /** The id of the request that a line withdraws; its sender is the one who asked. */
  withdraws(value: Json): unknown;
  /** Methods whose answer comes at the end of the session, if at all. */
  lasting?: readonly string[];
  /** Lines that need no answer. */
  ignores?(session: CheckedSession): (read: ReadFrame) => boolean;
}

/** Their sources are those of each channel. */
const HEADS = {
  'unknown-answer': error.unknown('an answer has the id of a request that was sent', ''),
  'answer-id-type': error.unknown('an answer repeats the id of its request with the same JSON type', ''),
  'answered-twice': error.unknown('a request is answered once', ''),
  'id-in-use': error.unknown('an id is not reused while its request is open', ''),
  'unanswered-by-agent': error.agent('the agent answers every request of the client', ''),
  'unanswered-by-client': warning.client('the client answers every request of the agent', ''),
};

type Name = keyof typeof HEADS;

export function pairingRules(channel: Channel): RuleDefinition[] {
  const { prefix, dialects, source } = channel;
  const heads = Object.entries(HEADS).map(([name, head]) => [`${prefix}-${name}`, { ...head, source }]);
  return watch(dialects, Object.fromEntries(heads), (session) => new Pairing(channel, session));
}

interface Asked {
  f: number;
  asker: Stream;
  method: string;
  id: unknown;
}

class Pairing {
  readonly #channel: Channel;
  readonly #ignores: (read: ReadFrame) => boolean;
  readonly #open = new Recent<string, Asked>();
  readonly #withdrawn = new Recent<string, true>();
  /** An id in a batch is beyond what JSON.parse reads exactly: from there on, ids cannot be compared. */
  #isUnsure = false;
  /** Open when the client closed its side: another rule reports that. */
  readonly #leftOpen = new WeakSet<Asked>();

  constructor(channel: Channel, session: CheckedSession) {
    this.#channel = channel;
    this.#ignores = channel.ignores?.(session) ?? (() => false);
  }

  take(read: ReadFrame): Told<string>[] {
    const { frame, value, pairing, message, ledger } = read;
    const ignored = this.#ignores(read);
    if (isClientLeaving(read)) this.#clientLeaves(ledger);
    if (typeof message.id === 'number' && Math.abs(message.id) > Number.MAX_SAFE_INTEGER) this.#isUnsure = true;
    if (frame.form === 'event' || !isObject(value) || ignored || this.#isUnsure) return [];
    const from = frame.from as Stream;
    const withdrawn = this.#channel.withdraws(value);
    if (withdrawn !== undefined) this.#withdraw(from, withdrawn);
    if (!pairing) return [];
    const { f } = frame;
    if (pairing.role === 'asks' || pairing.role === 'asks-again') return this.#asks(f, from, message.id, read);
    const asker = from === 'client' ? 'agent' : 'client';
    const asked = key(asker, message.id);
    if (pairing.role === 'orphan') return this.#orphan(read, from, asker);
    this.#open.delete(asked);
    if (pairing.role !== 'duplicate' || this.#withdrawn.has(asked) || ledger.process.isTorn) return [];
    const { askedF, answerF, method } = pairing.exchange!;
    const frames = [askedF, ...(answerF === null ? [] : [answerF])];
    const text = `${word(method)} ${quoted(message.id)} (f${askedF}) was already answered in f${answerF}`;
    return [this.#tell('answered-twice', f, text, from, frames)];
  }

  end({ process }: Ledger): Told<string>[] {
    if (this.#isUnsure) return [];
    const told: Told<string>[] = [];
    for (const [name, asked] of this.#open.entries()) {
      if (this.#withdrawn.has(name) || this.#leftOpen.has(asked)) continue;
      const { f, asker, method, id } = asked;
      if (this.#channel.lasting?.includes(method)) continue;
      const { why, ...how } = asker === 'client' ? owedByAgent(process) : owedByClient(process);
      const rule = asker === 'client' ? 'unanswered-by-agent' : 'unanswered-by-client';
      const message = `the ${asker === 'client' ? 'agent' : 'client'} never answered ${word(method)} ${quoted(id)}, ${why}`;
      told.push({ rule: `${this.#channel.prefix}-${rule}`, f, message, ...how });
    }
    return told;
  }

  /** The sender's own request; if there is none, that of the other side, which some protocols let it withdraw. */
  #withdraw(from: Stream, id: unknown): void {
    const own = key(from, id);
    this.#withdrawn.set(this.#open.has(own) ? own : key(from === 'client' ? 'agent' : 'client', id), true);
    this.#withdrawn.set(own, true);
  }

  #asks(f: number, from: Stream, id: Id, { pairing, ledger }: ReadFrame): Told<string>[] {
    const asked = key(from, id);
    const before = this.#open.get(asked);
    const { method } = pairing!.exchange!;
    this.#open.set(asked, { f, asker: from, method, id });
    this.#withdrawn.delete(asked);
    if (!before || ledger.process.isTorn) return [];
    const text = `${word(method)} reuses the id ${quoted(id)} of ${word(before.method)} (f${before.f}), which is still open`;
    return [this.#tell('id-in-use', f, text, from, [before.f])];
  }

  #orphan({ frame: { f }, message: { id, envelope }, ledger }: ReadFrame, from: Stream, asker: Stream): Told<string>[] {
    const { spoke, isTorn } = ledger.process;
    // An error without an id says that a line could not be read: it answers nothing on purpose.
    if (isTorn || !(asker === 'client' ? spoke.client : spoke.agent) || (id === null && envelope === 'error'))
      return [];
    for (const [name, asked] of this.#open.entries()) {
      if (asked.asker !== asker || id === null || String(asked.id) !== String(id)) continue;
      const text = `the answer to ${word(asked.method)} (f${asked.f}) has the id ${quoted(id)} instead of ${quoted(asked.id)}`;
      // That the request has no answer is the same mistake.
      this.#open.delete(name);
      return [this.#tell('answer-id-type', f, text, from, [asked.f])];
    }
    return [
      this.#tell(
        'unknown-answer',
        f,
        `an answer to ${quoted(id)}, but the ${asker} sent no request with this id`,
        from,
      ),
    ];
  }

  #tell(name: Name, f: number, message: string, fault: Stream, frames: number[] = []): Told<string> {
    return { rule: `${this.#channel.prefix}-${name}`, f, frames, message, fault: fault as 'client' | 'agent' };
  }

  #clientLeaves(ledger: Ledger): void {
    for (const asked of this.#open.values())
      if (asked.asker === 'agent' && isAwaited(ledger, asked.f)) this.#leftOpen.add(asked);
  }
}

function key(asker: Stream, id: unknown): string {
  return `${asker} ${toJson(id)}`;
}
