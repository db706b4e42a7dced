/**
 * A session without secrets and personal data. It is read twice: once by a survey, and then, whenever its frames are
 * asked for, with everything replaced. Frame numbers, times, order and the bytes beside the replaced spans stay; memory
 * grows with the number of different values, not with the session.
 */
import { type Frame, type LineRemainder, type Metadata, NO_DETAIL } from '../../model/frame.ts';
import { keepFrame } from '../../model/kept-frame.ts';
import { textIn } from '../../model/message.ts';
import type { Session, SessionNames } from '../../session/session.ts';
import type { OtherLineObserver } from '../../session/source.ts';
import { encodeBase64, textOfBase64 } from './base64.ts';
import { RedactionDetector } from './detector.ts';
import { type Edit, editsIn, insideStrings } from './edits.ts';
import { addToLength, bytesOfLatin1, isJsonText, lineOf } from './line-text.ts';
import { redactLongLine } from './long-line.ts';
import { literalsOf } from './machine-identity.ts';
import { maskLine } from './mask-text.ts';
import { pathEdits, type RedactionMode, type RedactOptions } from './options.ts';
import { type ManifestRow, PseudonymBook, type ReplacedValue } from './pseudonym-book.ts';
import { RedactionSurvey } from './survey.ts';
import { type SplitPart, sliceOfReplacement } from './text-streams.ts';

/** What was replaced. */
export interface Manifest {
  mode: RedactionMode;
  kinds: ManifestRow[];
}

export interface RedactedSession {
  session: Session;
  /** Complete when the frames have been read to their end. */
  manifest(): Manifest;
  /** The same for each value. */
  replaced(): Iterable<ReplacedValue>;
  /** Values that must not be found in anything that is made of the session. */
  values(): ReadonlySet<string>;
}

/** How many values of each kind were replaced. */
export function countKinds({ kinds }: Manifest): Record<string, number> {
  return Object.fromEntries(kinds.map(({ kind, values }) => [kind, values]));
}

