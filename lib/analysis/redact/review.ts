/**
 * What a person looks at before sending a redacted session: each value that was replaced, and each that was kept although it
 * looks private, with the text around it. No value is shown in full: neither its own, nor one that stands beside it.
 */
import { readFinished } from './finished.ts';
import { glimpse, patternFor } from './glimpse.ts';
import type { Redacted } from './session.ts';
import { type Suspect, Suspects } from './suspects.ts';

/** A place: what stands before and behind the value. */
export interface Context {
  f: number;
  before: string;
  behind: string;
}

export interface Reviewed {
  kind: string;
  /** The pseudonym; null for what was kept. */
  name: string | null;
  shown: string;
  length: number;
  places: number;
  frames: readonly number[];
  contexts: readonly Context[];
  /** For `--also` or `--keep`; null if every pattern would show the value. */
  pattern: string | null;
}

export interface Review {
  replaced: Reviewed[];
  kept: Reviewed[];
}

/** How many places of each value are shown, and how many characters on each side. */
const MOST = 3;
const BESIDE = 70;
/** Values of which places are remembered. */
const MOST_VALUES = 5000;
const PSEUDONYM = /\[[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_\d+\.*\]/g;

export interface ReviewOptions {
  keeps?: ((value: string) => boolean) | undefined;
  progress?: (frames: number) => void;
}

export function reviewOf(redacted: Redacted, { keeps, progress }: ReviewOptions = {}): Review {
  const suspects = new Suspects(keeps);
  const contexts = new Map<string, Context[]>();
  const note = (value: string, text: string, at: number, f: number) => {
    const known = contexts.get(value);
    if (known === undefined ? contexts.size < MOST_VALUES : known.length < MOST)
      contexts.set(value, [...(known ?? []), contextAt(text, at, at + value.length, f)]);
  };
  readFinished(
    redacted.session,
    (text, f, key) => {
      for (const { value } of suspects.take(text, f, key)) note(value, text, text.indexOf(value), f);
      for (const { 0: name, index } of text.matchAll(PSEUDONYM)) note(name, text, index, f);
    },
    progress,
  );
  const all = suspects.all;
  const hide = hiding(all);
  const of = (value: string) =>
    (contexts.get(value) ?? []).map(({ f, before, behind }) => ({ f, before: hide(before), behind: hide(behind) }));
  const seen = ({ kind, value, places, frames }: Omit<Suspect, 'weight'>, name: string | null): Reviewed => ({
    ...{ kind, name, shown: glimpse(value), length: value.length, places, frames },
    ...{ contexts: of(name ?? value), pattern: patternFor(value) },
  });
  return {
    replaced: [...redacted.replaced()].map((one) => seen(one, one.name)).sort((a, b) => b.places - a.places),
    kept: all.map((one) => seen(one, null)),
  };
}

function contextAt(text: string, start: number, end: number, f: number): Context {
  const before = text.slice(Math.max(0, start - BESIDE), start);
  const behind = text.slice(end, end + BESIDE);
  // What is cut may be a part of a value that nobody would recognise.
  return {
    f,
    before: start > BESIDE ? `…${before.replace(/^[^\s"',;:=]+/, '')}` : before,
    behind: end + BESIDE < text.length ? `${behind.replace(/[^\s"',;:=]+$/, '')}…` : behind,
  };
}

/** Replaces other values that look private by a glimpse of them. */
function hiding(all: readonly Suspect[]): (text: string) => string {
  const values = all.map(({ value }) => value).sort((a, b) => b.length - a.length);
  return (text) =>
    values.reduce((left, value) => (left.includes(value) ? left.replaceAll(value, glimpse(value)) : left), text);
}
