/** Codex: the handshake comes first, and requests name what exists: methods, threads, the turn that runs. */

import type { ReadFrame } from '../../../model/read-frame.ts';
import { Recent } from '../../../model/recent.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';
import { error, info, quoted, type Told, warning, watch, word } from '../../rules/rule.ts';

const REF = 'codex app-server 0.166.0';

const HEADS = {
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

type Id = keyof typeof HEADS;

/** Requests that open a thread, which their answer names. */
const OPENERS = new Set(['thread/start', 'thread/resume', 'thread/fork', 'review/start']);
const AT_TURNS = new Set(['turn/steer', 'turn/interrupt']);
const UNKNOWN_METHOD = /unknown variant/;

class Protocol {
  #asked: number | null = null;
  #answered = false;
  readonly #threads = new Recent<string, true>();
  /** The turns that the agent has named, and whether each is over. */
  readonly #turns = new Recent<string, boolean>();
  readonly #named = new Recent<string, true>();

  take(read: ReadFrame): Told<Id>[] {
    const line = rpcLine(read);
    if (!line) return [];
    if (line.from === 'agent') {
      if (line.is === 'notification') this.#told(line);
      return line.is === 'answer' ? this.#answer(line, read) : [];
    }
    if (line.is === 'answer') return [];
    return [...this.#order(line), ...this.#thread(line)];
  }

  #told({ method, params }: RpcLine): void {
    const { id } = objectOf(params.turn);
    if (method === 'turn/started') this.#turns.set(word(id), false);
    if (method === 'turn/completed') this.#turns.set(word(id), true);
    if (method === 'thread/started') this.#threads.set(word(objectOf(params.thread).id), true);
  }

  #order({ f, method, is }: RpcLine): Told<Id>[] {
    if (method === 'initialize') {
      const before = this.#asked;
      this.#asked = f;
      if (before === null) return [];
      return [{ rule: 'codex-initialize-again', f, frames: [before], message: 'initialize is sent a second time' }];
    }
    if (this.#answered || is === 'notification') return [];
    const when = this.#asked === null ? 'before initialize' : 'before initialize was answered';
    const frames = this.#asked === null ? [] : [this.#asked];
    return [{ rule: 'codex-initialize-first', f, frames, message: `${word(method)} ${when}` }];
  }

  #thread({ f, method, params }: RpcLine): Told<Id>[] {
    const { threadId } = params;
    if (method !== 'turn/start' || !this.#answered || typeof threadId !== 'string' || this.#threads.has(threadId))
      return [];
    const known =
      this.#threads.size === 0
        ? 'no thread was opened'
        : `the open ones are ${word([...this.#threads.keys()].join(', '))}`;
    return [{ rule: 'codex-thread', f, message: `the thread ${quoted(threadId)} was never opened: ${known}` }];
  }

  #answer(line: RpcLine, { message }: ReadFrame): Told<Id>[] {
    const { method, ok, result, params, askedF } = line;
    if (method === 'initialize' && ok) this.#answered = true;
    if (ok) {
      if (OPENERS.has(method)) this.#threads.set(word(objectOf(result.thread).id ?? result.reviewThreadId), true);
      const { id } = objectOf(result.turn);
      if (id !== undefined && !this.#turns.has(word(id))) this.#turns.set(word(id), false);
      return [];
    }
    if (AT_TURNS.has(method)) return this.#noTurn(line, params.turnId ?? params.expectedTurnId);
    const text = stringOf(objectOf(message.body).message) ?? '';
    if (!UNKNOWN_METHOD.test(text) || !text.includes(method) || !this.#isNew(method)) return [];
    return [{ rule: 'codex-method', f: askedF, frames: [line.f], message: `the agent does not know ${word(method)}` }];
  }

  /** It may have ended while the request was on its way. */
  #noTurn({ f, method, askedF }: RpcLine, turn: unknown): Told<Id>[] {
    const isOver = this.#turns.get(word(turn));
    const frames = [f];
    if (isOver) return [{ rule: 'codex-turn-over', f: askedF, frames, message: `${method}, but that turn is over` }];
    const running = [...this.#turns.entries()].findLast(([, over]) => !over)?.[0];
    const now = running === undefined ? 'no turn is running' : `the running turn is ${word(running)}`;
    return [{ rule: 'codex-turn', f: askedF, frames, message: `${method} names the turn ${quoted(turn)}: ${now}` }];
  }

  #isNew(method: string): boolean {
    if (this.#named.has(method)) return false;
    this.#named.set(method, true);
    return true;
  }
}

export const CODEX_PROTOCOL_RULES = watch(['codex'], HEADS, () => new Protocol());
