/** Codex: a turn that began is completed, and messages about items and requests name those that exist. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import { toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { Recent } from '../../../model/recent.ts';
import { listOf, objectOf } from '../../common/fields.ts';
import type { Json } from '../../dialect.ts';
import { owedByAgent } from '../../rules/ending.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';
import { error, quoted, type Told, warning, watch } from '../../rules/rule.ts';

const REF = 'codex app-server 0.166.0';

const HEADS = {
  'codex-turn-end': error.agent('every turn that begins is completed', `${REF}, turn/completed`),
  'codex-turn-stray': warning.agent.needsClient('a turn is completed only after it began', `${REF}, turn/started`),
  'codex-item': warning.agent('an item is announced before it is updated or completed', `${REF}, item/started`),
  'codex-item-again': warning.agent('an item is announced once, and completed once', `${REF}, item/completed`),
  'codex-resolved': warning.agent('the agent resolves only requests that it made', `${REF}, serverRequest/resolved`),
};

type Id = keyof typeof HEADS;

interface Begun {
  f: number;
  thread: unknown;
}

class Turns {
  /** Turns that are open, by their ids, and those that are over. */
  readonly #open = new Recent<string, Begun>();
  readonly #over = new Recent<string, true>();
  /** Where each item was announced, and whether it is completed. */
  readonly #items = new Recent<string, { f: number; isDone: boolean }>();
  readonly #asked = new Recent<string, true>();
  /** A thread that was opened before may have turns and items that are not on the tape. */
  #isResumed = false;
  /** Notifications that the client does not want. */
  #muted: readonly unknown[] = [];

  take(read: ReadFrame): Told<Id>[] {
    const line = rpcLine(read);
    if (line?.from === 'client' && line.method === 'initialize') this.#mutes(line);
    if (line?.from !== 'agent') return [];
    const { method, params, f } = line;
    if (line.is === 'answer') {
      this.#begins(objectOf(line.result.turn), params.threadId, f);
      if (method === 'thread/resume' || method === 'thread/fork') this.#isResumed = true;
      return [];
    }
    if (line.is === 'request') {
      this.#asked.set(toJson(line.id), true);
      return [];
    }
    if (method === 'turn/started') this.#begins(objectOf(params.turn), params.threadId, f);
    if (method === 'turn/completed') return this.#completed(f, objectOf(params.turn).id);
    if (method === 'serverRequest/resolved') return this.#resolved(line);
    return method.startsWith('item/') ? this.#item(line) : [];
  }

  end({ process }: Ledger): Told<Id>[] {
    if (this.#muted.includes('turn/completed')) return [];
    const { why, ...how } = owedByAgent(process);
    return [...this.#open.values()].map(({ f }) => {
      return { rule: 'codex-turn-end', f, message: `the turn was never completed, ${why}`, ...how };
    });
  }

  #mutes({ params }: RpcLine): void {
    this.#muted = listOf(objectOf(params.capabilities).optOutNotificationMethods);
    // Without these notifications, it is unknown what began and what did not.
    this.#isResumed ||= this.#muted.includes('item/started') || this.#muted.includes('turn/started');
  }

  /** A review reports a turn within its own, in the same thread, that ends with it. */
  #begins({ id, rootTurnId }: Json, thread: unknown, f: number): void {
    if (typeof id !== 'string' || this.#open.has(id) || this.#over.has(id)) return;
    const isWithin = rootTurnId !== id && this.#open.get(String(rootTurnId))?.thread === thread;
    if (!isWithin) this.#open.set(id, { f, thread });
  }

  #completed(f: number, id: unknown): Told<Id>[] {
    const isKnown = this.#open.delete(String(id)) || this.#isResumed;
    this.#over.set(String(id), true);
    if (isKnown) return [];
    return [{ rule: 'codex-turn-stray', f, message: `the turn ${quoted(id)} was completed, but never began` }];
  }

  #resolved({ f, params: { requestId } }: RpcLine): Told<Id>[] {
    if (this.#asked.delete(toJson(requestId))) return [];
    return [{ rule: 'codex-resolved', f, message: `the request ${quoted(requestId)} was resolved, but never made` }];
  }

  #item({ f, method, params }: RpcLine): Told<Id>[] {
    const id = method === 'item/started' || method === 'item/completed' ? objectOf(params.item).id : params.itemId;
    if (typeof id !== 'string') return [];
    const known = this.#items.get(id);
    if (method === 'item/started') {
      this.#items.set(id, { f, isDone: false });
      return known && !known.isDone ? [this.#again(f, known.f, `the item ${quoted(id)} was announced again`)] : [];
    }
    if (!known && !this.#isResumed) {
      this.#items.set(id, { f, isDone: method === 'item/completed' });
      return [{ rule: 'codex-item', f, message: `${method} of ${quoted(id)}, which was never announced` }];
    }
    if (method !== 'item/completed' || !known) return [];
    const twice = known.isDone;
    known.isDone = true;
    return twice ? [this.#again(f, known.f, `the item ${quoted(id)} was completed again`)] : [];
  }

  #again(f: number, before: number, message: string): Told<Id> {
    return { rule: 'codex-item-again', f, frames: [before], message };
  }
}

export const CODEX_TURN_RULES = watch(['codex'], HEADS, () => new Turns());
