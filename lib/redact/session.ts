/**
 * A session without secrets and personal data. It is read twice: once to find values that only a name or the pieces of a
 * stream tell, and then, whenever its frames are asked for, with everything replaced. Frame numbers, times, order and the
 * bytes beside the replaced spans stay; memory grows with the number of different values, not with the session.
 */
import type { Event } from '../core/event.ts';
import { type Cut, type Frame, type Metadata, NO_DETAIL } from '../core/frame.ts';
import { keepFrame } from '../core/kept-frame.ts';
import { textIn } from '../core/message.ts';
import { Pass } from '../session/pass.ts';
import type { ReadFrame } from '../session/read.ts';
import type { Session, SessionNames } from '../session/session.ts';
import type { OtherLines } from '../session/source.ts';
import { Book, isDistinct, type ManifestRow } from './book.ts';
import { Detector } from './detector.ts';
import { type Edit, editsIn, insideStrings } from './edits.ts';
import { eachLeaf } from './leaves.ts';
import { longLine } from './long-line.ts';
import { maskedLine } from './mask-text.ts';
import { type Mode, pathEdits, type RedactOptions } from './options.ts';
import { type SplitPart, Streams, shareOf } from './streams.ts';
import { unescaped } from './views.ts';
import { literalsOf, literalsOfDirectory } from './whereabouts.ts';

/** What was replaced. */
export interface Manifest {
  mode: Mode;
  kinds: ManifestRow[];
}

export interface Redacted {
  session: Session;
  /** Complete when the frames have been read to their end. */
  manifest(): Manifest;
  /** Values that must not be found in anything that is made of the session. */
  values(): ReadonlySet<string>;
}

/** How many values of each kind were replaced. */
export function kindsIn({ kinds }: Manifest): Record<string, number> {
  return Object.fromEntries(kinds.map(({ kind, values }) => [kind, values]));
}

/** `mode: 'none'` changes nothing but a mark in the metadata. */
export function redactSession(session: Session, options: RedactOptions = {}): Redacted {
  const { mode = 'secrets' } = options;
  if (mode !== 'none') return new Redaction(session, mode, options);
  const marked = { ...session.metadata, redacted: { mode } };
  const { id, dir, tape, running, names, command, dialect } = session;
  return {
    session: {
      ...{ id, dir, tape, running, names, command, dialect: dialect ?? null, metadata: marked },
      frames: (others) => session.frames(others),
    },
    manifest: () => ({ mode, kinds: [] }),
    values: () => new Set(),
  };
}

class Redaction implements Redacted {
  readonly session: Session;
  readonly #from: Session;
  readonly #mode: Mode;
  readonly #options: RedactOptions;
  readonly #detector: Detector;
  readonly #book: Book;
  readonly #splits = new Map<number, SplitPart[]>();
  /** For each frame, how many literals were known when nothing was found in it, and one more; else 0. */
  readonly #clean = new Growing();
  #count = 0;
  #dialect: string;

