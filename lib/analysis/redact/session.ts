/**
 * A session without secrets and personal data. It is read twice: once by a survey, and then, whenever its frames are
 * asked for, with everything replaced. Frame numbers, times, order and the bytes beside the replaced spans stay; memory
 * grows with the number of different values, not with the session.
 */
import { type Cut, type Frame, type Metadata, NO_DETAIL } from '../../model/frame.ts';
import { keepFrame } from '../../model/kept-frame.ts';
import { textIn } from '../../model/message.ts';
import type { Session, SessionNames } from '../../session/session.ts';
import type { OtherLines } from '../../session/source.ts';
import { Book, type ManifestRow, type Replaced } from './book.ts';
import { Detector } from './detector.ts';
import { type Edit, editsIn, insideStrings } from './edits.ts';
import { bytesOf, isJsonText, lineOf, withLength } from './lines.ts';
import { longLine } from './long-line.ts';
import { maskedLine } from './mask-text.ts';
import { type Mode, pathEdits, type RedactOptions } from './options.ts';
import { type SplitPart, shareOf } from './streams.ts';
import { Survey } from './survey.ts';
import { literalsOf } from './whereabouts.ts';

/** What was replaced. */
export interface Manifest {
  mode: Mode;
  kinds: ManifestRow[];
}

export interface Redacted {
  session: Session;
  /** Complete when the frames have been read to their end. */
  manifest(): Manifest;
  /** The same for each value. */
  replaced(): Iterable<Replaced>;
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
    replaced: () => [],
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
  readonly #survey: Survey;
  readonly #encoded = new WeakMap<Edit, string>();

  constructor(from: Session, mode: Mode, options: RedactOptions) {
    this.#from = from;
    this.#mode = mode;
    this.#options = options;
    this.#book = options.book ?? new Book();
    this.#detector = new Detector(options.rules, options.keeps, { ...options, known: this.#book.known });
    for (const literal of literalsOf(from.metadata)) this.#detector.add(literal);
    for (const text of options.literals ?? []) this.#detector.add({ text, kind: 'literal', as: 'any' });
    this.#survey = new Survey(from, this.#detector, options.progress);
    const { metadata, names, id } = this.#beside();
    const { command } = metadata;
    this.session = {
      ...{ id, dir: null, tape: '', running: false, metadata, names },
      ...{ command, dialect: this.#survey.dialect, frames: (others?: OtherLines) => this.#frames(others) },
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

  replaced(): Iterable<Replaced> {
    return this.#book.replaced;
  }

  values(): ReadonlySet<string> {
    return this.#book.distinct;
  }

  /** What is not replaced stays as it is. */
  get #isUnchanged(): boolean {
    return this.#mode === 'secrets' && (this.#options.paths ?? []).length === 0;
  }

  *#frames(others?: OtherLines): Generator<Frame> {
    this.#book.startOver();
    this.#book.f = 0;
    this.#beside();
    let index = 0;
    for (const frame of this.#from.frames(others)) {
      if (index === this.#survey.count) return;
      const isClean = this.#survey.isClean(index++) && this.#isUnchanged;
      yield isClean && !this.#survey.splitsIn(frame.f) ? frame : this.#frame(frame);
    }
  }

  #frame(frame: Frame): Frame {
    this.#book.f = frame.f;
    if (frame.form === 'event') return this.#event(frame);
    if (frame.cut) return { ...frame, ...this.#long(frame.cut), text: null };
    const text = lineOf(frame);
    const changed = this.#line(text, this.#survey.splitsIn(frame.f));
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
    let edits: readonly Edit[] = editsIn(text, this.#detector);
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
    if (part.from === 0) this.#encoded.delete(edit);
    if (part.from === 0 && !edit.inside) this.#book.count(edit.kind, edit.value);
    return shareOf(edit.inside ? this.#encodedAgain(edit) : this.#book.nameOf(edit.kind, edit.value), part);
  }

  /** Base64 over many frames is written again once. */
  #encodedAgain(edit: Edit): string {
    const known = this.#encoded.get(edit);
    if (known !== undefined) return known;
    const again = this.#book.replacement(edit);
    this.#encoded.set(edit, again);
    return again;
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
      dialect: this.#survey.dialect,
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
