/**
 * The first of the two times that a session is read for its redaction: which values are known only from a name, a whole stream
 * or a handshake, which of them are cut over several frames, and which frames need no second look.
 */
import type { Event } from '../../model/event.ts';
import { isReplayed } from '../../model/ledger/ledger.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { textOfBase64 } from './base64.ts';
import type { RedactionDetector } from './detector.ts';
import { type Edit, editsAfterSieve, editsIn } from './edits.ts';
import { isKnownId, withoutIds } from './ids.ts';
import { eachLeaf } from './json-leaves.ts';
import { lineOf } from './line-text.ts';
import { LookAlikes } from './look-alikes.ts';
import { literalsOfDirectory } from './machine-identity.ts';
import { PrintedUsers } from './printed-users.ts';
import { isDistinct } from './pseudonym-book.ts';
import { NOTHING_FOUND } from './sieve.ts';
import { type PositionMap, type SplitPart, TextStreams } from './text-streams.ts';
import { viewUnescaped } from './views.ts';

export class RedactionSurvey {
  readonly #detector: RedactionDetector;
  #streams: TextStreams;
  #lookAlikes = new LookAlikes();
  readonly #users = new PrintedUsers();
  readonly #splits = new Map<number, SplitPart[]>();
  /** For each frame, how many literals were known when nothing was found in it, and one more; else 0. */
  readonly #clean = new NumberList();
  /** How many frames there were. */
  count = 0;
  /** What remains may not be enough to detect it. */
  readonly dialect: string;

  /** Adds to the detector what it learns. */
  constructor(session: Session, detector: RedactionDetector, progress: ((frames: number) => void) | undefined) {
    this.#detector = detector;
    this.#streams = this.#newStreams();
    const pass = new Pass(session);
    for (const edit of editsIn(JSON.stringify(session.metadata), detector)) this.#learn(edit);
    pass.run({
      take: (read) => {
        this.count++;
        progress?.(this.count);
        this.#readFrame(read);
      },
    });
    this.#streams.end();
    this.dialect = pass.dialect;
    if (this.#streams.fewestLiterals < detector.literals) this.#joinAgain(session);
  }

  #newStreams(): TextStreams {
    return new TextStreams(
      this.#detector,
      (f, part) => this.#split(f, part),
      (edit) => this.#learn(edit),
    );
  }

