/**
 * Lines of a protocol that nobody knows, one after the other, that are the same but for one string: the pieces of a text. A
 * number is no string, and an id or a time that changes with each line does not count.
 */
import { eachLeaf } from './json-leaves.ts';

export interface LineString {
  start: number;
  end: number;
  /** For the keys and indexes that lead to it. */
  pathHash: number;
}

export interface StringLine {
  f: number;
  text: string;
  leaves: LineString[];
}

/** Pieces of one text: what the line adds to it, and the line before if the text begins there. */
export interface ContinuedText {
  /** The same for all of its pieces. */
  key: string;
  pieces: { line: StringLine; leaf: LineString }[];
}

const CHANGING_VALUE =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)$/i;
/** A line with more strings is no piece. */
const MAX_STRINGS = 40;

export class LookAlikes {
  /** The last line of each side, and which of its strings goes on from the one before. */
  readonly #last = new Map<string, { line: StringLine; at: number; texts: number }>();
  #texts = 0;

  /** The line, and what it goes on with; null if it is like no other. */
  take(from: string, f: number, text: string): { line: StringLine; continued: ContinuedText | null } {
    const line = { f, text, leaves: leavesOf(text) };
    const before = this.#last.get(from);
    const at = before ? differingString(before.line, line) : -1;
    const continues = before !== undefined && at >= 0 && at === before.at;
    const texts = continues ? before.texts : ++this.#texts;
    this.#last.set(from, { line, at, texts });
    if (before === undefined || at < 0) return { line, continued: null };
    const all = continues ? [line] : [before.line, line];
    return {
      line,
      continued: { key: `${texts} ${from}`, pieces: all.map((one) => ({ line: one, leaf: one.leaves[at]! })) },
    };
  }
}

function leavesOf(text: string): LineString[] {
  const leaves: LineString[] = [];
  eachLeaf(text, (start, end, isKey, place) => {
    if (!isKey) leaves.push({ start, end, pathHash: place });
  });
  return leaves;
}

/** The one string that differs, by its index; -1 if there is none, or more than one. */
function differingString(a: StringLine, b: StringLine): number {
  if (a.leaves.length !== b.leaves.length || a.leaves.length > MAX_STRINGS) return -1;
  let found = -1;
  for (let i = 0; i < a.leaves.length; i++) {
    const [one, other] = [a.leaves[i]!, b.leaves[i]!];
    if (one.pathHash !== other.pathHash) return -1;
    const written = b.text.slice(other.start, other.end);
    if (a.text.slice(one.start, one.end) === written || CHANGING_VALUE.test(written)) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}
