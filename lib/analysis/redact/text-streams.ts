/**
 * Texts that arrive in pieces: deltas of one item, strings at the same place of consecutive lines, and plain lines. A value
 * that is cut over several of them is found in the pieces joined. Only the end of each text is kept.
 */
import { isTokenChar, pairAt, startsAt } from '../../model/text/key-formats.ts';
import { isBase64 } from './base64.ts';
import type { RedactionDetector } from './detector.ts';
import { type Edit, editsIn } from './edits.ts';

/** How the pieces belong together: as one text, as lines of one, probably as one text, or only perhaps. */
export type JoinKind = 'delta' | 'rows' | 'alike' | 'loose';

/** Where the base64 of a piece stands in its line. */
export interface CodedSpan {
  start: number;
  end: number;
}

/**
 * A part of a value that stands in one frame: the positions in the line, or in what its base64 stands for, and which share of
 * the replacement it gets.
 */
export interface SplitPart {
  start: number;
  end: number;
  edit: Edit;
  coded?: CodedSpan;
  /** The part of the value, from 0 to 1, that is before this one, and before the next one. */
  from: number;
  to: number;
}

/** Where the characters of a piece stand in its line. */
export type PositionMap = (at: number) => number;

interface StreamPiece {
  f: number;
  /** Where it begins in the text, and where it ends. */
  at: number;
  end: number;
  place: PositionMap;
  coded?: CodedSpan;
}

interface JoinedText {
  text: string;
  pieces: StreamPiece[];
  joinKind: JoinKind;
  /** It is looked at when it is longer than this. */
  searchLength: number;
}

/** How much is joined before it is searched, and how much of it is kept for the next pieces. */
const MAX_JOINED_CHARS = 16_384;
const KEPT_CHARS = 4096;
/** A value that does not end is not waited for any longer. */
const MAX_UNFINISHED_CHARS = 262_144;
/** What a loose piece adds at most, at each of its ends. */
const MAX_LOOSE_CHARS = 256;
const MAX_STREAMS = 2000;
/** Of one key. */
const MAX_PIECES = 1000;
/** More than a word: what goes on with a key. */
const KEY_CONTINUATION = /^(?=[A-Za-z_-]{0,60}[0-9])(?=[0-9_-]{0,60}[A-Za-z])[A-Za-z0-9_+/=.~-]{4,}/;