  /** What was joined before a value was known is looked at once more: it may be cut there, without its name. */
  #joinAgain(session: Session): void {
    this.#splits.clear();
    this.#streams = this.#newStreams();
    this.#lookAlikes = new LookAlikes();
    new Pass(session).run({
      take: (read) => {
        const { frame, value } = read;
        if (frame.form === 'event' || frame.cut) return;
        this.#joinFrame(read, typeof value === 'object' ? null : lineOf(frame));
      },
    });
    this.#streams.end();
  }

  /** What of a cut value stands in this frame. */
  splitsIn(f: number): readonly SplitPart[] | undefined {
    return this.#splits.get(f)?.filter(({ edit }) => !isKnownId(edit, this.#detector));
  }

  /** Whether nothing is to be replaced in the frame at this index. */
  isClean(index: number): boolean {
    return this.#clean.at(index) === this.#detector.literals + 1;
  }

  #readFrame(read: ReadFrame): void {
    const { frame, value, events } = read;
    for (const event of events) {
      for (const literal of this.#users.usersIn(event)) this.#detector.add(literal);
      if (event.kind === 'handshake')
        for (const literal of literalsOfDirectory(event.about.cwd)) this.#detector.add(literal);
    }
    // What is JSON is UTF-8, and need not become a text.
    const isJson = typeof value === 'object' && frame.form !== 'event' && !frame.cut;
    const sieveResult = isJson ? this.#detector.sieve.look(frame.raw) : NOTHING_FOUND;
    if (isJson && sieveResult === NOTHING_FOUND && !isInPieces(events)) return this.#clean.push(this.#mark(frame));
    const text = frame.form === 'event' ? JSON.stringify(frame.detail) : lineOf(frame);
    const found = isJson ? editsAfterSieve(text, this.#detector, sieveResult) : editsIn(text, this.#detector);
    const edits = withoutIds(found, text, events, this.#detector.known);
    this.#clean.push(edits.length > 0 ? 0 : this.#mark(frame));
    for (const edit of edits) this.#learn(edit);
    if (isJson) this.#join(read, text);
    else if (frame.form !== 'event' && !frame.cut) this.#joinFrame(read, text);
  }

  /** `line`: what is no JSON. */
  #joinFrame(read: ReadFrame, line: string | null): void {
    const { frame, events } = read;
    if (line !== null) this.#streams.take('rows', frame.from, frame.f, line, identity);
    else if (isInPieces(events)) this.#join(read, lineOf(frame));
  }

  #mark({ cut, head }: ReadFrame['frame']): number {
    return cut || head !== undefined ? 0 : this.#detector.literals + 1;
  }

  /** Adds the strings of a line to those that they may go on with. */
  #join({ frame: { f, from }, events, where }: ReadFrame, text: string): void {
    const pieces = events.filter(isPiece).map(addedText);
    if (pieces.length === 0) {
      if (events.every(isUnknown)) this.#joinUnknown(f, from, text);
      return;
    }
    // What an agent sends again has no items: its pieces follow each other.
    const isLoose = where.item === null || events.some(isReplayed);
    const item = isLoose ? from.charCodeAt(0) : Math.imul(where.item! + 1, 0x9e3779b1);
    const longest = Math.max(...pieces.map((one) => one?.length ?? Number.POSITIVE_INFINITY));
    eachLeaf(text, (start, end, isKey, place) => {
      // An escape has six characters at most.
      if (isKey || start === end || end - start > 6 * longest) return;
      const { piece, placeIn } = pieceAt(text, start, end);
      const key = (place ^ item) >>> 0;
      if (pieces.some((one) => one === null || one.includes(piece)))
        return this.#streams.take('delta', key, f, piece, placeIn);
      const decoded = pieces.some((one) => mayEncode(piece, one!)) ? textOfBase64(piece) : null;
      if (decoded !== null && pieces.includes(decoded))
        this.#streams.take('delta', key, f, decoded, identity, { start, end });
    });
  }

  /** What nobody knows: pieces of a text if the lines look alike; else a key may be cut at the end of a string. */
  #joinUnknown(f: number, from: string, text: string): void {
    const { line, continued } = this.#lookAlikes.take(from, f, text);
    for (const { line: one, leaf } of continued?.pieces ?? []) {
      const { piece, placeIn } = pieceAt(one.text, leaf.start, leaf.end);
      this.#streams.take('alike', continued!.key, one.f, piece, placeIn);
    }
    const own = continued?.pieces.at(-1)?.leaf;
    for (const leaf of line.leaves) {
      const { start, end, pathHash: place } = leaf;
      if (leaf !== own && start < end) this.#streams.loose((place ^ from.charCodeAt(0)) >>> 0, f, text, start, end);
    }
  }

  /** A value that is known by its position is replaced everywhere else too, if it is not a word. */
  #learn(edit: Edit): void {
    for (const one of edit.inside?.edits ?? []) this.#learn(one);
    if (edit.inside) return;
    if (edit.kind === 'passport' || edit.kind === 'id-number')
      this.#detector.add({ text: edit.value, kind: edit.kind, as: 'word' });
    if (['secret', 'password', 'authorization', 'private-key'].includes(edit.kind) && isDistinct(edit.value))
      this.#detector.add({ text: edit.value, kind: edit.kind, as: 'any' });
  }

  #split(f: number, part: SplitPart): void {
    const parts = this.#splits.get(f);
    if (parts) parts.push(part);
    else this.#splits.set(f, [part]);
  }
}

/** A list of numbers, four bytes each. */
class NumberList {
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

const identity: PositionMap = (at) => at;

/** What a string stands for, and where it stands; that is looked for when it is needed, which is seldom. */
function pieceAt(text: string, start: number, end: number): { piece: string; placeIn: PositionMap } {
  const written = text.slice(start, end);
  if (!written.includes('\\')) return { piece: written, placeIn: (at) => start + at };
  const piece = JSON.parse(`"${written}"`) as string;
  return { piece, placeIn: (at) => start + viewUnescaped(written)!.at(at) };
}

/** By its length, as one character has three bytes at most here. */
function mayEncode(base64: string, text: string): boolean {
  const bytes = (base64.length * 3) / 4;
  return base64.length % 4 === 0 && bytes >= text.length && bytes <= 3 * text.length + 2;
}

/** Whether a part of a longer text may be in the frame. */
function isInPieces(events: readonly Event[]): boolean {
  return events.some(isPiece) || events.every(isUnknown);
}

/** Adds to a text. The arguments of a call begin with the call. */
function isPiece(event: Event): boolean {
  return event.delta === true || (event.kind === 'tool-call' && !event.complete);
}

/** Whether it may be a part of something that its dialect does not know. */
function isUnknown({ kind }: Event): boolean {
  return UNKNOWN_KINDS.has(kind);
}

const UNKNOWN_KINDS: ReadonlySet<Event['kind']> = new Set(['other', 'noise', 'log', 'progress']);

/** What it adds; null if unknown. */
function addedText(event: Event): string | null {
  return event.text ?? (event.kind === 'tool-call' ? event.args : null);
}