  constructor(from: Session, mode: Mode, options: RedactOptions) {
    this.#from = from;
    this.#mode = mode;
    this.#options = options;
    this.#book = options.book ?? new Book();
    this.#detector = new Detector(options.rules, options.keeps);
    for (const literal of literalsOf(from.metadata)) this.#detector.add(literal);
    for (const text of options.literals ?? []) this.#detector.add({ text, kind: 'literal', as: 'any' });
    this.#dialect = this.#survey();
    const { metadata, names, id } = this.#beside();
    const { command } = metadata;
    this.session = {
      ...{ id, dir: null, tape: '', running: false, metadata, names },
      ...{ command, dialect: this.#dialect, frames: (others?: OtherLines) => this.#frames(others) },
    };
  }

  /** What is beside the frames. */
  #beside(): Pick<Session, 'id' | 'metadata' | 'names'> {
    const { id, names } = this.#from;
    return { metadata: this.#metadata(), id: this.#line(id), names: this.#names(names) };
  }

  manifest(): Manifest {
    return { mode: this.#mode, kinds: this.#book.rows };
  }

  values(): ReadonlySet<string> {
    return this.#book.distinct;
  }

  /** The first pass. Returns the dialect: what remains may not be enough to detect it. */
  #survey(): string {
    const streams = new Streams(
      this.#detector,
      (f, part) => this.#split(f, part),
      (edit) => this.#learn(edit),
    );
    const pass = new Pass(this.#from);
    for (const edit of editsIn(JSON.stringify(this.#from.metadata), this.#detector)) this.#learn(edit);
    pass.run({
      take: (read) => {
        this.#count++;
        this.#options.progress?.(this.#count);
        this.#look(read, streams);
      },
    });
    streams.end();
    return pass.dialect;
  }

  #look({ frame, value, events, where }: ReadFrame, streams: Streams): void {
    for (const event of events)
      if (event.kind === 'handshake')
        for (const literal of literalsOfDirectory(event.about.cwd)) this.#detector.add(literal);
    const text = frame.form === 'event' ? JSON.stringify(frame.detail) : lineOf(frame);
    const edits = editsIn(text, this.#detector);
    const isClean = edits.length === 0 && !frame.cut && frame.head === undefined;
    this.#clean.push(isClean ? this.#detector.literals + 1 : 0);
    for (const edit of edits) this.#learn(edit);
    if (frame.form === 'event' || frame.cut) return;
    const { f, from } = frame;
    if (value === undefined || typeof value !== 'object') return streams.take('rows', from, f, text, (at) => at);
    const said = events.filter(isPiece).map(saidIn);
    if (said.length === 0 && !events.every(isUnknown)) return;
    const isItem = said.length > 0 && where.item !== null;
    const item = isItem ? Math.imul(where.item! + 1, 0x9e3779b1) : from.charCodeAt(0);
    eachLeaf(text, (start, end, isKey, place) => {
      if (isKey || start === end) return;
      if (said.length === 0) return streams.loose((place ^ item) >>> 0, f, text, start, end);
      const written = text.slice(start, end);
      const view = written.includes('\\') ? unescaped(written) : null;
      const piece = view?.text ?? written;
      if (said.some((one) => one === null || one.includes(piece)))
        streams.take('delta', (place ^ item) >>> 0, f, piece, view ? (at) => start + view.at(at) : (at) => start + at);
    });
  }

  /** A value that its place tells is replaced wherever else it stands, if it is no word. */
  #learn(edit: Edit): void {
    for (const one of edit.inside?.edits ?? []) this.#learn(one);
    if (edit.inside) return;
    if (['secret', 'password', 'authorization', 'private-key'].includes(edit.kind) && isDistinct(edit.value))
      this.#detector.add({ text: edit.value, kind: edit.kind, as: 'any' });
  }

  #split(f: number, part: SplitPart): void {
    const parts = this.#splits.get(f);
    if (parts) parts.push(part);
    else this.#splits.set(f, [part]);
  }

  /** What is not replaced stays as it is. */
  get #isUnchanged(): boolean {
    return this.#mode === 'secrets' && (this.#options.paths ?? []).length === 0;
  }

  *#frames(others?: OtherLines): Generator<Frame> {
    this.#book.startOver();
    this.#book.f = 0;
    this.#beside();
    let left = this.#count;
    for (const frame of this.#from.frames(others)) {
      if (left <= 0) return;
      const isClean = this.#isUnchanged && this.#clean.at(this.#count - left) === this.#detector.literals + 1;
      yield isClean && !this.#splits.has(frame.f) ? frame : this.#frame(frame);
      left--;
    }
  }

  #frame(frame: Frame): Frame {
    this.#book.f = frame.f;
    if (frame.form === 'event') return this.#event(frame);
    if (frame.cut) return { ...frame, ...this.#long(frame.cut), text: null };
    const text = lineOf(frame);
    const changed = this.#line(text, this.#splits.get(frame.f));
    const head = frame.head && this.#plain(frame.head, false);
    if (changed === text && head === frame.head) return frame;
    const isText = textIn(frame) !== null;
    const kept = isText ? keepFrame(frame, changed) : { ...frame, raw: bytesOf(changed), text: null };
    if (head === undefined) return kept;
    const { raw } = kept;
    return { ...kept, raw, head: withLength(head, raw.length - frame.raw.length) };
  }

  /** Reading it for its size does not count. */
  #long(cut: Cut): Pick<Frame, 'raw' | 'cut'> {
    return this.#book.uncounted(() => longLine(cut, (text) => this.#line(text)));
  }

