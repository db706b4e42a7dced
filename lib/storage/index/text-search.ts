/** Searches the full text in the index. Sketches say which blocks may contain a term; only these are read. */
import { crc32 } from 'node:zlib';
import type { Statement } from 'better-sqlite3';
import { FrameSet } from './frame-set.ts';
import { bitsOf, mayContain } from './sketch.ts';
import { type Database, damage } from './sqlite.ts';
import { checkBlock, findIn, matchIn, type StoredBlock, type TextBlock, termBytes } from './texts.ts';

/** Sketches read ahead at least, of one session after the other. */
const SKETCHES_AHEAD = 256;

/** The blocks of a session: how many there are, and the numbers of those that may contain a term. */
interface SessionBlocks {
  count: number;
  likely: number[];
}

const NO_BLOCKS: SessionBlocks = { count: 0, likely: [] };

/** A term, and where it may be in the sessions whose keys are in a range. */
class SearchTerm {
  readonly bytes: Buffer;
  readonly bits: readonly number[];
  readonly blocks = new Map<number, SessionBlocks>();
  from = 0;
  to = -1;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.bits = bitsOf(bytes);
  }
}

export class TextSearch {
  readonly #sketches: Statement;
  readonly #block: Statement;
  readonly #checkCount: (key: number, blocks: number) => void;
  readonly #terms = new Map<string, SearchTerm | null>();

  /** `checkCount` throws if a session should have another number of blocks. */
  constructor(db: Database, checkCount: (key: number, blocks: number) => void) {
    this.#sketches = db
      .prepare('SELECT session, n, sketch, sketch_sum FROM texts WHERE session BETWEEN ? AND ? ORDER BY session, n')
      .raw();
    this.#block = db.prepare('SELECT text, ends, sum FROM texts WHERE session = ? AND n = ?');
    this.#checkCount = checkCount;
  }

  /** Whether the session may have the text. Also looks at sessions with greater keys, which are likely to be next. */
  mayHave(key: number, text: string): boolean {
    const term = this.#term(text);
    return term !== null && this.#blocksOf(key, term, Number.MAX_SAFE_INTEGER).likely.length > 0;
  }

  /** Adds the frames of the session in which the text ends. */
  find(key: number, text: string, found: FrameSet): void {
    const term = this.#term(text);
    if (!term) return;
    for (const n of this.#blocksOf(key, term, key).likely) findIn(this.#read(key, n), term.bytes, found);
  }

  /** Adds the frames in which a match ends. Yields now and then. */
  *match(key: number, regex: RegExp, blocks: number, found: FrameSet): Generator<null> {
    for (let n = 0; n < blocks; n++) yield* matchIn(this.#read(key, n), regex, found);
  }

  #term(text: string): SearchTerm | null {
    const known = this.#terms.get(text);
    if (known !== undefined) return known;
    const bytes = termBytes(text);
    const term = bytes && new SearchTerm(bytes);
    this.#terms.set(text, term);
    return term;
  }

  #blocksOf(key: number, term: SearchTerm, last: number): SessionBlocks {
    if (key < term.from || key > term.to) this.#readSketches(key, term, last);
    const blocks = term.blocks.get(key) ?? NO_BLOCKS;
    this.#checkCount(key, blocks.count);
    return blocks;
  }

  /** Reads the sketches of sessions from the key on: of whole sessions, and not many more than needed. */
  #readSketches(key: number, term: SearchTerm, last: number): void {
    term.blocks.clear();
    term.from = key;
    term.to = last;
    let blocks = NO_BLOCKS;
    let session = -1;
    let read = 0;
    for (const row of this.#sketches.iterate(key, last) as Iterable<[number, number, Buffer, number]>) {
      if (row[0] !== session) {
        session = row[0];
        if (read >= SKETCHES_AHEAD) {
          term.to = session - 1;
          break;
        }
        blocks = { count: 0, likely: [] };
        term.blocks.set(session, blocks);
      }
      read++;
      blocks.count++;
      const sketch = row[2];
      if (!Buffer.isBuffer(sketch) || crc32(sketch) !== row[3]) throw damagedText();
      if (mayContain(sketch, term.bits)) blocks.likely.push(row[1]);
    }
  }

  #read(key: number, n: number): TextBlock {
    const block = this.#block.get(key, n) as StoredBlock | undefined;
    if (block) return checkBlock(block);
    this.#checkCount(key, -1);
    throw damagedText();
  }
}

function damagedText(): Error {
  return damage('its full text has changed since it was written');
}

/** The full text of one session, searched once for each term. */
export class SessionTexts {
  readonly #texts: TextSearch;
  readonly #key: number;
  readonly #found = new Map<string | RegExp, FrameSet>();

  constructor(texts: TextSearch, key: number) {
    this.#texts = texts;
    this.#key = key;
  }

  /** A regular expression must have been searched for before. */
  framesWith(term: string | RegExp): FrameSet {
    const known = this.#found.get(term);
    if (known) return known;
    const found = new FrameSet();
    this.#found.set(term, found);
    if (typeof term === 'string') this.#texts.find(this.#key, term, found);
    return found;
  }

  /** `blocks`: how many the session has. */
  *look(regex: RegExp, blocks: number): Generator<null> {
    const found = new FrameSet();
    yield* this.#texts.match(this.#key, regex, blocks, found);
    this.#found.set(regex, found);
  }
}
