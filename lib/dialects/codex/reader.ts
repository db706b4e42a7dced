/** Reads the lines of a Codex app-server. */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { textOfBlocks } from '../common/content.ts';
import { errorText, objectOf, stringOf, withText } from '../common/fields.ts';
import { flagRole, readStray } from '../common/stray.ts';
import type { DialectLine, DialectReader, JsonObject } from '../dialect.ts';
import { CodexItems } from './items.ts';
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
import { mergeSettings, settingsIn, type ThreadSettings } from './modes.ts';
import { readNotice } from './notices.ts';
import { OldEvents } from './old-events.ts';
import { CodexRequests } from './requests.ts';
import { type CodexThread, CodexThreads } from './threads.ts';

/** How a turn ended, in the words that all dialects have. */
const STATUS: Readonly<Record<string, string>> = { interrupted: 'cancelled', failed: 'error' };

/** Real sessions never have more pending. */
const MAX_STEERS = 1000;

export class CodexReader implements DialectReader {
  readonly #threads = new CodexThreads();
  readonly #items = new CodexItems();
  readonly #requests = new CodexRequests(this.#items);
  readonly #old = new OldEvents();
  /** The thread of a client's request, by its frame. */
  readonly #requestThreads = new LimitedMap<number, string | null>();
  /** What a prompt sets for its turn and those after it, by its frame. */
  readonly #promptSettings = new LimitedMap<number, ThreadSettings>();

  read(line: DialectLine): Event[] {
    const stray = readStray(line);
    if (stray) return stray;
    const { envelope, method } = line.message;
    if (envelope === 'response' || envelope === 'error') return flagRole(this.#readAnswer(line), line);
    const params = objectOf(line.message.body);
    const isClient = line.frame.from === 'client';
    return flagRole(isClient ? this.#readClient(line, method!, params) : this.#readAgent(line, method!, params), line);
  }

  // The client

  #readClient({ frame, pairing }: DialectLine, method: string, params: JsonObject): Event[] {
    const asks = pairing?.role === 'asks';
    const thread = threadIn(params);
    if (asks) this.#requestThreads.set(frame.f, thread);
    if (Object.hasOwn(PROMPTS, method)) {
      const event = promptEvent(PROMPTS[method]!(params));
      if (asks) {
        this.#threads.prompted(thread, frame.f);
        this.#promptSettings.set(frame.f, settingsIn(params));
      }
      return [pairing?.role === 'asks-again' ? { ...event, restates: true } : event];
    }
    if (HANDSHAKES.has(method)) return [readHandshake(method, params)];
    if (method === 'turn/steer') return this.#readSteer(params);
    if (method === 'turn/interrupt' || method === 'interruptConversation') {
      return this.#threads.placeEvents(
        [{ kind: 'cancel', of: null, done: false }],
        this.#threads.of(thread),
        params.turnId,
      );
    }
    return [readControl(method, params)];
  }

