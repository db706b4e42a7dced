/**
 * What is known of a frame, in the words of queries, columns and JSON. Most of it is known when the frame comes; what
 * only later frames tell (its answer, how long it waited, what was decided) is changed then.
 */
import type { Event, Kind } from '../core/event.ts';
import { type From, sizeOf } from '../core/frame.ts';
import type { Id } from '../core/id.ts';
import type { Envelope } from '../core/message.ts';
import { wellFormed } from '../core/text.ts';
import type { ReadFrame } from '../dialects/read.ts';
import { marksOf } from './marks.ts';

export interface Facts {
  f: number;
  t: number;
  from: From;
  envelope: Envelope;
  kinds: readonly Kind[];
  method: string | null;
  type: string | null;
  id: Id;
  turn: number | null;
  step: number | null;
  subagent: string | null;
  parent: string | null;
  tool: string | null;
  tool_call_id: string | null;
  item: number | null;
  pair_f: number | null;
  latency: number | null;
  wait: number | null;
  /** Seconds since the frame before it, whoever spoke. */
  gap: number | null;
  approval: string | null;
  by: string | null;
  status: string | null;
  code: number | null;
  size: number;
  flags: readonly string[];
  marks: number;
}

/** As far as the frame itself tells, and what came before it. `text`: its line, where it is text. */
export function factsOf(read: ReadFrame, before: number | null, text: string | null): Facts {
  const { frame, message, pairing, events, where } = read;
  const { role, exchange } = pairing ?? { role: null, exchange: null };
  const answers = role === 'answers' || role === 'duplicate';
  const latency = exchange && answers ? micros(frame.t - exchange.askedT) : null;
  const [first] = events;
  const flags = flagsOf(events);
  return {
    f: frame.f,
    t: frame.t,
    from: frame.from,
    envelope: message.envelope,
    kinds: kindsOf(events),
    // An answer has the method of its request.
    method: kept(message.method ?? (exchange && answers ? exchange.method : null)),
    type: kept(message.type),
    id: keptId(message.id),
    turn: where.turn,
    step: where.step,
    subagent: kept(first?.subagent ?? null),
    parent: kept(first?.parent ?? null),
    tool: kept(word(events, 'tool')),
    tool_call_id: kept(word(events, 'call')),
    item: where.item,
    pair_f: exchange && answers ? exchange.askedF : null,
    latency,
    wait: null,
    gap: before === null ? null : micros(frame.t - before),
    approval: null,
    by: null,
    status: kept(statusOf(events)),
    code: message.code === null ? null : keptNumber(message.code),
    size: sizeOf(frame),
    flags,
    marks: marksOf(read, { latency, flags, text }),
  };
}

/** Facts are what an index can keep, so that it tells the same as the tape: no halves of characters, */
function kept(text: string | null): string | null {
  return text === null ? null : wellFormed(text);
}

/** no number that JSON cannot write, and one zero. */
function keptNumber(number: number): number | null {
  return Number.isFinite(number) ? number + 0 : null;
}

function keptId(id: Id): Id {
  if (typeof id === 'bigint') return id;
  return typeof id === 'number' ? keptNumber(id) : kept(id);
}

const KINDS_OF_ONE = new Map<Kind, readonly Kind[]>();

function kindsOf(events: readonly Event[]): readonly Kind[] {
  if (events.length !== 1) return [...new Set(events.map(({ kind }) => kind))];
  const { kind } = events[0]!;
  const known = KINDS_OF_ONE.get(kind) ?? [kind];
  KINDS_OF_ONE.set(kind, known);
  return known;
}

const NO_FLAGS: readonly string[] = [];

function flagsOf(events: readonly Event[]): readonly string[] {
  // Hardly any frame has one.
  if (!events.some((event) => event.flags !== undefined)) return NO_FLAGS;
  return [...new Set(events.flatMap((event) => event.flags ?? []))];
}

function statusOf(events: readonly Event[]): string | null {
  for (const event of events) {
    if (event.kind === 'prompt-answer') return event.status;
    if (event.kind === 'tool-result') return event.ok ? 'ok' : 'error';
  }
  return null;
}

function word(events: readonly Event[], key: 'tool' | 'call'): string | null {
  for (const event of events) {
    const value = (event as unknown as Record<string, unknown>)[key];
    if (typeof value === 'string') return value;
  }
  return null;
}

/** Seconds, to the microsecond that the tape has. */
export function micros(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
