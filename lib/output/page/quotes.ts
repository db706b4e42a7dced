/**
 * Texts of rows that are on the tape anyway: instead of the text, a row has the frames that say it and which of their
 * strings it is. A text that arrived in pieces is those pieces, one behind the other. Such a quote is a string that begins
 * with NUL: `f.n`, `from-to.n` for frames in a row, several of them with commas, and the length if the rest is left out.
 * A text that begins with NUL itself has one more in front.
 */
import type { EventKind } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { textIn, valueIn } from '../../model/message.ts';
import { type PiecePosition, stringsAsSent } from '../../model/text/searchable.ts';
import type { TimelineRow } from '../../model/timeline/json.ts';
import { LongTexts } from './long-texts.ts';
import { KIND, ROW_KINDS, type TreeRowKind } from './page.ts';

/** Shorter texts are not quoted. */
const MIN_QUOTED_CHARS = 48;
/** The keys of a row that may have quotes; the second list only if it has arguments. */
const OF_ITEMS = ['text', 'answer_text', 'blocks'];
const OF_CALLS_AND_REQUESTS = [
  ...['arguments', 'output', 'displays', 'description', 'options', 'questions', 'feedback', 'answers', 'edited'],
];
const MAX_STREAMS = 10_000;
const NUL = '\0';

/** A text in pieces. `runs`: first and last frame, and the number of the string. */
interface StreamedText {
  runs: [number, number, number][];
  text: string;
}

export class Quotes {
  readonly #texts = new LongTexts();
  readonly #streams = new LimitedMap<number, StreamedText>(MAX_STREAMS);
  /** The one that the latest piece was added to. */
  #latest: { item: number; kind: EventKind; stream: StreamedText } | null = null;

  /** `strings`: those of the line as they were sent. `item`: the item that the frame is part of. */
  take(frame: Frame, strings: readonly string[], place: PiecePosition | null, item: number | null): void {
    const { f } = frame;
    const piece = place && typeof place.at === 'number' ? place.at : -1;
    if (place && item !== null) this.#add(this.#streamOf(item, place.kind), f, piece, strings[piece]);
    for (let n = 0; n < strings.length; n++) {
      const text = strings[n]!;
      if (text.length >= MIN_QUOTED_CHARS) this.#texts.add(text, f, n);
    }
  }

  #streamOf(item: number, kind: EventKind): StreamedText {
    const latest = this.#latest;
    if (latest && latest.item === item && latest.kind === kind) return latest.stream;
    const key = keyOf(item, kind);
    const stream = this.#streams.get(key) ?? { runs: [], text: '' };
    this.#streams.set(key, stream);
    this.#latest = { item, kind, stream };
    return stream;
  }

  #add(stream: StreamedText, f: number, n: number, text: string | undefined): void {
    const last = stream.runs.at(-1);
    stream.text += text ?? NUL;
    if (last && last[1] === f - 1 && last[2] === n) last[1] = f;
    else stream.runs.push([f, f, n]);
  }

  /** Puts quotes in the place of texts, in the row itself. `f`: the first frame of its item. */
  quote<T extends TimelineRow>(row: T, f: number, kind: TreeRowKind): T {
    if (row.text === undefined) return row;
    const own = this.#taken(keyOf(f, kind));
    const args = kind === 'tool-call' ? this.#taken(keyOf(f, 'tool-args')) : null;
    this.#quoteIn(row, OF_ITEMS, own, args);
    if ('arguments' in row) this.#quoteIn(row, OF_CALLS_AND_REQUESTS, own, args);
    return row;
  }

  #quoteIn(row: TimelineRow, keys: readonly string[], own: StreamedText | null, args: StreamedText | null): void {
    for (let i = 0; i < keys.length; i++) {
      const value = row[keys[i]!];
      if (isPlain(value)) continue;
      const inside = this.#inside(value, own, args);
      if (inside !== value) row[keys[i]!] = inside;
    }
  }

  #taken(key: number): StreamedText | null {
    const stream = this.#streams.get(key);
    if (stream === undefined) return null;
    this.#streams.delete(key);
    if (stream === this.#latest?.stream) this.#latest = null;
    return stream;
  }

  /** The value itself, if there is nothing to quote in it; otherwise a copy, because others have it too. */
  #inside(value: unknown, own: StreamedText | null, args: StreamedText | null): unknown {
    if (typeof value === 'string') return this.#quoted(value, own, args);
    let copy: Record<string, unknown> | unknown[] | null = null;
    for (const key in value as object) {
      const one = (value as Record<string, unknown>)[key];
      if (isPlain(one)) continue;
      const inside = this.#inside(one, own, args);
      if (inside === one) continue;
      copy ??= Array.isArray(value) ? [...value] : { ...(value as object) };
      (copy as Record<string, unknown>)[key] = inside;
    }
    return copy ?? value;
  }

  #quoted(text: string, own: StreamedText | null, args: StreamedText | null): string {
    if (text.length >= MIN_QUOTED_CHARS) {
      const earlier = this.#texts.find(text);
      if (earlier !== undefined) return `${NUL}${earlier.f}.${earlier.n}`;
      if (own !== null && begins(own.text, text)) return quoteOf(own, text);
      if (args !== null && begins(args.text, text)) return quoteOf(args, text);
    }
    return text.charCodeAt(0) === 0 ? NUL + text : text;
  }
}

