/**
 * The threads of a process, and their turns. A thread is the client's, or that of a subagent, whose turns belong to the turn
 * in which it was started. Prompts are identified by frame, turns by the agent's ids.
 */
import type { Event, Usage } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { isObject } from '../../model/message.ts';
import { numberOf, objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { mergeSettings, modeOf, NO_SETTINGS, type ThreadSettings } from './modes.ts';
import { codexUsage } from './usage.ts';

/** Of how many threads, turns and prompts something is remembered. */
const MAX_THREADS = 1000;

export interface CodexThread {
  id: string;
  /** The client opened it. */
  isClients: boolean;
  /** The call that started it, for a subagent. */
  parent: string | null;
  settings: ThreadSettings;
  /** Prompts that the agent has not taken up, and the one whose turn is open. */
  waiting: number[];
  open: number | null;
  /** What was sent into the turn and is not yet in effect. */
  steers: string[];
  /** Its next output begins a step. */
  isFresh: boolean;
  /** Since the last text, a call has returned. */
  hasReturned: boolean;
  /** All tokens so far; null until the agent has reported them. */
  total: string | null;
}

export class CodexThreads {
  readonly #threads = new LimitedMap<string, CodexThread>(MAX_THREADS);
  /** The prompt of each turn, by the id of the turn. */
  readonly #turns = new LimitedMap<string, number>();
  /** The prompts whose turns are open, the latest last. */
  readonly #open: number[] = [];
  /** Calls that start a subagent whose thread is not known yet. */
  readonly #spawning = new Set<string>();
  /** The mode that was reported last. */
  #mode: string | null = null;
  #isPlan = false;

  of(id: unknown): CodexThread {
    const key = stringOf(id) ?? '';
    const known = this.#threads.get(key);
    if (known) return known;
    const [parent] = this.#spawning;
    const thread: CodexThread = {
      ...{ id: key, isClients: key === '', parent: parent ?? null, settings: NO_SETTINGS, waiting: [], open: null },
      ...{ steers: [], isFresh: true, hasReturned: false, total: null },
    };
    this.#threads.set(key, thread);
    return thread;
  }

  /** The client opened, resumed or forked it. */
  opened(id: unknown): CodexThread {
    const thread = this.of(id);
    thread.isClients = true;
    return thread;
  }

  /** A call starts subagents, or has started them. */
  trackSpawn({ id, tool, status, receiverThreadIds }: JsonObject): void {
    const call = stringOf(id);
    if (call === null || tool !== 'spawnAgent') return;
    if (status === 'inProgress') this.#spawning.add(call);
    else this.#spawning.delete(call);
    if (Array.isArray(receiverThreadIds)) for (const thread of receiverThreadIds) this.of(thread).parent = call;
    if (this.#spawning.size > MAX_THREADS) this.#spawning.clear();
  }

  // Turns

  prompted(thread: unknown, f: number): void {
    const { waiting } = this.opened(thread);
    if (waiting.push(f) > MAX_THREADS) waiting.shift();
  }

  /** A prompt no longer waits: it is refused, or taken up. */
  answered(thread: CodexThread, f: number): void {
    const at = thread.waiting.indexOf(f);
    if (at >= 0) thread.waiting.splice(at, 1);
  }

  /** The agent takes up this prompt. Undefined if it had done so before. */
  take(thread: CodexThread, turn: unknown, f: number): number | undefined {
    const id = stringOf(turn);
    if (id !== null) this.#turns.set(id, f);
    if (thread.open === f || !thread.waiting.includes(f)) return undefined;
    this.answered(thread, f);
    if (thread.open !== null) this.#close(thread.open);
    thread.open = f;
    thread.isFresh = true;
    thread.steers = [];
    this.#open.push(f);
    return f;
  }

  /** The prompt of a turn of the client's, by its id or that of the turn it is part of. */
  promptOf({ isClients }: CodexThread, { id, rootTurnId }: JsonObject): number | undefined {
    if (!isClients) return undefined;
    return this.#turns.get(stringOf(id) ?? '') ?? this.#turns.get(stringOf(rootTurnId) ?? '');
  }

  ended(thread: CodexThread, prompt: number): void {
    if (thread.open === prompt) thread.open = null;
    this.#close(prompt);
  }

  #close(prompt: number): void {
    const at = this.#open.indexOf(prompt);
    if (at >= 0) this.#open.splice(at, 1);
  }

  // Events

  /** Adds who speaks, in which turn and mode, and where a step begins. */
  placeEvents(events: Event[], thread: CodexThread, turn: unknown): Event[] {
    const prompt = this.#turns.get(stringOf(turn) ?? '') ?? thread.open ?? undefined;
    const isElsewhere = prompt !== undefined && (this.#open.length > 1 || this.#open.at(-1) !== prompt);
    for (const event of events) {
      if (!thread.isClients) this.#setSpeaker(event, thread);
      if (isElsewhere) event.within = prompt;
      if (event.kind === 'tool-call' || event.kind === 'approval') this.#setMode(event, thread);
      if (event.kind === 'tool-result') thread.hasReturned = true;
      if (beginsStep(event, thread)) events[0]!.step = true;
    }
    return events;
  }

  #setSpeaker(event: Event, { id, parent }: CodexThread): void {
    event.subagent ??= id;
    if (parent !== null) event.parent ??= parent;
  }

  #setMode(event: Event & { kind: 'tool-call' | 'approval' }, { settings }: CodexThread): void {
    const mode = modeOf(settings);
    if (mode !== null && mode !== this.#mode) event.mode = mode;
  }

  /** The settings of a thread, as the agent reports them. Returns events if they change the mode in force. */
  set(thread: CodexThread, settings: ThreadSettings): Event[] {
    thread.settings = mergeSettings(thread.settings, settings);
    return this.inForce(thread);
  }

  /** The mode of this thread is in force now. */
  inForce({ settings }: CodexThread): Event[] {
    const events: Event[] = [];
    const mode = modeOf(settings);
    const isPlan = settings.plan ?? false;
    if (mode !== null && mode !== this.#mode) events.push({ kind: 'mode', mode, done: true });
    if (isPlan !== this.#isPlan) events.push({ kind: 'mode', mode: isPlan ? 'plan' : null, done: true });
    this.#mode = mode ?? this.#mode;
    this.#isPlan = isPlan;
    return events;
  }

  /** What the last request to the model used. The same sum may be reported again, also for a thread that is loaded. */
  usage(thread: CodexThread, { turnId, tokenUsage }: JsonObject): Event {
    const { total, last, modelContextWindow } = objectOf(tokenUsage);
    const sum = JSON.stringify(total) ?? '';
    const isNew = sum !== thread.total && (thread.total !== null || this.#isOpen(thread, turnId));
    thread.total = sum;
    thread.isFresh = true;
    thread.hasReturned = false;
    const size = numberOf(modelContextWindow);
    const used = numberOf(objectOf(last).totalTokens);
    const context = thread.isClients ? { used, size, share: used !== null && size ? used / size : null } : null;
    return { kind: 'usage', usage: isNew && isObject(last) ? usageOf(last) : null, total: false, context };
  }

  /** A turn of this thread, not one that it was made from. */
  #isOpen(thread: CodexThread, turn: unknown): boolean {
    return !thread.isClients || this.#turns.get(stringOf(turn) ?? '') === thread.open;
  }
}

function usageOf({ inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens }: JsonObject): Usage {
  return codexUsage(inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens);
}

/** Text after a result is of the next step, even if no tokens were reported. */
function beginsStep({ kind, restates }: Event, thread: CodexThread): boolean {
  const isText = kind === 'text' || kind === 'thinking';
  if (restates || (!isText && kind !== 'tool-call')) return false;
  const isNext = thread.isFresh || (isText && thread.hasReturned);
  thread.isFresh = false;
  if (isText) thread.hasReturned = false;
  return isNext;
}
