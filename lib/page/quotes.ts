/**
 * Texts of rows that are on the tape anyway: instead of the text, a row has the frames that say it and which of their
 * strings it is. A text that arrived in pieces is those pieces, one behind the other. Such a quote is a string that begins
 * with NUL: `f.n`, `from-to.n` for frames in a row, several of them with commas, and the length if the rest is left out.
 * A text that begins with NUL itself has one more in front.
 */
import type { Frame } from '../core/frame.ts';
import { textIn, valueIn } from '../core/message.ts';
import { Recent } from '../core/recent.ts';
import { type Place, stringsAsSent } from '../core/searchable.ts';

/** Shorter texts are not quoted. */
const SHORTEST = 48;
/** Texts that are remembered, and the characters that they may have together. */
const MOST_TEXTS = 20_000;
const MOST_CHARACTERS = 16 << 20;
const MOST_STREAMS = 10_000;
const NUL = '\0';

/** A text in pieces. `runs`: first and last frame, and the number of the string. */
interface Stream {
  runs: [number, number, number][];
  text: string;
}

export class Quotes {
  /** Where the latest long texts are; a map keeps the order. */
  readonly #texts = new Map<string, string>();
  #characters = 0;
  readonly #streams = new Recent<string, Stream>(MOST_STREAMS);
  /** The one that the latest piece was added to. */
  #latest: { item: number; kind: string; stream: Stream } | null = null;

  /** `strings`: those of the line as they were sent. `item`: the item that the frame is part of. */
  take(frame: Frame, strings: readonly string[], place: Place | null, item: number | null): void {
    const { f } = frame;
    const piece = place && typeof place.at === 'number' ? place.at : -1;
    if (place && item !== null) this.#add(this.#streamOf(item, place.kind), f, piece, strings[piece]);
    for (let n = 0; n < strings.length; n++) {
      const text = strings[n]!;
      if (text.length < SHORTEST || this.#texts.has(text)) continue;
      this.#texts.set(text, `${f}.${n}`);
      this.#characters += text.length;
    }
    if (this.#characters > MOST_CHARACTERS || this.#texts.size > MOST_TEXTS) this.#forget();
  }

  /** The oldest half. */
  #forget(): void {
    const [most, characters] = [this.#texts.size / 2, this.#characters / 2];
    for (const text of this.#texts.keys()) {
      if (this.#texts.size <= most && this.#characters <= characters) break;
      this.#texts.delete(text);
      this.#characters -= text.length;
    }
  }

  #streamOf(item: number, kind: string): Stream {
    const latest = this.#latest;
    if (latest && latest.item === item && latest.kind === kind) return latest.stream;
    const key = `${item} ${kind}`;
    const stream = this.#streams.get(key) ?? { runs: [], text: '' };
    this.#streams.set(key, stream);
    this.#latest = { item, kind, stream };
    return stream;
  }

  #add(stream: Stream, f: number, n: number, text: string | undefined): void {
    const last = stream.runs.at(-1);
    stream.text += text ?? NUL;
    if (last && last[1] === f - 1 && last[2] === n) last[1] = f;
    else stream.runs.push([f, f, n]);
  }

  /** Puts quotes in the place of texts, in the row itself. `f`: the first frame of its item. */
  quote<T extends object>(row: T, f: number, kind: string): T {
    const said = this.#taken(`${f} ${kind}`);
    const args = kind === 'tool-call' ? this.#taken(`${f} tool-args`) : null;
    for (const key in row) {
      const value = row[key];
      if (isPlain(value)) continue;
      const inside = this.#inside(value, said, args);
      if (inside !== value) row[key] = inside as typeof value;
    }
    return row;
  }

  #taken(key: string): Stream | null {
    const stream = this.#streams.get(key) ?? null;
    if (stream) this.#streams.delete(key);
    if (stream && stream === this.#latest?.stream) this.#latest = null;
    return stream;
  }

  /** The value itself, if there is nothing to quote in it; otherwise a copy, because others have it too. */
  #inside(value: unknown, said: Stream | null, args: Stream | null): unknown {
    if (typeof value === 'string') return this.#quoted(value, said, args);
    let copy: Record<string, unknown> | unknown[] | null = null;
    for (const key in value as object) {
      const one = (value as Record<string, unknown>)[key];
      if (isPlain(one)) continue;
      const inside = this.#inside(one, said, args);
      if (inside === one) continue;
      copy ??= Array.isArray(value) ? [...value] : { ...(value as object) };
      (copy as Record<string, unknown>)[key] = inside;
    }
    return copy ?? value;
  }

  #quoted(text: string, said: Stream | null, args: Stream | null): string {
    if (text.length >= SHORTEST) {
      const place = this.#texts.get(text);
      if (place !== undefined) return NUL + place;
      if (said?.text.startsWith(text)) return quoteOf(said, text);
      if (args?.text.startsWith(text)) return quoteOf(args, text);
    }
    return text.charCodeAt(0) === 0 ? NUL + text : text;
  }
}

/** Whether there is no text in it. */
const isPlain = (value: unknown): boolean => value === null || (typeof value !== 'string' && typeof value !== 'object');

function quoteOf(stream: Stream, text: string): string {
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
export async function unquote(row: Record<string, unknown>, stringsAt: StringsAt): Promise<void> {
  const open: Record<string, unknown>[] = [row];
  for (let one = open.pop(); one; one = open.pop()) {
    for (const [key, value] of Object.entries(one)) {
      if (typeof value === 'string' && value.startsWith(NUL)) one[key] = await textOf(value.slice(1), stringsAt);
      else if (value !== null && typeof value === 'object') open.push(value as Record<string, unknown>);
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
