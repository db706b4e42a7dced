/**
 * What to replace in a text, in all of its readings: as it stands, with escapes and percent signs resolved, and inside
 * base64, each in each other. The result is in positions of the text itself, in order, and without overlaps.
 */
import { stringEnd } from '../../model/json/json-number.ts';
import type { RedactionDetector } from './detector.ts';
import type { Hit } from './kinds.ts';
import { MAY_BE_FOUND, NOTHING_FOUND } from './sieve.ts';
import { type EncodedText, encodedIn, viewUnescaped, viewUnpercented } from './views.ts';
import { viewJoined, viewVisible } from './visible-text.ts';

export interface Edit extends Hit {
  /** What stands there, decoded: equal values get equal pseudonyms. */
  value: string;
  /** Base64: what changes in the text that it stands for. */
  inside: { encoded: EncodedText; edits: Edit[] } | null;
  /** It is a number outside of strings. */
  isNumber?: true;
}

/** More readings of one text are not made; JSON in JSON doubles its backslashes, so it cannot go deeper. */
const MAX_VIEWS = 24;
const MIN_TEXT_CHARS = 6;

/** Shared by all texts in which nothing is replaced, which are most. */
const NO_EDITS: readonly Edit[] = [];

export function editsIn(text: string, detector: RedactionDetector): readonly Edit[] {
  return editsAfterSieve(text, detector, detector.sieve.lookAtText(text));
}

/**
 * The same for a text that the sieve has seen; `sieveResult` is what it said. A text that cannot be searched, because the stack is
 * too small for it, is replaced as a whole.
 */
export function editsAfterSieve(text: string, detector: RedactionDetector, sieveResult: number): readonly Edit[] {
  if (sieveResult === NOTHING_FOUND) return NO_EDITS;
  try {
    return new EditSearch(text, detector, sieveResult === MAY_BE_FOUND).edits(MAX_VIEWS);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ kind: 'secret', strong: true, start: 0, end: text.length, from: 0, value: text, inside: null }];
  }
}

const NO_HITS: readonly Hit[] = [];

class EditSearch {
  readonly #text: string;
  readonly #detector: RedactionDetector;
  readonly #isPlain: boolean;
  readonly #found: Edit[] = [];
  #viewsLeft = 0;

  /** `isPlain`: something may stand there without being encoded. */
  constructor(text: string, detector: RedactionDetector, isPlain: boolean) {
    this.#text = text;
    this.#detector = detector;
    this.#isPlain = isPlain;
  }

