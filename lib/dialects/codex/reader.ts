/** Reads the lines of a Codex app-server. */
import type { Event } from '../../model/event.ts';
import { Recent } from '../../model/recent.ts';
import { textOfBlocks } from '../common/content.ts';
import { errorText, objectOf, say, stringOf } from '../common/fields.ts';
import { flagRole, readStray } from '../common/stray.ts';
import type { Json, Line, Reader } from '../dialect.ts';
import { Items } from './items.ts';
import {
  HANDSHAKES,
  isKnownMethod,
  PROMPTS,
  promptEvent,
  readControl,
  readHandshake,
  readHandshakeAnswer,
  threadIn,
} from './methods.ts';
import { changed, type Settings, settingsIn } from './modes.ts';
import { readNotice } from './notices.ts';
import { OldEvents } from './old-events.ts';
import { Requests } from './requests.ts';
import { type Thread, Threads } from './threads.ts';

/** How a turn ended, in the words that all dialects have. */
const STATUS: Readonly<Record<string, string>> = { interrupted: 'cancelled', failed: 'error' };

/** Real sessions never have more pending. */
const STEERS = 1000;

export class CodexReader implements Reader {
  readonly #threads = new Threads();
  readonly #items = new Items();
  readonly #requests = new Requests(this.#items);
  readonly #old = new OldEvents();
  /** The thread of a client's request, by its frame. */
  readonly #asked = new Recent<number, string | null>();
  /** What a prompt sets for its turn and those after it, by its frame. */
  readonly #sets = new Recent<number, Settings>();

  read(line: Line): Event[] {
    const stray = readStray(line);
    if (stray) return stray;
    const { envelope, method } = line.message;
    if (envelope === 'response' || envelope === 'error') return flagRole(this.#answer(line), line);
    const params = objectOf(line.message.body);
    const isClient = line.frame.from === 'client';
    return flagRole(isClient ? this.#client(line, method!, params) : this.#agent(line, method!, params), line);
  }

  // The client

  #client({ frame, pairing }: Line, method: string, params: Json): Event[] {
    const asks = pairing?.role === 'asks';
    const thread = threadIn(params);
    if (asks) this.#asked.set(frame.f, thread);
    if (Object.hasOwn(PROMPTS, method)) {
      const event = promptEvent(PROMPTS[method]!(params));
      if (asks) {
        this.#threads.prompted(thread, frame.f);
        this.#sets.set(frame.f, settingsIn(params));
      }
      return [pairing?.role === 'asks-again' ? { ...event, restates: true } : event];
    }
    if (HANDSHAKES.has(method)) return [readHandshake(method, params)];
    if (method === 'turn/steer') return this.#steer(params);
    if (method === 'turn/interrupt' || method === 'interruptConversation') {
      return this.#threads.place([{ kind: 'cancel', of: null, done: false }], this.#threads.of(thread), params.turnId);
    }
    return [readControl(method, params)];
  }

  #steer({ threadId, input, expectedTurnId }: Json): Event[] {
    const { blocks } = promptEvent(input);
    const text = textOfBlocks(blocks);
    const thread = this.#threads.of(threadId);
    if (thread.steers.push(text) > STEERS) thread.steers.shift();
    return this.#threads.place([{ kind: 'steer', blocks, done: false, text }], thread, expectedTurnId);
  }

  // What the agent answers

  #answer(line: Line): Event[] {
    const { asker, method, askedF } = line.pairing!.exchange!;
    if (asker === 'agent') return [this.#requests.answer(line, method)];
    const result = objectOf(line.message.body);
    const ok = line.message.envelope === 'response';
    if (Object.hasOwn(PROMPTS, method)) return this.#prompted(line, askedF, objectOf(result.turn));
    if (HANDSHAKES.has(method)) return this.#handshake(line, method, result, ok);
    const text = ok ? null : errorText(line.message.body);
    if (method === 'turn/steer') return [say({ kind: 'steer', blocks: [], done: false }, text)];
    if (method === 'turn/interrupt' || method === 'interruptConversation') {
      const thread = this.#threads.of(this.#asked.get(askedF));
      return this.#threads.place([say({ kind: 'cancel', of: null, done: ok }, text)], thread, null);
    }
    if (method === 'thread/compact/start') return [say({ kind: 'compaction', done: false }, text)];
    return [say({ kind: isKnownMethod(method) ? 'control' : 'other', name: method }, text)];
  }

