/**
 * Which lines of JSON are in sight: folds, strings that are opened, and JSON in strings that is unwrapped. All of it is
 * numbers, made anew when something is opened or closed.
 */
import { emptyOf, type JsonLines, jsonLines, LINE, pathOf, valueAt } from './json-lines.ts';
import { pieceEnd, piecesOf } from './wrapped.ts';

export interface JsonSpan {
  is: 'key' | 'string' | 'number' | 'word' | 'mark' | 'note';
  text: string;
}

export interface JsonRow {
  depth: number;
  spans: JsonSpan[];
  /** Of an object or array with content: whether it is open. */
  open: boolean | null;
  /** How many characters of a string are not shown; 0: all are. */
  more: number;
  /** It can be closed again: a string that was opened. */
  isOpenString: boolean;
  /** It is JSON in a string: whether it is unwrapped. Null: it is not. */
  unwrapped: boolean | null;
  /** It is in a string that was unwrapped. */
  isInner: boolean;
}

interface Doc {
  lines: JsonLines;
  depth: number;
  /** Where the string is that it was in; null for the frame itself. */
  outer: string | null;
  /** Lines that are closed, strings that are open, and the documents in strings that are unwrapped. */
  closed: Set<number>;
  strings: Set<number>;
  inner: Map<number, number>;
  /** What is known about strings: the JSON in them, or null. */
  known: Map<number, JsonLines | null>;
}

/** The shortest string that is worth unwrapping, and the longest. */
const MIN_JSON_CHARS = 6;
const MAX_JSON_CHARS = 8 << 20;
/** Of a closed string so much is shown, if it fits. */
const CLOSED_STRING_CHARS = 400;

export class JsonRows {
  readonly #docs: Doc[] = [];
  #columns: number;
  #count = 0;
  #doc: Uint32Array = new Uint32Array(0);
  #line: Uint32Array = new Uint32Array(0);
  /** Which piece of a string: 0 is the line itself. */
  #piece: Uint32Array = new Uint32Array(0);
  readonly #pieces = new Map<string, Uint32Array>();

  constructor(lines: JsonLines, columns: number) {
    this.#columns = columns;
    this.#docs.push(docOf(lines, 0, null));
    this.#remake();
  }

  get count(): number {
    return this.#count;
  }

  set columns(columns: number) {
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#pieces.clear();
    this.#remake();
  }