  edits(views: number): Edit[] {
    if (this.#text.length < MIN_TEXT_CHARS) return [];
    this.#viewsLeft = views;
    this.#searchView(this.#text, (at) => at);
    return this.#found.length === 0 ? this.#found : mergeOverlaps(this.#text, this.#found);
  }

  #searchView(text: string, positionIn: (at: number) => number): void {
    if (this.#viewsLeft-- <= 0) return;
    for (const hit of this.#isPlain ? this.#detector.find(text) : NO_HITS)
      this.#found.push(editOf(hit, text, positionIn, positionIn));
    if (this.#isPlain) this.#searchSeen(text, positionIn);
    const plain = viewUnescaped(text);
    // An escape before base64 would be read as a part of it.
    if (plain === null) this.#searchBase64(text, positionIn);
    for (const view of [plain, viewUnpercented(text)])
      if (view && view.text !== text) this.#searchView(view.text, (at) => positionIn(view.at(at)));
      else if (view) this.#searchBase64(text, positionIn);
  }

  /** The same text as a person sees it. */
  #searchSeen(text: string, positionIn: (at: number) => number): void {
    const seen = viewVisible(text);
    const inText = seen ? (at: number) => positionIn(seen.at(at)) : positionIn;
    const endIn = seen ? (at: number) => positionIn(seen.at(at - 1) + 1) : positionIn;
    if (seen) {
      for (const hit of this.#detector.find(seen.text)) this.#found.push(editOf(hit, seen.text, inText, endIn));
      this.#searchBase64(seen.text, inText);
      const unpercented = viewUnpercented(seen.text);
      const inSeen = (at: number) => inText(unpercented!.at(at));
      for (const hit of unpercented ? this.#detector.find(unpercented.text) : NO_HITS)
        this.#found.push(editOf(hit, unpercented!.text, inSeen, inSeen));
    }
    const joined = viewJoined(seen?.text ?? text);
    if (!joined) return;
    const { view, joints } = joined;
    for (const hit of this.#detector.find(view.text))
      if (hasBetween(joints, hit.from, hit.end))
        this.#found.push(
          editOf(
            hit,
            view.text,
            (at) => inText(view.at(at)),
            (at) => endIn(view.at(at - 1) + 1),
          ),
        );
  }

  #searchBase64(text: string, positionIn: (at: number) => number): void {
    for (const encoded of encodedIn(text)) {
      const edits = new EditSearch(encoded.text, this.#detector, true).edits(this.#viewsLeft);
      if (edits.length === 0) continue;
      const start = positionIn(encoded.start);
      const value = text.slice(encoded.start, encoded.end);
      const inside = { encoded, edits };
      this.#found.push({
        kind: edits[0]!.kind,
        strong: true,
        value,
        inside,
        from: start,
        start,
        end: positionIn(encoded.end),
      });
    }
  }
}

/** Whether one of these positions, which are in order, is not before `from` and is before `to`. */
function hasBetween(positions: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (positions[mid]! < from) low = mid + 1;
    else high = mid;
  }
  return low < positions.length && positions[low]! < to;
}

function editOf(
  { kind, strong, start, end, from }: Hit,
  text: string,
  positionIn: (at: number) => number,
  endIn: (at: number) => number,
): Edit {
  const value = text.slice(start, end);
  return { kind, strong, value, inside: null, from: positionIn(from), start: positionIn(start), end: endIn(end) };
}

function mergeOverlaps(text: string, found: Edit[]): Edit[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const edits: Edit[] = [];
  for (let i = 0; i < found.length; ) {
    let end = found[i]!.end;
    let next = i + 1;
    while (next < found.length && found[next]!.start < end) end = Math.max(end, found[next++]!.end);
    edits.push(next === i + 1 ? found[i]! : mergeToOne(text, found.slice(i, next), end));
    i = next;
  }
  return edits;
}

/** One edit for several that overlap. */
function mergeToOne(text: string, all: Edit[], end: number): Edit {
  const { start } = all[0]!;
  const covering = all.filter((edit) => edit.start === start && edit.end === end);
  const plain = covering.filter(({ inside }) => inside === null);
  const best = plain.find(({ strong }) => strong) ?? plain[0];
  if (best) return best;
  // Base64 is written again if nothing in it stands there undecoded.
  if (covering.length > 0 && all.every(({ inside }) => inside !== null)) return covering[0]!;
  const { kind, strong } = all.find((edit) => edit.strong && !edit.inside) ?? all[0]!;
  return { kind, strong, start, end, from: all[0]!.from, value: text.slice(start, end), inside: null };
}

/** The same edits, such that JSON stays JSON: each inside one string, or a whole number. */
export function insideStrings(text: string, edits: readonly Edit[]): Edit[] {
  const fitting: Edit[] = [];
  let open = text.indexOf('"');
  let close = open < 0 ? -1 : stringEnd(text, open);
  for (const edit of edits) {
    while (open >= 0 && close <= edit.start) {
      open = text.indexOf('"', close);
      close = open < 0 ? -1 : stringEnd(text, open);
    }
    if (open >= 0 && edit.start > open && edit.end < close) fitting.push(edit);
    else if ((open < 0 || edit.end <= open) && isNumber(text, edit)) fitting.push({ ...edit, isNumber: true });
    // What a form takes for one text may be two strings; only what is a secret in any case is replaced in both.
    else if (edit.strong) fitting.push(...cutToStrings(text, edit));
  }
  return fitting;
}

function isNumber(text: string, { start, end }: Edit): boolean {
  return (
    /^[1-9][0-9]*$/.test(text.slice(start, end)) && !/[0-9.eE+-]/.test(`${text[start - 1] ?? ''}${text[end] ?? ''}`)
  );
}

function cutToStrings(text: string, edit: Edit): Edit[] {
  const parts: Edit[] = [];
  for (let open = text.indexOf('"'); open >= 0 && open < edit.end; ) {
    const close = stringEnd(text, open);
    const start = Math.max(edit.start, open + 1);
    const end = Math.min(edit.end, close - 1);
    if (start < end) parts.push({ ...edit, start, end, from: start, value: text.slice(start, end), inside: null });
    open = text.indexOf('"', close);
  }
  return parts;
}