  #readSteer({ threadId, input, expectedTurnId }: JsonObject): Event[] {
    const { blocks } = promptEvent(input);
    const text = textOfBlocks(blocks);
    const thread = this.#threads.of(threadId);
    if (thread.steers.push(text) > MAX_STEERS) thread.steers.shift();
    return this.#threads.placeEvents([{ kind: 'steer', blocks, done: false, text }], thread, expectedTurnId);
  }

  // What the agent answers

  #readAnswer(line: DialectLine): Event[] {
    const { asker, method, askedF } = line.pairing!.exchange!;
    if (asker === 'agent') return [this.#requests.answer(line, method)];
    const result = objectOf(line.message.body);
    const ok = line.message.envelope === 'response';
    if (Object.hasOwn(PROMPTS, method)) return this.#readPromptAnswer(line, askedF, objectOf(result.turn));
    if (HANDSHAKES.has(method)) return this.#readHandshakeAnswer(line, method, result, ok);
    const text = ok ? null : errorText(line.message.body);
    if (method === 'turn/steer') return [withText({ kind: 'steer', blocks: [], done: false }, text)];
    if (method === 'turn/interrupt' || method === 'interruptConversation') {
      const thread = this.#threads.of(this.#requestThreads.get(askedF));
      return this.#threads.placeEvents([withText({ kind: 'cancel', of: null, done: ok }, text)], thread, null);
    }
    if (method === 'thread/compact/start') return [withText({ kind: 'compaction', done: false }, text)];
    return [withText({ kind: isKnownMethod(method) ? 'control' : 'other', name: method }, text)];
  }

  #readHandshakeAnswer(line: DialectLine, method: string, result: JsonObject, ok: boolean): Event[] {
    const hello = readHandshakeAnswer(line, method);
    const id = objectOf(result.thread).id ?? result.conversationId;
    if (!ok || id === undefined) return [hello];
    this.#threads.set(this.#threads.opened(id), settingsIn(result));
    return [hello];
  }

  /** A prompt is refused, or its turn begins. Its end is reported later. */
  #readPromptAnswer({ message }: DialectLine, askedF: number, turn: JsonObject): Event[] {
    const thread = this.#threads.of(this.#requestThreads.get(askedF));
    if (message.envelope === 'error') {
      this.#threads.answered(thread, askedF);
      const text = errorText(message.body) ?? '';
      return [{ kind: 'prompt-answer', prompt: askedF, status: 'error', code: message.code, text }];
    }
    const sets = this.#promptSettings.get(askedF);
    if (sets) thread.settings = mergeSettings(thread.settings, sets);
    // The old methods do not name the turn, which begins with an event.
    if (turn.id === undefined) return [{ kind: 'control', name: 'prompt' }, ...this.#threads.inForce(thread)];
    const running = this.#threads.promptOf(thread, { id: turn.id });
    if (running === undefined || running === askedF) return this.#beginTurn(thread, turn, askedF);
    // The agent takes it into the turn that runs.
    this.#threads.answered(thread, askedF);
    const joins: Event = { kind: 'turn-begin', nested: false, joins: askedF };
    return this.#threads.placeEvents([joins, ...this.#threads.inForce(thread)], thread, turn.id);
  }

  #beginTurn(thread: CodexThread, turn: JsonObject, prompt: number): Event[] {
    const takes = this.#threads.take(thread, turn.id, prompt);
    const begin: Event = { kind: 'turn-begin', nested: false };
    if (takes !== undefined) begin.takes = takes;
    return this.#threads.placeEvents([begin, ...this.#threads.inForce(thread)], thread, turn.id);
  }

  // What the agent says

  #readAgent(line: DialectLine, method: string, params: JsonObject): Event[] {
    const thread = this.#threads.of(threadIn(params) ?? '');
    const events = this.#readMessage(line, method, params, thread);
    return this.#threads.placeEvents(events, thread, params.turnId);
  }

  #readMessage(line: DialectLine, method: string, params: JsonObject, thread: CodexThread): Event[] {
    if (line.message.envelope === 'request') {
      return [this.#requests.read(line, method, params) ?? { kind: 'other', name: method }];
    }
    if (method.startsWith('codex/event')) return this.#readOldEvent(objectOf(params.msg), thread);
    switch (method) {
      case 'item/started':
        return this.#readItemStart(objectOf(params.item), thread);
      case 'item/completed':
        this.#threads.trackSpawn(objectOf(params.item));
        return this.#items.completed(objectOf(params.item));
      case 'item/agentMessage/delta':
      case 'item/plan/delta':
        return [this.#items.readDelta('text', params)];
      case 'item/reasoning/summaryTextDelta':
      case 'item/reasoning/textDelta':
        return [this.#items.readDelta('thinking', params)];
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
        return this.#readTurnStart(objectOf(params.turn), thread);
      case 'turn/completed':
        return this.#readTurnEnd(objectOf(params.turn), thread);
      case 'thread/tokenUsage/updated':
        return [this.#threads.usage(thread, params)];
      case 'thread/settings/updated':
        return this.#readSettings(objectOf(params.threadSettings), thread, method);
      default:
        return [readNotice(method, params)];
    }
  }

  #readItemStart(item: JsonObject, thread: CodexThread): Event[] {
    this.#threads.trackSpawn(item);
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

  #readTurnStart(turn: JsonObject, thread: CodexThread): Event[] {
    // It may come before the answer that names its turn.
    const prompt = this.#threads.promptOf(thread, turn) ?? thread.waiting[0];
    if (prompt !== undefined) return this.#beginTurn(thread, turn, prompt);
    // A subagent's, or that of a command or compaction that the client asked for.
    thread.isFresh = true;
    return [{ kind: 'turn-begin', nested: true }, ...this.#threads.inForce(thread)];
  }

  #readTurnEnd(turn: JsonObject, thread: CodexThread): Event[] {
    const prompt = this.#threads.promptOf(thread, { id: turn.id });
    const text = errorText(turn.error);
    if (prompt === undefined) return [withText({ kind: 'turn-end' }, text)];
    const reported = stringOf(turn.status) ?? '';
    const status = STATUS[reported] ?? reported;
    this.#threads.ended(thread, prompt);
    return [withText({ kind: 'prompt-answer', prompt, status, code: null }, text)];
  }

  #readSettings(settings: JsonObject, thread: CodexThread, name: string): Event[] {
    const events = this.#threads.set(thread, settingsIn(settings));
    return events.length > 0 ? events : [{ kind: 'status', name }];
  }

  /** An event of the protocol before threads, which has no ids of turns. */
  #readOldEvent(msg: JsonObject, thread: CodexThread): Event[] {
    const prompt = thread.open ?? thread.waiting[0];
    if (msg.type === 'task_started' && prompt !== undefined) return this.#beginTurn(thread, {}, prompt);
    if ((msg.type === 'task_complete' || msg.type === 'turn_aborted') && thread.open !== null) {
      const answered = thread.open;
      this.#threads.ended(thread, answered);
      const status = msg.type === 'task_complete' ? 'completed' : 'cancelled';
      return [{ kind: 'prompt-answer', prompt: answered, status, code: null }];
    }
    return this.#old.read(msg);
  }
}