/** `mode: 'none'` changes nothing but a mark in the metadata. */
export function redactSession(session: Session, options: RedactOptions = {}): RedactedSession {
  const { mode = 'secrets' } = options;
  if (mode !== 'none') return new SessionRedaction(session, mode, options);
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

class SessionRedaction implements RedactedSession {
  readonly session: Session;
  readonly #from: Session;
  readonly #mode: RedactionMode;
  readonly #options: RedactOptions;
  readonly #detector: RedactionDetector;
  readonly #book: PseudonymBook;
  readonly #survey: RedactionSurvey;
  readonly #encoded = new WeakMap<Edit, string>();

  constructor(from: Session, mode: RedactionMode, options: RedactOptions) {
    this.#from = from;
    this.#mode = mode;
    this.#options = options;
    this.#book = options.book ?? new PseudonymBook();
    this.#detector = new RedactionDetector(options.rules, options.keeps, { ...options, known: this.#book.known });
    for (const literal of literalsOf(from.metadata)) this.#detector.add(literal);
    for (const text of options.literals ?? []) this.#detector.add({ text, kind: 'literal', as: 'any' });
    this.#survey = new RedactionSurvey(from, this.#detector, options.progress);
    const { metadata, names, id } = this.#redactBeside();
    const { command } = metadata;
    this.session = {
      ...{ id, dir: null, tape: '', running: false, metadata, names },
      ...{ command, dialect: this.#survey.dialect, frames: (others?: OtherLineObserver) => this.#redactFrames(others) },
    };
  }

  /** What is beside the frames. */
  #redactBeside(): Pick<Session, 'id' | 'metadata' | 'names'> {
    const { id, names } = this.#from;
    return { metadata: this.#redactMetadata(), id: this.#redactLine(id), names: this.#redactNames(names) };
  }

  manifest(): Manifest {
    return { mode: this.#mode, kinds: this.#book.rows };
  }

  replaced(): Iterable<ReplacedValue> {
    return this.#book.replaced;
  }

  values(): ReadonlySet<string> {
    return this.#book.distinct;
  }

  /** What is not replaced stays as it is. */
  get #isUnchanged(): boolean {
    return this.#mode === 'secrets' && (this.#options.paths ?? []).length === 0;
  }

  *#redactFrames(others?: OtherLineObserver): Generator<Frame> {
    this.#book.startOver();
    this.#book.f = 0;
    this.#redactBeside();
    let index = 0;
    for (const frame of this.#from.frames(others)) {
      if (index === this.#survey.count) return;
      const isClean = this.#survey.isClean(index++) && this.#isUnchanged;
      yield isClean && !this.#survey.splitsIn(frame.f) ? frame : this.#redactFrame(frame);
    }
  }

  #redactFrame(frame: Frame): Frame {
    this.#book.f = frame.f;
    if (frame.form === 'event') return this.#redactEvent(frame);
    if (frame.cut) return { ...frame, ...this.#redactLong(frame.cut), text: null };
    const text = lineOf(frame);
    const changed = this.#redactLine(text, this.#survey.splitsIn(frame.f));
    const head = frame.head && this.#redactPlain(frame.head, false);
    if (changed === text && head === frame.head) return frame;
    const isText = textIn(frame) !== null;
    const kept = isText ? keepFrame(frame, changed) : { ...frame, raw: bytesOfLatin1(changed), text: null };
    if (head === undefined) return kept;
    const { raw } = kept;
    return { ...kept, raw, head: addToLength(head, raw.length - frame.raw.length) };
  }

  /** Reading it for its size does not count. */
  #redactLong(cut: LineRemainder): Pick<Frame, 'raw' | 'cut'> {
    return this.#book.withoutCounting(() => redactLongLine(cut, (text) => this.#redactLine(text)));
  }

  #redactEvent(frame: Frame): Frame {
    if (frame.detail === NO_DETAIL) return frame;
    const text = JSON.stringify(frame.detail);
    const changed = this.#redactLine(text);
    return changed === text ? frame : { ...frame, detail: JSON.parse(changed) as Record<string, unknown> };
  }

  /** A line or any other text. */
  #redactLine(text: string, parts: readonly SplitPart[] = []): string {
    let edits: readonly Edit[] = editsIn(text, this.#detector);
    const pathEditsHere = pathEdits(text, this.#options.paths ?? []);
    if (pathEditsHere.length > 0) edits = [...edits, ...pathEditsHere].sort((a, b) => a.start - b.start);
    if (edits.length === 0 && parts.length === 0 && this.#mode === 'secrets') return text;
    const isLine = isJsonText(text);
    if (isLine) edits = insideStrings(text, edits);
    const redacted = this.#replaceIn(text, edits, parts);
    return this.#mode === 'text' ? maskLine(redacted, isLine) : redacted;
  }

  /** What overlaps is replaced once, by the part of a longer value if there is one. */
  #replaceIn(text: string, edits: readonly Edit[], parts: readonly SplitPart[]): string {
    const plain = parts.filter(({ coded }) => !coded);
    const spans: Replacement[] = [...plain, ...this.#recoded(text, parts), ...edits].sort((a, b) => a.start - b.start);
    let out = '';
    let done = 0;
    for (let i = 0; i < spans.length; ) {
      let chosen = spans[i]!;
      let { start, end } = chosen;
      for (i++; i < spans.length && spans[i]!.start < end; i++) {
        const span = spans[i]!;
        if (!isCertain(chosen) && (isCertain(span) || span.end > chosen.end)) chosen = span;
        end = Math.max(end, span.end);
      }
      start = Math.max(start, done);
      out += text.slice(done, start) + this.#replacementOf(chosen);
      done = end;
    }
    return out + text.slice(done);
  }

  /** The pieces in base64 of which a part is replaced, with what else is found in them. */
  #recoded(text: string, parts: readonly SplitPart[]): Recoded[] {
    const byStart = new Map<number, SplitPart[]>();
    for (const part of parts)
      if (part.coded) byStart.set(part.coded.start, [...(byStart.get(part.coded.start) ?? []), part]);
    return [...byStart.values()].map((own) => {
      const { start, end } = own[0]!.coded!;
      const base64 = text.slice(start, end);
      const decoded = textOfBase64(base64)!;
      const inside = own.map(({ coded: _coded, ...part }) => part);
      const changed = this.#replaceIn(decoded, editsIn(decoded, this.#detector), inside);
      return { start, end, recoded: encodeBase64(new TextEncoder().encode(changed), base64) };
    });
  }

  #replacementOf(span: Replacement): string {
    if ('recoded' in span) return span.recoded;
    if (isPart(span)) return this.#shareOfSplit(span);
    const { kind, value, isNumber } = span;
    return isNumber ? this.#book.numberFor(kind, value) : this.#book.replacement(span);
  }

  /** A value in several frames counts as one place. */
  #shareOfSplit(part: SplitPart): string {
    const { edit } = part;
    if (part.from === 0) this.#encoded.delete(edit);
    if (part.from === 0 && !edit.inside) this.#book.count(edit.kind, edit.value);
    return sliceOfReplacement(edit.inside ? this.#encodedAgain(edit) : this.#book.nameOf(edit.kind, edit.value), part);
  }

  /** Base64 over many frames is written again once. */
  #encodedAgain(edit: Edit): string {
    const known = this.#encoded.get(edit);
    if (known !== undefined) return known;
    const again = this.#book.replacement(edit);
    this.#encoded.set(edit, again);
    return again;
  }

  #redactMetadata(): Metadata {
    const { metadata } = this.#from;
    const changed = JSON.parse(this.#redactPlain(JSON.stringify(metadata), true)) as Metadata;
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
  #redactPlain(text: string, isJson: boolean): string {
    const edits = editsIn(text, this.#detector);
    return this.#replaceIn(text, isJson ? insideStrings(text, edits) : edits, []);
  }

  #redactNames({ name, tags }: SessionNames): SessionNames {
    const changed = Object.entries(tags).map(([key, value]) => [this.#redactLine(key), this.#redactLine(value)]);
    return { name: name === null ? null : this.#redactLine(name), tags: Object.fromEntries(changed) };
  }
}

/** Base64 that is written again. */
interface Recoded {
  start: number;
  end: number;
  recoded: string;
}

type Replacement = Edit | SplitPart | Recoded;

/** It does not depend on what its line alone shows. */
const isCertain = (span: Replacement): boolean => isPart(span) || 'recoded' in span;

function isPart(span: Replacement): span is SplitPart {
  return 'edit' in span;
}
