/**
 * Two dialects that are taken for each other (rule F5): a line that the session's own does not know, but its sibling
 * does, has the sibling's kind and the flag `foreign`. It never makes a turn by itself and never decides anything,
 * because the peer that speaks the session's dialect does not understand it either.
 */
import type { Event, Happening } from '../core/event.ts';
import type { Frame } from '../core/frame.ts';
import type { Json, Line, Reader } from './dialect.ts';
import { flag, stringOf } from './fields.ts';

export interface Sibling {
  /** Null: no line of this dialect. */
  read(line: Line): Event[] | null;
  /** A prompt that only the sibling could read waits to be taken up like any other. */
  waits(f: number): void;
  readArray?(frame: Frame, values: unknown[]): Event[] | null;
  happens?(frame: Frame, event: Happening): void;
}

export class Siblings implements Reader {
  readonly #own: Sibling;
  readonly #open: () => Sibling;
  #other: Sibling | null = null;

  constructor(own: Sibling, other: () => Sibling) {
    this.#own = own;
    this.#open = other;
  }

  read(line: Line): Event[] {
    return this.#own.read(line) ?? this.#foreign(line) ?? [unknown(line.value)];
  }

  readArray(frame: Frame, values: unknown[]): Event[] | null {
    return this.#own.readArray?.(frame, values) ?? null;
  }

  happens(frame: Frame, event: Happening): void {
    this.#own.happens?.(frame, event);
  }

  #foreign(line: Line): Event[] | null {
    this.#other ??= this.#open();
    const events = this.#other.read(line);
    for (const event of events ?? []) {
      delete event.takes;
      flag(event, 'foreign');
      if (event.kind === 'prompt') this.#own.waits(line.frame.f);
      if (event.kind === 'approval-answer') {
        event.decision = null;
        flag(event, 'bad-shape');
      }
    }
    return events;
  }
}

/** What neither knows stays visible; what is no message at all is noise. */
export function unknown(value: Json): Event {
  const name = stringOf(value.type) ?? stringOf(value.method);
  return name === null ? { kind: 'noise', name: null, flags: ['invalid'] } : { kind: 'other', name };
}