  row(index: number): JsonRow {
    const doc = this.#docs[this.#doc[index]!]!;
    const line = this.#line[index]!;
    const { lines } = doc;
    const depth = doc.depth + lines.depth[line]!;
    const base = { depth, isInner: doc.outer !== null, open: null, more: 0, isOpenString: false, unwrapped: null };
    if (doc.strings.has(line)) return this.#stringRow(index, base);
    const spans: JsonSpan[] = [];
    const key = lines.key[line]!;
    if (key >= 0) {
      spans.push({ is: 'key', text: lines.text.slice(key, lines.keyEnd[line]!) }, { is: 'mark', text: ': ' });
    }
    const comma: JsonSpan[] = lines.comma[line] === 1 ? [{ is: 'mark', text: ',' }] : [];
    const from = lines.value[line]!;
    if (lines.is[line] === LINE.open) return { ...base, spans, open: this.#bracket(doc, line, spans, comma) };
    if (lines.is[line] === LINE.empty) spans.push({ is: 'mark', text: emptyOf(lines.text[from]!) });
    if (lines.is[line] !== LINE.scalar) {
      if (lines.is[line] === LINE.close) spans.push({ is: 'mark', text: lines.text[from]! });
      return { ...base, spans: [...spans, ...comma] };
    }
    const to = lines.valueEnd[line]!;
    const shown = this.#glance(doc, line);
    spans.push({ is: sortOf(lines.text[from]!), text: lines.text.slice(from, from + shown) });
    if (shown === to - from) spans.push(...comma);
    const unwrapped = doc.inner.has(line) ? true : this.#inside(doc, line) ? false : null;
    return { ...base, spans, more: to - from - shown, unwrapped };
  }

  /** Opens or closes what the row has: an object, a string, JSON in a string. */
  toggle(index: number, what: 'fold' | 'string' | 'inner'): void {
    const doc = this.#docs[this.#doc[index]!]!;
    const line = this.#line[index]!;
    if (what === 'fold') flip(doc.closed, doc.lines.is[line] === LINE.close ? doc.lines.match[line]! : line);
    else if (what === 'string') flip(doc.strings, line);
    else this.#unwrap(doc, line);
    this.#remake();
  }

  /** Closes everything below this depth, or opens everything. */
  foldAll(depth: number | null): void {
    for (const doc of this.#docs) {
      doc.closed.clear();
      if (depth === null) continue;
      for (let i = 0; i < doc.lines.count; i++)
        if (doc.lines.is[i] === LINE.open && doc.lines.depth[i]! >= depth) doc.closed.add(i);
    }
    this.#remake();
  }

  /** The path in the frame; `▸` leads into a string. */
  path(index: number): string {
    const doc = this.#docs[this.#doc[index]!]!;
    const own = pathOf(doc.lines, this.#line[index]!);
    return doc.outer === null ? own : `${doc.outer} ▸ ${own}`;
  }

  value(index: number): string {
    return valueAt(this.#docs[this.#doc[index]!]!.lines, this.#line[index]!);
  }

  /** The row that shows the first line at or after an offset of the frame's text. */
  rowAt(offset: number): number {
    for (let i = 0; i < this.#count; i++)
      if (this.#doc[i] === 0 && this.#docs[0]!.lines.valueEnd[this.#line[i]!]! > offset) return i;
    return this.#count - 1;
  }

  #stringRow(index: number, base: Omit<JsonRow, 'spans'>): JsonRow {
    const doc = this.#docs[this.#doc[index]!]!;
    const line = this.#line[index]!;
    const { lines } = doc;
    const piece = this.#piece[index]!;
    const starts = this.#piecesOf(this.#doc[index]!, line);
    const spans: JsonSpan[] = [];
    const key = lines.key[line]!;
    if (piece === 0 && key >= 0)
      spans.push({ is: 'key', text: lines.text.slice(key, lines.keyEnd[line]!) }, { is: 'mark', text: ':' });
    else if (piece > 0 || key < 0) {
      const n = key < 0 ? piece : piece - 1;
      const end = starts[n + 1] ?? lines.valueEnd[line]!;
      spans.push({ is: 'string', text: lines.text.slice(starts[n]!, end) });
      if (n === starts.length - 1 && lines.comma[line] === 1) spans.push({ is: 'mark', text: ',' });
    }
    const depth = key >= 0 && piece > 0 ? base.depth + 1 : base.depth;
    return { ...base, depth, spans, isOpenString: piece === 0 };
  }

  /** The spans of an opening bracket, with a note of what is closed. */
  #bracket(doc: Doc, line: number, spans: JsonSpan[], comma: JsonSpan[]): boolean {
    const { lines } = doc;
    const bracket = lines.text[lines.value[line]!]!;
    const isClosed = doc.closed.has(line);
    const last = lines.match[line]!;
    spans.push({ is: 'mark', text: bracket });
    if (!isClosed) return true;
    spans.push(
      { is: 'note', text: ` … ${membersOf(lines, line)} ` },
      { is: 'mark', text: bracket === '{' ? '}' : ']' },
    );
    if (last >= 0 && lines.comma[last] === 1) spans.push({ is: 'mark', text: ',' });
    else spans.push(...comma);
    return false;
  }

  #glance(doc: Doc, line: number): number {
    const { lines } = doc;
    const length = lines.valueEnd[line]! - lines.value[line]!;
    const key = lines.key[line]! < 0 ? 0 : lines.keyEnd[line]! - lines.key[line]! + 2;
    const room = Math.max(
      24,
      Math.min(CLOSED_STRING_CHARS, this.#columns - key - 2 * Math.min(20, doc.depth + lines.depth[line]!) - 14),
    );
    const from = lines.value[line]!;
    // A button would take more room than a few characters.
    const end = pieceEnd(lines.text, from, from + length, room);
    return length - (end - from) < 12 && length <= room + 12 ? length : end - from;
  }

  #inside(doc: Doc, line: number): JsonLines | null {
    const known = doc.known.get(line);
    if (known !== undefined) return known;
    const found = jsonIn(doc.lines, line);
    doc.known.set(line, found);
    return found;
  }

  #unwrap(doc: Doc, line: number): void {
    if (doc.inner.delete(line)) return;
    const lines = this.#inside(doc, line);
    if (!lines) return;
    const own = pathOf(doc.lines, line);
    const outer = doc.outer === null ? own : `${doc.outer} ▸ ${own}`;
    doc.inner.set(line, this.#docs.length);
    this.#docs.push(docOf(lines, doc.depth + doc.lines.depth[line]! + 1, outer));
  }

  #piecesOf(doc: number, line: number): Uint32Array {
    const key = `${doc}:${line}`;
    const known = this.#pieces.get(key);
    if (known) return known;
    const { lines, depth } = this.#docs[doc]!;
    const room = Math.max(24, this.#columns - 2 * Math.min(20, depth + lines.depth[line]! + 1) - 4);
    const made = piecesOf(lines.text, lines.value[line]!, lines.valueEnd[line]!, room, true);
    this.#pieces.set(key, made);
    return made;
  }

  #remake(): void {
    const rows = new Rows();
    /** Documents that are not finished: the innermost last. */
    const stack: { doc: number; line: number }[] = [{ doc: 0, line: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const doc = this.#docs[top.doc]!;
      const { line } = top;
      if (line >= doc.lines.count) {
        stack.pop();
        continue;
      }
      const hasKey = doc.lines.key[line]! >= 0;
      const pieces = doc.strings.has(line) ? this.#piecesOf(top.doc, line).length + (hasKey ? 1 : 0) : 1;
      for (let piece = 0; piece < pieces; piece++) rows.add(top.doc, line, piece);
      const last = doc.closed.has(line) ? doc.lines.match[line]! : -1;
      top.line = doc.closed.has(line) ? (last < 0 ? doc.lines.count : last + 1) : line + 1;
      const inner = doc.inner.get(line);
      if (inner !== undefined) stack.push({ doc: inner, line: 0 });
    }
    [this.#doc, this.#line, this.#piece] = rows.columns();
    this.#count = this.#doc.length;
  }
}

class Rows {
  #all = new Uint32Array(3 * 1024);
  #count = 0;

  add(doc: number, line: number, piece: number): void {
    if (this.#count * 3 + 3 > this.#all.length) {
      const more = new Uint32Array(this.#all.length * 2);
      more.set(this.#all);
      this.#all = more;
    }
    this.#all[this.#count * 3] = doc;
    this.#all[this.#count * 3 + 1] = line;
    this.#all[this.#count * 3 + 2] = piece;
    this.#count++;
  }

  columns(): [Uint32Array, Uint32Array, Uint32Array] {
    const column = (n: number) => Uint32Array.from({ length: this.#count }, (_, i) => this.#all[i * 3 + n]!);
    return [column(0), column(1), column(2)];
  }
}

function docOf(lines: JsonLines, depth: number, outer: string | null): Doc {
  return { lines, depth, outer, closed: new Set(), strings: new Set(), inner: new Map(), known: new Map() };
}

function flip(set: Set<number>, one: number): void {
  if (!set.delete(one)) set.add(one);
}

function sortOf(first: string): JsonSpan['is'] {
  return first === '"' ? 'string' : /[-\d]/.test(first) ? 'number' : 'word';
}

/** How many members an object or array has. */
function membersOf(lines: JsonLines, line: number): number {
  const end = lines.match[line]! < 0 ? lines.count : lines.match[line]!;
  const depth = lines.depth[line]! + 1;
  let members = 0;
  for (let i = line + 1; i < end; i++) if (lines.depth[i] === depth && lines.is[i] !== LINE.close) members++;
  return members;
}

/** The JSON object or array in a string. */
function jsonIn(lines: JsonLines, line: number): JsonLines | null {
  const [from, to] = [lines.value[line]!, lines.valueEnd[line]!];
  if (lines.text[from] !== '"' || to - from < MIN_JSON_CHARS || to - from > MAX_JSON_CHARS) return null;
  if (!/^"(?:\s|\\[nrt])*[[{]/.test(lines.text.slice(from, from + 200))) return null;
  try {
    return jsonLines(JSON.parse(lines.text.slice(from, to)) as string);
  } catch {
    return null;
  }
}
