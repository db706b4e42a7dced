/**
 * The facts of a frame, under the names that queries, columns and JSON use. Most are known when the frame arrives.
 * Those that depend on later frames (the answer, the wait, the decision) change then.
 */
import type { ReadFrame } from '../session/read.ts';
import { observe } from './observed.ts';
import { FACT_LIST, type Facts } from './table.ts';

export type { Facts };

const NAMES = FACT_LIST.map(([name]) => name);
const GETTERS = FACT_LIST.map(([, { get }]) => get);
const UNKNOWN = Object.fromEntries(FACT_LIST.map(([name]) => [name, null]));

/** Facts without values, but with all keys in order, so that all facts have the same shape. */
export function noFacts(): Record<string, unknown> {
  return { ...UNKNOWN };
}

/**
 * The facts that this frame and earlier ones show. `before`: the time of the previous frame; `text`: the line, if it is
 * text.
 */
export function factsOf(read: ReadFrame, before: number | null, text: string | null): Facts {
  const observed = observe(read, before, text);
  const facts = noFacts();
  for (let i = 0; i < NAMES.length; i++) {
    const value = GETTERS[i]!(observed);
    if (value !== null) facts[NAMES[i]!] = value;
  }
  return facts as Facts;
}