  #event(frame: Frame): Frame {
    if (frame.detail === NO_DETAIL) return frame;
    const text = JSON.stringify(frame.detail);
    const changed = this.#line(text);
    return changed === text ? frame : { ...frame, detail: JSON.parse(changed) as Record<string, unknown> };
  }

  /** A line or any other text. */
  #line(text: string, parts: readonly SplitPart[] = []): string {
    let edits = editsIn(text, this.#detector);
    const asked = pathEdits(text, this.#options.paths ?? []);
    if (asked.length > 0) edits = [...edits, ...asked].sort((a, b) => a.start - b.start);
    if (edits.length === 0 && parts.length === 0 && this.#mode === 'secrets') return text;
    const isLine = isJsonText(text);
    if (isLine) edits = insideStrings(text, edits);
    const redacted = this.#replaced(text, edits, parts);
    return this.#mode === 'text' ? maskedLine(redacted, isLine) : redacted;
  }

  /** What overlaps is replaced once, by the part of a longer value if there is one. */
  #replaced(text: string, edits: readonly Edit[], parts: readonly SplitPart[]): string {
    const spans: Span[] = [...parts, ...edits].sort((a, b) => a.start - b.start);
    let out = '';
    let done = 0;
    for (let i = 0; i < spans.length; ) {
      let chosen = spans[i]!;
      let { start, end } = chosen;
      for (i++; i < spans.length && spans[i]!.start < end; i++) {
        const span = spans[i]!;
        if (!isPart(chosen) && (isPart(span) || span.end > chosen.end)) chosen = span;
        end = Math.max(end, span.end);
      }
      start = Math.max(start, done);
      out += text.slice(done, start) + this.#written(chosen);
      done = end;
    }
    return out + text.slice(done);
  }

  #written(span: Span): string {
    if (isPart(span)) return this.#share(span);
    const { kind, value, isNumber } = span;
    return isNumber ? this.#book.numberFor(kind, value) : this.#book.replacement(span);
  }

  /** A value in several frames counts as one place. */
  #share(part: SplitPart): string {
    const { edit } = part;
    if (part.from === 0 && !edit.inside) this.#book.count(edit.kind, edit.value);
    const whole = edit.inside ? this.#book.replacement(edit) : this.#book.nameOf(edit.kind, edit.value);
    return shareOf(whole, part);
  }

  #metadata(): Metadata {
    const { metadata } = this.#from;
    const changed = JSON.parse(this.#plain(JSON.stringify(metadata), true)) as Metadata;
    for (const key of ['user', 'host'] as const) {
      const value = metadata[key];
      if (typeof value === 'string' && value !== '' && changed[key] === value)
        changed[key] = this.#book.replace(key, value);
    }
    const { session, started_at, type, wiretape, recorder } = metadata;
    return {
      ...changed,
      type,
      wiretape,
      session,
      started_at,
      recorder,
      dialect: this.#dialect,
      redacted: { mode: this.#mode },
    };
  }

  /** Without secrets, in whatever mode: programs must find its keys. */
  #plain(text: string, isJson: boolean): string {
    const edits = editsIn(text, this.#detector);
    return this.#replaced(text, isJson ? insideStrings(text, edits) : edits, []);
  }

  #names({ name, tags }: SessionNames): SessionNames {
    const changed = Object.entries(tags).map(([key, value]) => [this.#line(key), this.#line(value)]);
    return { name: name === null ? null : this.#line(name), tags: Object.fromEntries(changed) };
  }
}

type Span = Edit | SplitPart;

function isPart(span: Span): span is SplitPart {
  return 'edit' in span;
}

/** A list of numbers, four bytes each. */
class Growing {
  #numbers = new Uint32Array(1024);
  #length = 0;

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const longer = new Uint32Array(this.#length * 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#length++] = number;
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }
}

/** Adds to a text. The arguments of a call begin with the call. */
function isPiece(event: Event): boolean {
  return event.delta === true || (event.kind === 'tool-call' && !event.complete);
}

/** Whether it may be a part of something that its dialect does not know. */
function isUnknown({ kind }: Event): boolean {
  return UNKNOWN.has(kind);
}

const UNKNOWN: ReadonlySet<Event['kind']> = new Set(['other', 'noise', 'log', 'progress']);

/** What it adds; null if that is not told. */
function saidIn(event: Event): string | null {
  return event.text ?? (event.kind === 'tool-call' ? event.args : null);
}

/** A line as text; byte by byte if it is not UTF-8. */
function lineOf(frame: Frame): string {
  return textIn(frame) ?? Array.from(frame.raw, (byte) => String.fromCharCode(byte)).join('');
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

function isJsonText(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The header with the length that the body has now; what was missing of it is missing still. */
function withLength(head: string, more: number): string {
  return head.replace(
    /(content-length:[ \t]*)(\d+)/i,
    (_, name: string, length: string) => `${name}${Number(length) + more}`,
  );
}
