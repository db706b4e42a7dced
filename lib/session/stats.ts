/**
 * A session in numbers, from its frames and its timeline. Waiting is never running. Time in which several requests are
 * open is counted once (the union of their times), and nothing replayed counts.
 */

import type { Event } from '../model/event.ts';
import { bytesOf, type Frame, type From } from '../model/frame.ts';
import { type Interval, mergeIntervals, subtractIntervals, totalLength } from '../model/interval.ts';
import { isTooLargeToRead } from '../model/json/too-large.ts';
import type { Entry, Item, Step, Timeline, Turn } from '../model/timeline/entries.ts';

export type WaitKind = 'approval' | 'question' | 'client-call' | 'hook';
const WAIT_KINDS: readonly WaitKind[] = ['approval', 'question', 'client-call', 'hook'];

/** Each with the seconds that it took, so that several sessions can be put together. */
export interface ToolTimes {
  tool: string;
  calls: number;
  errors: number;
  /** Without a result. */
  unfinished: number;
  runs: number[];
  waits: number[];
}

export interface ContextPoint {
  f: number;
  t: number;
  used: number | null;
  /** Of its size, 0 to 1. */
  share: number | null;
}

export interface Stats {
  seconds: number;
  turns: number;
  steps: number;
  tools: ToolTimes[];
  decisions: Record<'allow' | 'allow-always' | 'deny' | 'cancelled' | 'none', number>;
  /** Seconds that each was open. */
  waits: Record<WaitKind, number[]>;
  /** Of all of them together, as a union. */
  waited: number;
  phases: { busy: number; waiting: number; idle: number };
  traffic: Record<'client' | 'agent' | 'stderr', { lines: number; bytes: number }>;
  longest: { f: number; from: From; size: number } | null;
  /** Between a frame and the next one. */
  gap: { f: number; seconds: number } | null;
  context: ContextPoint[];
  /** How often a request to the model failed and was made again. */
  retries: number;
  /** Lines that could not be read: of the tape itself, of the file that it was imported from, and those too large. */
  unread: { tape: number; source: number; too_large: number };
}

/** Numbers that come from frames alone. */
export class FrameMeter {
  readonly traffic: Stats['traffic'] = {
    client: { lines: 0, bytes: 0 },
    agent: { lines: 0, bytes: 0 },
    stderr: { lines: 0, bytes: 0 },
  };
  longest: Stats['longest'] = null;
  gap: Stats['gap'] = null;
  readonly context: ContextPoint[] = [];
  readonly unread = { source: 0, too_large: 0 };
  retries = 0;
  /** The last frame; 0: there is none. */
  #lastF = 0;
  #lastT = 0;

  /** The number of the last frame; 0: there is none. */
  get last(): number {
    return this.#lastF;
  }

