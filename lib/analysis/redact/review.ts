/**
 * What a person looks at before sending a redacted session: each value that was replaced, and each that was kept although it
 * looks private, with the text around it. No value is shown in full: neither its own, nor one that stands beside it.
 */
import { readFinishedSession } from './finished-text.ts';
import { glimpse, patternFor } from './glimpse.ts';
import type { RedactedSession } from './session.ts';
import { type Suspect, Suspects } from './suspects.ts';

/** A place: what stands before and behind the value. */
export interface ReviewContext {
  f: number;
  before: string;
  behind: string;
}

export interface ReviewedValue {
  kind: string;
  /** The pseudonym; null for what was kept. */
  name: string | null;
  shown: string;
  length: number;
  places: number;
  frames: readonly number[];
  contexts: readonly ReviewContext[];
  /** For `--also` or `--keep`; null if every pattern would show the value. */
  pattern: string | null;
}

export interface Review {
  replaced: ReviewedValue[];
  kept: ReviewedValue[];
}

/** How many places of each value are shown, and how many characters on each side. */
const MAX_CONTEXTS = 3;
const MAX_CONTEXT_CHARS = 70;
/** Values of which places are remembered. */
const MAX_VALUES = 5000;
const PSEUDONYM = /\[[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_\d+\.*\]/g;

export interface ReviewOptions {
  keeps?: ((value: string) => boolean) | undefined;
  progress?: (frames: number) => void;
}

export function makeReview(redacted: RedactedSession, { keeps, progress }: ReviewOptions = {}): Review {
  const suspects = new Suspects(keeps);
  const contexts = new Map<string, ReviewContext[]>();
  const note = (value: string, text: string, at: number, f: number) => {
    const known = contexts.get(value);
    if (known === undefined ? contexts.size < MAX_VALUES : known.length < MAX_CONTEXTS)
      contexts.set(value, [...(known ?? []), contextAt(text, at, at + value.length, f)]);
  };
  readFinishedSession(
    redacted.session,
    (text, f, key) => {
      for (const { value } of suspects.take(text, f, key)) note(value, text, text.indexOf(value), f);
      for (const { 0: name, index } of text.matchAll(PSEUDONYM)) note(name, text, index, f);
    },
    progress,
  );
  const all = suspects.all;
  const hide = hideValues(all);
  const of = (value: string) =>
    (contexts.get(value) ?? []).map(({ f, before, behind }) => ({ f, before: hide(before), behind: hide(behind) }));
  const reviewed = ({ kind, value, places, frames }: Omit<Suspect, 'weight'>, name: string | null): ReviewedValue => ({
    ...{ kind, name, shown: glimpse(value), length: value.length, places, frames },
    ...{ contexts: of(name ?? value), pattern: patternFor(value) },
  });
  return {
    replaced: [...redacted.replaced()].map((one) => reviewed(one, one.name)).sort((a, b) => b.places - a.places),
    kept: all.map((one) => reviewed(one, null)),
  };
}

function contextAt(text: string, start: number, end: number, f: number): ReviewContext {
  const before = text.slice(Math.max(0, start - MAX_CONTEXT_CHARS), start);
  const behind = text.slice(end, end + MAX_CONTEXT_CHARS);
  // What is cut may be a part of a value that nobody would recognise.
  return {
    f,
    before: start > MAX_CONTEXT_CHARS ? `…${before.replace(/^[^\s"',;:=]+/, '')}` : before,
    behind: end + MAX_CONTEXT_CHARS < text.length ? `${behind.replace(/[^\s"',;:=]+$/, '')}…` : behind,
  };
}

/** Replaces other values that look private by a glimpse of them. */
function hideValues(all: readonly Suspect[]): (text: string) => string {
  const values = all.map(({ value }) => value).sort((a, b) => b.length - a.length);
  return (text) =>
    values.reduce((left, value) => (left.includes(value) ? left.replaceAll(value, glimpse(value)) : left), text);
}
