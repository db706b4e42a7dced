/** A frame as the table of facts sees it: the decoded frame, and values that several facts share. */
import type { Event, Kind } from '../core/event.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Id } from '../core/id.ts';
import { micros } from '../core/interval.ts';
import { wellFormed } from '../core/text.ts';
import type { ReadFrame } from '../session/read.ts';
import { marksOf } from './marks.ts';

export interface Observed extends ReadFrame {
  kinds: readonly Kind[];
  flags: readonly string[];
  /** The exchange that this frame answers. */
  answered: Exchange | null;
  latency: number | null;
  gap: number | null;
  /** The line, if it is text. */
  text: string | null;
  /** Bits of `MARKS`: here, because pages have the table but not what decides them. */
  marks: number;
}

/** `before`: the time of the previous frame. */
export function observe(read: ReadFrame, before: number | null, text: string | null): Observed {
  const { frame, message, pairing, events, value, conversation, where, ledger } = read;
  const answers = pairing?.role === 'answers' || pairing?.role === 'duplicate';
  const answered = answers ? pairing.exchange : null;
  const observed: Observed = {
    frame,
    message,
    pairing,
    events,
    value,
    conversation,
    where,
    ledger,
    kinds: kindsOf(events),
    flags: flagsOf(events),
    answered,
    latency: answered && micros(frame.t - answered.askedT),
    gap: before === null ? null : micros(frame.t - before),
    text,
    marks: 0,
  };
  observed.marks = marksOf(observed);
  return observed;
}

// The index must be able to store every fact, so that it gives the same answers as the tape.

/** Replaces lone surrogates. */
export function kept(text: string | null): string | null {
  return text === null ? null : wellFormed(text);
}

/** Drops numbers that JSON cannot represent, and the sign of zero. */
export function keptNumber(number: number | null): number | null {
  return number !== null && Number.isFinite(number) ? number + 0 : null;
}

export function keptId(id: Id): Id {
  if (typeof id === 'bigint') return id;
  return typeof id === 'number' ? keptNumber(id) : kept(id);
}

const KINDS_OF_ONE = new Map<Kind, readonly Kind[]>();

/** A shared array for frames with a single kind. */
export function onlyKind(kind: Kind): readonly Kind[] {
  const known = KINDS_OF_ONE.get(kind) ?? [kind];
  KINDS_OF_ONE.set(kind, known);
  return known;
}

function kindsOf(events: readonly Event[]): readonly Kind[] {
  return events.length === 1 ? onlyKind(events[0]!.kind) : [...new Set(events.map(({ kind }) => kind))];
}

const NO_FLAGS: readonly string[] = [];

function flagsOf(events: readonly Event[]): readonly string[] {
  // Few frames have flags.
  if (events.length === 1 && events[0]!.flags === undefined) return NO_FLAGS;
  if (!events.some((event) => event.flags !== undefined)) return NO_FLAGS;
  return [...new Set(events.flatMap((event) => event.flags ?? []))];
}

export function statusOf(events: readonly Event[]): string | null {
  for (const event of events) {
    if (event.kind === 'prompt-answer') return event.status;
    if (event.kind === 'tool-result') return event.ok ? 'ok' : 'error';
  }
  return null;
}

/** The first string that an event has under this key. */
export function firstText(events: readonly Event[], key: 'tool' | 'call'): string | null {
  for (const event of events) {
    const { tool, call } = event as { tool?: unknown; call?: unknown };
    const value = key === 'tool' ? tool : call;
    if (typeof value === 'string') return value;
  }
  return null;
}
