/**
 * What a redaction kept although it looks private, so that the sender can decide. It reads the finished text, and shares
 * nothing with the detectors: it may find what they miss.
 */
import type { Session } from '../../session/session.ts';
import { readFinishedSession } from './finished-text.ts';
import { glimpse } from './glimpse.ts';
import { type Suspicion, suspicionsIn } from './suspicions.ts';

/** One value, without showing it. */
export interface KeptValue {
  kind: string;
  /** Its first and last characters. */
  shown: string;
  length: number;
  places: number;
  /** The first frames with it. */
  frames: number[];
}

/** Ids, digests and pictures, of which a session has many. */
export const MAX_HARMLESS_WEIGHT = 20;

export interface Suspect extends Omit<KeptValue, 'shown' | 'length'> {
  value: string;
  weight: number;
}

const MAX_NAMED_FRAMES = 5;
/** More values are not remembered; of what is hardly suspicious, less. */
const MAX_SUSPECTS = 10_000;
const MAX_HARMLESS_SUSPECTS = 1000;
/** Texts that had nothing, such as words of the protocol. */
const MAX_HARMLESS_TEXTS = 20_000;
const MAX_REMEMBERED_CHARS = 100;

const PSEUDONYM = /\[[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_\d+\.*\]/g;

export class Suspects {
  readonly #found = new Map<string, Suspect>();
  readonly #harmless = new Set<string>();
  readonly #keeps: (value: string) => boolean;

  constructor(keeps: (value: string) => boolean = () => false) {
    this.#keeps = keeps;
  }

  /** A text of a frame; 0 is beside the frames. Returns the values that look private. */
  take(text: string, f: number, key: string | null): Suspicion[] {
    const known = `${key} ${text}`;
    if (text.length < 3 || this.#harmless.has(known)) return [];
    const found = suspicionsIn(withoutPseudonyms(text), key).filter(({ value }) => !this.#keeps(value));
    if (found.length === 0 && text.length <= MAX_REMEMBERED_CHARS && this.#harmless.size < MAX_HARMLESS_TEXTS)
      this.#harmless.add(known);
    for (const one of found) this.#addSuspicion(one, f);
    return found;
  }

  #addSuspicion({ kind, weight, value }: Suspicion, f: number): void {
    let known = this.#found.get(value);
    if (!known) {
      if (this.#found.size >= (weight <= MAX_HARMLESS_WEIGHT ? MAX_HARMLESS_SUSPECTS : MAX_SUSPECTS)) return;
      known = { kind, weight, value, places: 0, frames: [] };
      this.#found.set(value, known);
    }
    if (weight > known.weight) Object.assign(known, { kind, weight });
    known.places++;
    if (f > 0 && known.frames.length < MAX_NAMED_FRAMES && known.frames.at(-1) !== f) known.frames.push(f);
  }

  /** The most suspicious first. */
  get all(): Suspect[] {
    return [...this.#found.values()].sort((a, b) => b.weight - a.weight || b.places - a.places);
  }
}

function withoutPseudonyms(text: string): string {
  return text.includes('[') ? text.replace(PSEUDONYM, (name) => '\u0001'.repeat(name.length)) : text;
}

interface SuspectOptions {
  keeps?: ((value: string) => boolean) | undefined;
  progress?: ((frames: number) => void) | undefined;
}

/** In a session that was redacted. */
export function suspectsIn(session: Session, { keeps, progress }: SuspectOptions = {}): Suspect[] {
  const suspects = new Suspects(keeps);
  readFinishedSession(session, (text, f, key) => void suspects.take(text, f, key), progress);
  return suspects.all;
}

export function keptValueOf({ kind, value, places, frames }: Suspect): KeptValue {
  return { kind, shown: glimpse(value), length: value.length, places, frames };
}
