/** Codex: the handshake comes first, and requests name what exists: methods, threads, the turn that runs. */

import { LimitedMap } from '../../../model/limited-map.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, info, quoted, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';

const REF = 'codex app-server 0.166.0';

const RULES = {
  'codex-initialize-first': error.client.needsClient(
    'nothing is sent before initialize is answered',
    `${REF}: "Not initialized"`,
  ),
  'codex-initialize-again': warning.client('initialize is sent once', `${REF}: "Already initialized"`),
  'codex-method': error.client(
    'the client calls only methods that the agent has (reported once for each)',
    `${REF}, ClientRequest: "unknown variant"`,
  ),
  'codex-thread': error.client.needsClient(
    'a turn is started in a thread that the agent has opened in this process',
    `${REF}, turn/start, thread/start`,
  ),
  'codex-turn': error.client.needsClient(
    'the client steers or interrupts only the running turn',
    `${REF}: "expected active turn id"`,
  ),
  'codex-turn-over': info.client.needsClient(
    'the client does not steer or interrupt a turn that is over',
    `${REF}: "no active turn to steer"`,
  ),
};

type CodexProtocolRule = keyof typeof RULES;

/** Requests that open a thread, which their answer names. */
const OPENERS = new Set(['thread/start', 'thread/resume', 'thread/fork', 'review/start']);
const AT_TURNS = new Set(['turn/steer', 'turn/interrupt']);
const UNKNOWN_METHOD = /unknown variant/;

class CodexProtocolRules {
  #initializeF: number | null = null;
  #isInitialized = false;
  readonly #threads = new LimitedMap<string, true>();
  /** The turns that the agent has named, and whether each is over. */
  readonly #turns = new LimitedMap<string, boolean>();
  readonly #reportedMethods = new LimitedMap<string, true>();

  take(read: ReadFrame): RuleHit<CodexProtocolRule>[] {
    const line = rpcLine(read);
    if (!line) return [];
    if (line.from === 'agent') {
      if (line.is === 'notification') this.#trackNotification(line);
      return line.is === 'answer' ? this.#checkAnswer(line, read) : [];
    }
    if (line.is === 'answer') return [];
    return [...this.#checkOrder(line), ...this.#checkThread(line)];
  }

  #trackNotification({ method, params }: RpcLine): void {
    const { id } = objectOf(params.turn);
    if (method === 'turn/started') this.#turns.set(textOrJson(id), false);
    if (method === 'turn/completed') this.#turns.set(textOrJson(id), true);
    if (method === 'thread/started') this.#threads.set(textOrJson(objectOf(params.thread).id), true);
  }

  #checkOrder({ f, method, is }: RpcLine): RuleHit<CodexProtocolRule>[] {
    if (method === 'initialize') {
      const before = this.#initializeF;
      this.#initializeF = f;
      if (before === null) return [];
      return [{ rule: 'codex-initialize-again', f, frames: [before], message: 'initialize is sent a second time' }];
    }
    if (this.#isInitialized || is === 'notification') return [];
    const when = this.#initializeF === null ? 'before initialize' : 'before initialize was answered';
    const frames = this.#initializeF === null ? [] : [this.#initializeF];
    return [{ rule: 'codex-initialize-first', f, frames, message: `${textOrJson(method)} ${when}` }];
  }

  #checkThread({ f, method, params }: RpcLine): RuleHit<CodexProtocolRule>[] {
    const { threadId } = params;
    if (method !== 'turn/start' || !this.#isInitialized || typeof threadId !== 'string' || this.#threads.has(threadId))
      return [];
    const known =
      this.#threads.size === 0
        ? 'no thread is open'
        : `the open threads are ${textOrJson([...this.#threads.keys()].join(', '))}`;
    return [{ rule: 'codex-thread', f, message: `the thread ${quoted(threadId)} was never opened; ${known}` }];
  }

  #checkAnswer(line: RpcLine, { message }: ReadFrame): RuleHit<CodexProtocolRule>[] {
    const { method, ok, result, params, askedF } = line;
    if (method === 'initialize' && ok) this.#isInitialized = true;
    if (ok) {
      if (OPENERS.has(method)) this.#threads.set(textOrJson(objectOf(result.thread).id ?? result.reviewThreadId), true);
      const { id } = objectOf(result.turn);
      if (id !== undefined && !this.#turns.has(textOrJson(id))) this.#turns.set(textOrJson(id), false);
      return [];
    }
    if (AT_TURNS.has(method)) return this.#checkTurn(line, params.turnId ?? params.expectedTurnId);
    const text = stringOf(objectOf(message.body).message) ?? '';
    if (!UNKNOWN_METHOD.test(text) || !text.includes(method) || !this.#isNew(method)) return [];
    return [
      { rule: 'codex-method', f: askedF, frames: [line.f], message: `the agent does not know ${textOrJson(method)}` },
    ];
  }

  /** It may have ended while the request was on its way. */
  #checkTurn({ f, method, askedF }: RpcLine, turn: unknown): RuleHit<CodexProtocolRule>[] {
    const isOver = this.#turns.get(textOrJson(turn));
    const frames = [f];
    if (isOver) return [{ rule: 'codex-turn-over', f: askedF, frames, message: `${method}, but that turn is over` }];
    const running = [...this.#turns.entries()].findLast(([, over]) => !over)?.[0];
    const now = running === undefined ? 'no turn is running' : `the running turn is ${textOrJson(running)}`;
    return [{ rule: 'codex-turn', f: askedF, frames, message: `${method} names the turn ${quoted(turn)}: ${now}` }];
  }

  #isNew(method: string): boolean {
    if (this.#reportedMethods.has(method)) return false;
    this.#reportedMethods.set(method, true);
    return true;
  }
}

export const CODEX_PROTOCOL_RULES = defineRules(['codex'], RULES, () => new CodexProtocolRules());
