/** Codex: a turn that began is completed, and messages about items and requests name those that exist. */

import type { Ledger } from '../../../model/ledger/ledger.ts';
import { LimitedMap } from '../../../model/limited-map.ts';
import { toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { textOfValue } from '../../../model/text/text.ts';
import { listOf, objectOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, quoted, type RuleHit, warning } from '../../rules/rule.ts';
import { judgeAgentOmission } from '../../rules/session-end.ts';

const REF = 'codex app-server 0.166.0';

const RULES = {
  'codex-turn-end': error.agent('every turn that begins is completed', `${REF}, turn/completed`),
  'codex-turn-stray': warning.agent.needsClient('a turn is completed only after it began', `${REF}, turn/started`),
  'codex-item': warning.agent('an item is announced before it is updated or completed', `${REF}, item/started`),
  'codex-item-again': warning.agent('an item is announced once, and completed once', `${REF}, item/completed`),
  'codex-resolved': warning.agent('the agent resolves only requests that it made', `${REF}, serverRequest/resolved`),
};

type CodexTurnRule = keyof typeof RULES;

interface BegunTurn {
  f: number;
  thread: unknown;
}

class CodexTurnRules {
  /** Turns that are open, by their ids, and those that are over. */
  readonly #open = new LimitedMap<string, BegunTurn>();
  readonly #over = new LimitedMap<string, true>();
  /** Where each item was announced, and whether it is completed. */
  readonly #items = new LimitedMap<string, { f: number; isDone: boolean }>();
  readonly #requests = new LimitedMap<string, true>();
  /** A thread that was opened before may have turns and items that are not on the tape. */
  #isResumed = false;
  /** Notifications that the client does not want. */
  #muted: readonly unknown[] = [];

  take(read: ReadFrame): RuleHit<CodexTurnRule>[] {
    const line = rpcLine(read);
    if (line?.from === 'client' && line.method === 'initialize') this.#takeOptOuts(line);
    if (line?.from !== 'agent') return [];
    const { method, params, f } = line;
    if (line.is === 'answer') {
      this.#beginTurn(objectOf(line.result.turn), params.threadId, f);
      if (method === 'thread/resume' || method === 'thread/fork') this.#isResumed = true;
      return [];
    }
    if (line.is === 'request') {
      this.#requests.set(toJson(line.id), true);
      return [];
    }
    if (method === 'turn/started') this.#beginTurn(objectOf(params.turn), params.threadId, f);
    if (method === 'turn/completed') return this.#checkCompleted(f, objectOf(params.turn).id);
    if (method === 'serverRequest/resolved') return this.#checkResolved(line);
    return method.startsWith('item/') ? this.#checkItem(line) : [];
  }

  end({ process }: Ledger): RuleHit<CodexTurnRule>[] {
    if (this.#muted.includes('turn/completed')) return [];
    const { why, ...how } = judgeAgentOmission(process);
    return [...this.#open.values()].map(({ f }) => {
      return { rule: 'codex-turn-end', f, message: `the turn was never completed, ${why}`, ...how };
    });
  }

  #takeOptOuts({ params }: RpcLine): void {
    this.#muted = listOf(objectOf(params.capabilities).optOutNotificationMethods);
    // Without these notifications, it is unknown what began and what did not.
    this.#isResumed ||= this.#muted.includes('item/started') || this.#muted.includes('turn/started');
  }

  /** A review reports a turn within its own, in the same thread, that ends with it. */
  #beginTurn({ id, rootTurnId }: JsonObject, thread: unknown, f: number): void {
    if (typeof id !== 'string' || this.#open.has(id) || this.#over.has(id)) return;
    const isWithin = rootTurnId !== id && this.#open.get(textOfValue(rootTurnId))?.thread === thread;
    if (!isWithin) this.#open.set(id, { f, thread });
  }

  #checkCompleted(f: number, id: unknown): RuleHit<CodexTurnRule>[] {
    const isKnown = this.#open.delete(textOfValue(id)) || this.#isResumed;
    this.#over.set(textOfValue(id), true);
    if (isKnown) return [];
    return [{ rule: 'codex-turn-stray', f, message: `the turn ${quoted(id)} was completed, but never began` }];
  }

  #checkResolved({ f, params: { requestId } }: RpcLine): RuleHit<CodexTurnRule>[] {
    if (this.#requests.delete(toJson(requestId))) return [];
    return [{ rule: 'codex-resolved', f, message: `the request ${quoted(requestId)} was resolved, but never made` }];
  }

  #checkItem({ f, method, params }: RpcLine): RuleHit<CodexTurnRule>[] {
    const id = method === 'item/started' || method === 'item/completed' ? objectOf(params.item).id : params.itemId;
    if (typeof id !== 'string') return [];
    const known = this.#items.get(id);
    if (method === 'item/started') {
      this.#items.set(id, { f, isDone: false });
      return known && !known.isDone
        ? [this.#makeAgainHit(f, known.f, `the item ${quoted(id)} was announced again`)]
        : [];
    }
    if (!known && !this.#isResumed) {
      this.#items.set(id, { f, isDone: method === 'item/completed' });
      return [{ rule: 'codex-item', f, message: `${method} for ${quoted(id)}, which was never announced` }];
    }
    if (method !== 'item/completed' || !known) return [];
    const twice = known.isDone;
    known.isDone = true;
    return twice ? [this.#makeAgainHit(f, known.f, `the item ${quoted(id)} was completed again`)] : [];
  }

  #makeAgainHit(f: number, before: number, message: string): RuleHit<CodexTurnRule> {
    return { rule: 'codex-item-again', f, frames: [before], message };
  }
}

export const CODEX_TURN_RULES = defineRules(['codex'], RULES, () => new CodexTurnRules());