  take({ frame, events }: { frame: Frame; events: Event[] }): void {
    const { f, t, from } = frame;
    if (this.#lastF > 0 && t - this.#lastT > (this.gap?.seconds ?? 0))
      this.gap = { f: this.#lastF, seconds: t - this.#lastT };
    this.#lastF = f;
    this.#lastT = t;
    if (frame.form !== 'event' && from !== 'proc') {
      const size = bytesOf(frame);
      const traffic = this.traffic[from];
      traffic.lines++;
      traffic.bytes += size;
      if (size > (this.longest?.size ?? 0)) this.longest = { f, from, size };
    }
    if (frame.event === 'unread') this.unread.source++;
    if (isTooLargeToRead(events)) this.unread.too_large++;
    for (const event of events) {
      if (isRetry(event)) this.retries++;
      this.#context(frame, event);
    }
  }

  get seconds(): number {
    return this.#lastT;
  }

  /** The longest silence, which may last until now. */
  gapUntil(clock: number): Stats['gap'] {
    const silence = this.#lastF > 0 ? clock - this.#lastT : 0;
    return silence > (this.gap?.seconds ?? 0) ? { f: this.#lastF, seconds: silence } : this.gap;
  }

  #context({ f, t }: Frame, event: Event): void {
    if (event.kind !== 'usage' || !event.context || event.subagent !== undefined || event.flags?.includes('replayed'))
      return;
    const { used, share, size } = event.context;
    const part = share ?? (used !== null && size ? used / size : null);
    if (used !== null || part !== null) this.context.push({ f, t, used, share: part });
  }
}

/** Retried steps are not counted here: `show` has them where they were. */
const isRetry = (event: Event): boolean =>
  event.kind === 'notice' && event.retry === true && !event.flags?.includes('replayed');

/** `damaged`: invalid lines of the tape. `clock`: now, of a session that runs. */
export function statsOf(
  { entries, counts }: Pick<Timeline, 'entries' | 'counts'>,
  meter: FrameMeter,
  damaged: number,
  clock = meter.seconds,
): Stats {
  const entryMeter = new EntryMeter();
  for (const entry of allEntries(entries)) entryMeter.take(entry);
  return entryMeter.stats(counts, meter, damaged, clock);
}

/** When something was open; `to` null: until the end. */
interface OpenWait {
  kind: WaitKind;
  from: number;
  to: number | null;
}

/** Numbers that come from the entries of a timeline. Takes each when nothing more can happen to it, in any order. */
export class EntryMeter {
  #steps = 0;
  readonly #asks: OpenWait[] = [];
  readonly #work: { from: number; to: number | null }[] = [];
  readonly #tools = new Map<string, ToolTimes>();
  readonly #decisions = { allow: 0, 'allow-always': 0, deny: 0, cancelled: 0, none: 0 };

  /** Not the prompt of a turn, which is part of it. */
  take(entry: Entry): void {
    if (entry.is === 'step') this.#steps++;
    if (isWork(entry)) this.#work.push(workOf(entry));
    if (entry.is !== 'item') return;
    if (entry.call) addCall(this.#tools, entry.call);
    if (!isClientRequest(entry)) return;
    const { kind, t, ask } = entry;
    this.#asks.push({ kind: kind as WaitKind, from: t, to: ask!.wait === null ? null : t + ask!.wait });
    // What the agent does with it is not a decision of the client.
    if (kind === 'approval') this.#decisions[ask!.decision ?? 'none']++;
  }

  /** `clock`: when the session ended, or now. */
  stats(counts: Timeline['counts'], meter: FrameMeter, damaged: number, clock: number): Stats {
    const until = ({ from, to }: { from: number; to: number | null }): Interval => [from, to ?? Math.max(from, clock)];
    const open = (kinds: readonly WaitKind[]) =>
      mergeIntervals(this.#asks.filter(({ kind }) => kinds.includes(kind)).map(until));
    const people = open(['approval', 'question']);
    const waiting = totalLength(people);
    const busy = totalLength(subtractIntervals(mergeIntervals(this.#work.map(until)), people));
    const waitsOf = (wanted: WaitKind) =>
      this.#asks
        .filter(({ kind }) => kind === wanted)
        .map(until)
        .map(([from, to]) => to - from);
    return {
      seconds: clock,
      turns: counts.turns,
      steps: this.#steps,
      tools: sortByUse([...this.#tools.values()]),
      decisions: this.#decisions,
      waits: Object.fromEntries(WAIT_KINDS.map((kind) => [kind, waitsOf(kind)])) as Stats['waits'],
      waited: totalLength(open(WAIT_KINDS)),
      phases: { busy, waiting, idle: Math.max(0, clock - busy - waiting) },
      traffic: meter.traffic,
      longest: meter.longest,
      gap: meter.gapUntil(clock),
      context: meter.context,
      retries: meter.retries,
      unread: { tape: damaged, ...meter.unread },
    };
  }
}

function* allEntries(entries: Entry[]): Generator<Entry> {
  for (const entry of entries) {
    yield entry;
    yield* allEntries(entry.entries);
  }
}

/** Notices of hooks that need no answer are no waiting time. */
function isClientRequest({ kind, ask, answer }: Item): boolean {
  return ask !== null && (kind !== 'hook' || ask.request !== null || answer !== null);
}

/** The agent has something to do: a turn, a call, a request of its client. */
function isWork(entry: Turn | Step | Item): boolean {
  return entry.is === 'turn' || (entry.is === 'item' && (entry.call !== null || (entry.answer !== null && !entry.ask)));
}

/** A turn that has not ended lasts until the end. */
function workOf(entry: Entry): { from: number; to: number | null } {
  // A prompt on the command line is there from the start.
  const from = entry.is === 'turn' && entry.n === 1 && !entry.prompt ? 0 : entry.t;
  if (entry.is === 'turn' && entry.status === null) return { from, to: null };
  return { from, to: entry.is === 'item' && entry.answer ? Math.max(entry.t_end, entry.answer.t) : entry.t_end };
}

function addCall(tools: Map<string, ToolTimes>, call: NonNullable<Item['call']>): void {
  // A title says what one call does, and sums are about tools.
  const tool = (call.subject === null ? call.tool : (call.subject.name ?? call.action)) ?? '';
  const times = tools.get(tool) ?? { tool, calls: 0, errors: 0, unfinished: 0, runs: [], waits: [] };
  tools.set(tool, times);
  times.calls++;
  if (!call.result) times.unfinished++;
  else if (!call.result.ok) times.errors++;
  if (call.run !== null) times.runs.push(call.run);
  if (call.asks.length > 0 && call.wait !== null) times.waits.push(call.wait);
}

function sortByUse(tools: ToolTimes[]): ToolTimes[] {
  return tools.sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
}

/** The tools of several sessions. */
export function addTools(sessions: ToolTimes[][]): ToolTimes[] {
  const sums = new Map<string, ToolTimes>();
  for (const one of sessions.flat()) {
    const sum = sums.get(one.tool);
    if (!sum) sums.set(one.tool, { ...one, runs: [...one.runs], waits: [...one.waits] });
    else {
      sum.calls += one.calls;
      sum.errors += one.errors;
      sum.unfinished += one.unfinished;
      // Not spread: there may be more than a call takes arguments.
      for (const seconds of one.runs) sum.runs.push(seconds);
      for (const seconds of one.waits) sum.waits.push(seconds);
    }
  }
  return sortByUse([...sums.values()]);
}

/** The smallest value that at least that share of them does not exceed; null of none. */
export function quantile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = new Float64Array(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}