  #handshake(line: Line, method: string, result: Json, ok: boolean): Event[] {
    const hello = readHandshakeAnswer(line, method);
    const id = objectOf(result.thread).id ?? result.conversationId;
    if (!ok || id === undefined) return [hello];
    this.#threads.set(this.#threads.opened(id), settingsIn(result));
    return [hello];
  }

  /** A prompt is refused, or its turn begins. Its end is reported later. */
  #prompted({ message }: Line, askedF: number, turn: Json): Event[] {
    const thread = this.#threads.of(this.#asked.get(askedF));
    if (message.envelope === 'error') {
      this.#threads.answered(thread, askedF);
      const text = errorText(message.body) ?? '';
      return [{ kind: 'prompt-answer', prompt: askedF, status: 'error', code: message.code, text }];
    }
    const sets = this.#sets.get(askedF);
    if (sets) thread.settings = changed(thread.settings, sets);
    // The old methods do not name the turn, which begins with an event.
    if (turn.id === undefined) return [{ kind: 'control', name: 'prompt' }, ...this.#threads.inForce(thread)];
    const running = this.#threads.promptOf(thread, { id: turn.id });
    if (running === undefined || running === askedF) return this.#begins(thread, turn, askedF);
    // The agent takes it into the turn that runs.
    this.#threads.answered(thread, askedF);
    const joins: Event = { kind: 'turn-begin', nested: false, joins: askedF };
    return this.#threads.place([joins, ...this.#threads.inForce(thread)], thread, turn.id);
  }

  #begins(thread: Thread, turn: Json, prompt: number): Event[] {
    const takes = this.#threads.take(thread, turn.id, prompt);
    const begin: Event = { kind: 'turn-begin', nested: false };
    if (takes !== undefined) begin.takes = takes;
    return this.#threads.place([begin, ...this.#threads.inForce(thread)], thread, turn.id);
  }

  // What the agent says

  #agent(line: Line, method: string, params: Json): Event[] {
    const thread = this.#threads.of(threadIn(params) ?? '');
    const events = this.#told(line, method, params, thread);
    return this.#threads.place(events, thread, params.turnId);
  }

  #told(line: Line, method: string, params: Json, thread: Thread): Event[] {
    if (line.message.envelope === 'request') {
      return [this.#requests.read(line, method, params) ?? { kind: 'other', name: method }];
    }
    if (method.startsWith('codex/event')) return this.#oldEvent(objectOf(params.msg), thread);
    switch (method) {
      case 'item/started':
        return this.#started(objectOf(params.item), thread);
      case 'item/completed':
        this.#threads.spawns(objectOf(params.item));
        return this.#items.completed(objectOf(params.item));
      case 'item/agentMessage/delta':
      case 'item/plan/delta':
        return [this.#items.said('text', params)];
      case 'item/reasoning/summaryTextDelta':
      case 'item/reasoning/textDelta':
        return [this.#items.said('thinking', params)];
      case 'item/commandExecution/outputDelta':
      case 'item/commandExecution/terminalInteraction':
      case 'item/fileChange/outputDelta':
      case 'item/mcpToolCall/progress':
        return [this.#items.progress(params)];
      case 'item/fileChange/patchUpdated':
        return [this.#items.patched(params)];
      case 'error':
        thread.isFresh = true;
        return [readNotice(method, params)];
      case 'serverRequest/resolved':
        return [this.#requests.resolved(params)];
      case 'turn/started':
        return this.#turnStarted(objectOf(params.turn), thread);
      case 'turn/completed':
        return this.#turnCompleted(objectOf(params.turn), thread);
      case 'thread/tokenUsage/updated':
        return [this.#threads.usage(thread, params)];
      case 'thread/settings/updated':
        return this.#settings(objectOf(params.threadSettings), thread, method);
      default:
        return [readNotice(method, params)];
    }
  }

  #started(item: Json, thread: Thread): Event[] {
    this.#threads.spawns(item);
    if (item.type !== 'userMessage') return this.#items.started(item);
    // The model is asked again.
    thread.isFresh = true;
    const { blocks, text } = promptEvent(item.content);
    const at = thread.steers.indexOf(text ?? '');
    if (at >= 0) {
      thread.steers.splice(at, 1);
      return [{ kind: 'steer', blocks, done: true, restates: true, text: text ?? '' }];
    }
    // The prompt of a subagent is nowhere else.
    if (!thread.isClients) return [{ kind: 'prompt', blocks, text: text ?? '' }];
    return [{ kind: 'status', name: 'userMessage', restates: true, text: text ?? '' }];
  }

  #turnStarted(turn: Json, thread: Thread): Event[] {
    // It may come before the answer that names its turn.
    const prompt = this.#threads.promptOf(thread, turn) ?? thread.waiting[0];
    if (prompt !== undefined) return this.#begins(thread, turn, prompt);
    // A subagent's, or that of a command or compaction that the client asked for.
    thread.isFresh = true;
    return [{ kind: 'turn-begin', nested: true }, ...this.#threads.inForce(thread)];
  }

  #turnCompleted(turn: Json, thread: Thread): Event[] {
    const prompt = this.#threads.promptOf(thread, { id: turn.id });
    const text = errorText(turn.error);
    if (prompt === undefined) return [say({ kind: 'turn-end' }, text)];
    const said = stringOf(turn.status) ?? '';
    const status = STATUS[said] ?? said;
    this.#threads.ended(thread, prompt);
    return [say({ kind: 'prompt-answer', prompt, status, code: null }, text)];
  }

  #settings(settings: Json, thread: Thread, name: string): Event[] {
    const events = this.#threads.set(thread, settingsIn(settings));
    return events.length > 0 ? events : [{ kind: 'status', name }];
  }

  /** An event of the protocol before threads, which has no ids of turns. */
  #oldEvent(msg: Json, thread: Thread): Event[] {
    const prompt = thread.open ?? thread.waiting[0];
    if (msg.type === 'task_started' && prompt !== undefined) return this.#begins(thread, {}, prompt);
    if ((msg.type === 'task_complete' || msg.type === 'turn_aborted') && thread.open !== null) {
      const answered = thread.open;
      this.#threads.ended(thread, answered);
      const status = msg.type === 'task_complete' ? 'completed' : 'cancelled';
      return [{ kind: 'prompt-answer', prompt: answered, status, code: null }];
    }
    return this.#old.read(msg);
  }
}