/** The same as `startsWith`, which V8 makes a loop over the characters of. */
const begins = (whole: string, text: string): boolean =>
  whole.length === text.length ? whole === text : whole.slice(0, text.length) === text;

/** The pieces of one kind of an item, as a number: texts would be made for every row. */
const keyOf = (item: number, kind: TreeRowKind): number => item * ROW_KINDS.length + KIND[kind];

/** Whether it is left as it is: there is no text in it, or a short one. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.length < MIN_QUOTED_CHARS && value.charCodeAt(0) !== 0;
  return typeof value !== 'object' || value === null;
}

function quoteOf(stream: StreamedText, text: string): string {
  const runs = stream.runs.map(([from, to, n]) => `${from === to ? from : `${from}-${to}`}.${n}`);
  return `${NUL}${runs.join(',')}${stream.text.length > text.length ? `/${text.length}` : ''}`;
}

/** The strings of a line, as quotes count them: of one that is not JSON, its text. */
export function quotable(frame: Frame, text: string | null, value: unknown): readonly string[] {
  if (frame.form === 'event') return NONE;
  if (value !== undefined) return stringsAsSent(value);
  return text === null ? NONE : [text];
}

const NONE: readonly string[] = [];

/** The same for a frame that has just been read from a page. */
export function stringsOf(frame: Frame): readonly string[] {
  const text = frame.form === 'event' ? null : textIn(frame);
  return quotable(frame, text, valueIn(frame, text));
}

/** How the frames are read that are quoted. */
export type StringsAt = (f: number) => Promise<readonly string[]>;

/** Puts the texts in the place of their quotes, in the object itself. */
export async function unquote(row: TimelineRow, stringsAt: StringsAt): Promise<void> {
  const open: [TimelineRow, readonly string[]][] = [[row, [...OF_ITEMS, ...OF_CALLS_AND_REQUESTS]]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [one, keys] = next;
    for (const key of keys) {
      const value = one[key];
      if (typeof value === 'string' && value.startsWith(NUL)) one[key] = await textOf(value.slice(1), stringsAt);
      else if (value !== null && typeof value === 'object') open.push([value as TimelineRow, Object.keys(value)]);
    }
  }
}

async function textOf(quote: string, stringsAt: StringsAt): Promise<string> {
  if (quote.startsWith(NUL)) return quote;
  const [runs, length] = quote.split('/');
  const pieces: string[] = [];
  for (const run of runs!.split(',')) {
    const [, from, to = from, n] = /^(\d+)(?:-(\d+))?\.(\d+)$/.exec(run) ?? [];
    for (let f = Number(from); f <= Number(to); f++) pieces.push((await stringsAt(f))[Number(n)] ?? '');
  }
  const text = pieces.join('');
  return length === undefined ? text : text.slice(0, Number(length));
}