export class TextStreams {
  readonly #detector: RedactionDetector;
  readonly #found: (f: number, part: SplitPart) => void;
  readonly #values: (edit: Edit) => void;
  readonly #streams: Record<JoinKind, Map<number | string, JoinedText>> = {
    delta: new Map(),
    rows: new Map(),
    alike: new Map(),
    loose: new Map(),
  };

  /** How many literals were known when the first of them was searched. */
  fewestLiterals = Number.POSITIVE_INFINITY;

  constructor(detector: RedactionDetector, found: (f: number, part: SplitPart) => void, values: (edit: Edit) => void) {
    this.#detector = detector;
    this.#found = found;
    this.#values = values;
  }

  /** A piece of the text with this key. `coded`: it stands there in base64. */
  take(
    joint: 'delta' | 'rows' | 'alike',
    key: number | string,
    f: number,
    piece: string,
    place: PositionMap,
    coded?: CodedSpan,
  ): void {
    if (piece === '') return;
    const joined = this.#joined(joint, key);
    const maxPart = MAX_JOINED_CHARS / 2;
    if (piece.length <= 2 * maxPart) return this.#append(joined, f, piece, place, coded);
    // The middle of a long piece is found in its frame.
    this.#append(joined, f, piece.slice(0, maxPart), place, coded);
    this.#searchJoined(joined, true);
    const rest = piece.length - maxPart;
    this.#append(joined, f, piece.slice(rest), (at) => place(at + rest), coded);
  }

  /** A string of a line, which may go on in the same place of the next one: only if a key may be cut at its end. */
  loose(key: number, f: number, line: string, start: number, end: number): void {
    const streams = this.#streams.loose;
    const mayContinue = mayBeCutKey(line, start, end);
    if (!streams.has(key)) {
      if (!mayContinue) return;
      const from = Math.max(start, end - MAX_LOOSE_CHARS);
      return this.#append(this.#joined('loose', key), f, line.slice(from, end), (at) => from + at);
    }
    const joined = this.#joined('loose', key);
    this.#append(joined, f, line.slice(start, Math.min(end, start + MAX_LOOSE_CHARS)), (at) => start + at);
    if (
      end - start <= MAX_LOOSE_CHARS &&
      joined.pieces.length < MAX_PIECES &&
      mayBeCutKey(joined.text, 0, joined.text.length)
    )
      return;
    this.#searchJoined(joined, true);
    streams.delete(key);
    if (mayContinue) this.loose(key, f, line, start, end);
  }

  #joined(joint: JoinKind, key: number | string): JoinedText {
    const streams = this.#streams[joint];
    const known = streams.get(key);
    if (known) return known;
    const joined: JoinedText = { text: '', pieces: [], joinKind: joint, searchLength: MAX_JOINED_CHARS };
    streams.set(key, joined);
    if (streams.size > MAX_STREAMS) this.#dropOldest(streams);
    return joined;
  }

  /** To be called after the last frame. */
  end(): void {
    for (const streams of Object.values(this.#streams)) {
      for (const joined of streams.values()) this.#searchJoined(joined, true);
      streams.clear();
    }
  }

  #dropOldest(streams: Map<number | string, JoinedText>): void {
    const [key, joined] = streams.entries().next().value!;
    this.#searchJoined(joined, true);
    streams.delete(key);
  }

  #append(joined: JoinedText, f: number, piece: string, place: PositionMap, coded?: CodedSpan): void {
    if (joined.joinKind === 'rows' && joined.text !== '') joined.text += '\n';
    const at = joined.text.length;
    joined.text += piece;
    joined.pieces.push({ f, at, end: joined.text.length, place, ...(coded ? { coded } : {}) });
    if (joined.text.length > joined.searchLength) this.#searchJoined(joined, false);
  }

  #searchJoined(joined: JoinedText, isLast: boolean): void {
    const { text } = joined;
    if (joined.pieces.length > 1) this.fewestLiterals = Math.min(this.fewestLiterals, this.#detector.literals);
    const edits = joined.pieces.length > 1 ? editsIn(text, this.#detector) : [];
    const settled = isLast || text.length > MAX_UNFINISHED_CHARS ? text.length : text.length - KEPT_CHARS;
    let keep = settled;
    for (const edit of edits) {
      if (edit.end > settled) keep = Math.min(keep, edit.from);
      else this.#reportSplit(joined, edit);
    }
    keep = alignToFour(text, keep);
    joined.text = text.slice(keep);
    // A value that goes on and on is not looked at with each of its pieces.
    joined.searchLength = Math.max(MAX_JOINED_CHARS, 2 * joined.text.length);
    joined.pieces = joined.pieces
      .filter(({ end }) => end > keep)
      .map((piece) => ({ ...piece, at: piece.at - keep, end: piece.end - keep }));
  }

  #reportSplit({ text, pieces, joinKind: joint }: JoinedText, edit: Edit): void {
    const first = pieceAt(pieces, edit.from);
    const last = pieceAt(pieces, edit.end - 1);
    if (first === last) return;
    const isCertain = joint === 'delta' || joint === 'rows';
    if ((joint === 'rows' || joint === 'loose') && !edit.strong) return;
    if (!isCertain && !this.#belongTogether(text, pieces, edit)) return;
    if (joint !== 'loose') this.#values(edit);
    const length = edit.end - edit.start;
    for (let i = pieceAt(pieces, edit.start); i <= last; i++) {
      const { f, at, end, place, coded } = pieces[i]!;
      const from = Math.max(edit.start, at);
      const to = Math.min(edit.end, end);
      if (from >= to) continue;
      const isEnd = i === last;
      this.#found(f, {
        ...{ start: place(from - at), end: place(to - at), edit },
        ...{ from: (from - edit.start) / length, to: isEnd ? 1 : (to - edit.start) / length },
        ...(coded ? { coded } : {}),
      });
    }
  }

  /** Strings that need not belong together do if the first is no whole key, or the next goes on as keys do. */
  #belongTogether(text: string, pieces: readonly StreamPiece[], { start, end }: Edit): boolean {
    const piece = pieces[pieceAt(pieces, start)]!;
    const own = text.slice(Math.max(0, piece.at), piece.end);
    const before = start - Math.max(0, piece.at);
    const whole = editsIn(own, this.#detector).find((edit) => edit.start <= before && edit.end > before);
    if (!whole || whole.end < own.length) return !whole;
    const rest = text.slice(piece.end, end);
    return KEY_CONTINUATION.test(rest) && !this.#detector.find(rest).some((hit) => hit.start === 0);
  }
}

/** Whether a key of a known format may have started at the end of the text and be cut there. */
function mayBeCutKey(text: string, from: number, end: number): boolean {
  let start = end;
  while (start > from && end - start < MAX_LOOSE_CHARS && isTokenChar(text.charCodeAt(start - 1))) start--;
  const length = end - start;
  return length === 1 || (length > 1 && startsAt(pairAt(text, start)) !== undefined);
}

/** Base64 is read from its beginning, or so many characters after it as four divides. */
function alignToFour(text: string, at: number): number {
  let start = at;
  while (start > 0 && isBase64(text.charCodeAt(start - 1))) start--;
  return at - ((at - start) % 4);
}

/** The piece that contains this position. */
function pieceAt(pieces: readonly StreamPiece[], position: number): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (pieces[mid]!.at <= position) low = mid;
    else high = mid - 1;
  }
  return low;
}

/** The share of the replacement that a part gets: together they are the whole, and each gets something while there is any. */
export function sliceOfReplacement(replacement: string, { from, to }: Pick<SplitPart, 'from' | 'to'>): string {
  const cut = (share: number) => Math.ceil(share * replacement.length - 1e-9);
  return replacement.slice(cut(from), cut(to));
}
