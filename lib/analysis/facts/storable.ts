/** What facts say of events, ids and numbers. */
import type { Event, EventKind } from '../../model/event.ts';
import type { Id } from '../../model/id.ts';
import { wellFormed } from '../../model/text/text.ts';

// The index must be able to store every fact, so that it gives the same answers as the tape.

/** Replaces lone surrogates. */
export function storable(text: string | null): string | null {
  return text === null ? null : wellFormed(text);
}

/** Drops numbers that JSON cannot represent, and the sign of zero. */
export function storableNumber(number: number | null): number | null {
  return number !== null && Number.isFinite(number) ? number + 0 : null;
}

export function storableId(id: Id): Id {
  if (typeof id === 'bigint') return id;
  return typeof id === 'number' ? storableNumber(id) : storable(id);
}

const SINGLE_KINDS = new Map<EventKind, readonly EventKind[]>();

/** A shared array for frames with a single kind. */
export function onlyKind(kind: EventKind): readonly EventKind[] {
  const known = SINGLE_KINDS.get(kind);
  if (known !== undefined) return known;
  const kinds = [kind];
  SINGLE_KINDS.set(kind, kinds);
  return kinds;
}

export function kindsOf(events: readonly Event[]): readonly EventKind[] {
  return events.length === 1 ? onlyKind(events[0]!.kind) : [...new Set(events.map(({ kind }) => kind))];
}

const NO_FLAGS: readonly string[] = [];

export function flagsOf(events: readonly Event[]): readonly string[] {
  // Few frames have flags.
  if (events.length === 1 && events[0]!.flags === undefined) return NO_FLAGS;
  if (!events.some((event) => event.flags !== undefined)) return NO_FLAGS;
  return [...new Set(events.flatMap((event) => event.flags ?? []))];
}

export function statusOf(events: readonly Event[]): string | null {
  for (let n = 0; n < events.length; n++) {
    const event = events[n]!;
    if (event.kind === 'prompt-answer') return event.status;
    if (event.kind === 'tool-result') return event.ok ? 'ok' : 'error';
  }
  return null;
}

/** The first string that an event has under this key. */
export function firstText(events: readonly Event[], key: 'tool' | 'call'): string | null {
  for (let n = 0; n < events.length; n++) {
    const { tool, call } = events[n] as { tool?: unknown; call?: unknown };
    const value = key === 'tool' ? tool : call;
    if (typeof value === 'string') return value;
  }
  return null;
}
