/**
 * The blocks of a page that hold its tapes. They are found line by line, and unpacked piece by piece; the sizes and the
 * digest that the page names must be right.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { hasTooManyValues } from '../../model/json/too-large.ts';
import { isObject } from '../../model/message.ts';
import { HEAD_ID, mapId, PAGE_FORMAT, tapeId } from '../../model/page-format.ts';
import { DamagedData } from './huffman.ts';
import { gunzip } from './inflate.ts';
import { LineReader } from './line-reader.ts';
import type { PackedTape } from './page.ts';
import { bytesAt, pieceOfFile } from './part-of-file.ts';
import { UnreadableTape } from './unreadable.ts';

/** Where the content of a block is in the file. */
interface Block {
  offset: number;
  length: number;
}

interface Declared {
  bytes: number;
  sha256: string;
  chunks: number;
}

const BLOCK = /^<script type="application\/octet-stream" id="([a-z0-9_-]{1,40})">/;
const LONGEST_OPENING = 120;
const CLOSING = '</script>';
/** Behind the end of a block there may be a line end, and spaces. */
const LONGEST_CLOSING = 64;
/** The blocks that are needed; the others are for the viewer. */
const NEEDED = /^(?:head|s[01]-(?:map|c\d+))$/;
/** Of lines that are longer, only so much is read while blocks are searched. */
const LONGEST_LINE = 1 << 16;
const MOST_SESSIONS = 2;
/** Of a tape of 16 GB. */
const MOST_BLOCKS = 1 << 16;
/** Heads and maps are much smaller, even of sessions with millions of frames. */
const MOST_JSON = 1 << 24;
const MOST_VALUES = 250_000;

export class PageBlocks {
  readonly #path: string;
  readonly #blocks = new Map<string, Block>();
  readonly #tapes: Declared[];

  /** Throws `UnreadableTape`, as everything here. */
  constructor(path: string) {
    this.#path = path;
    const reader = new LineReader(path, LONGEST_LINE);
    try {
      for (const { line, offset, long } of reader.lines()) this.#see(line, offset, long?.length ?? line.length);
      const rest = reader.takeRest();
      if (rest) this.#see(rest.line, rest.offset, rest.long?.length ?? rest.line.length);
    } finally {
      reader.close();
    }
    this.#tapes = this.#declared();
  }

  get count(): number {
    return this.#tapes.length;
  }

  tape(session: number): PackedTape {
    const declared = this.#tapes[session]!;
    const sizes = this.#sizes(session, declared);
    return { bytes: declared.bytes, pieces: this.#pieces(session, sizes, declared.sha256) };
  }

  *#pieces(session: number, sizes: readonly number[], sha256: string): Generator<Buffer> {
    const hash = createHash('sha256');
    for (const [at, size] of sizes.entries()) {
      for (const piece of this.#exactly(tapeId(session, at), size)) {
        hash.update(piece);
        yield piece;
      }
    }
    if (hash.digest('hex') !== sha256) throw changed('its tape is not the one that it names');
  }

  #see(line: Buffer, offset: number, length: number): void {
    const [opening, id] = BLOCK.exec(line.toString('latin1', 0, LONGEST_OPENING)) ?? [];
    if (opening === undefined || id === undefined || !NEEDED.test(id)) return;
    if (this.#blocks.has(id)) throw changed(`it has two blocks called ${id}`);
    if (this.#blocks.size === MOST_BLOCKS) throw changed(`it has more than ${MOST_BLOCKS} blocks`);
    this.#blocks.set(id, { offset: offset + opening.length, length: length - opening.length });
  }

  #declared(): Declared[] {
    if (!this.#blocks.has(HEAD_ID)) {
      const isOurs = this.#blocks.size > 0;
      throw new UnreadableTape(
        isOurs ? 'the page is not complete: its end is missing' : 'it is HTML, but not a page of wiretape',
        isOurs ? WHOLE_COPY : null,
      );
    }
    const head = this.#json(HEAD_ID);
    if (!isObject(head)) throw changed('its head is not an object');
    const { format, sessions } = head;
    if (format !== PAGE_FORMAT) {
      const isNumber = Number.isSafeInteger(format);
      throw isNumber
        ? new UnreadableTape(
            `the page has format ${format}, this version reads ${PAGE_FORMAT}`,
            'update wiretape to read it',
          )
        : changed('its format is not a number');
    }
    if (!Array.isArray(sessions) || sessions.length === 0) throw changed('its head names no session');
    if (sessions.length > MOST_SESSIONS) throw changed(`its head names ${sessions.length} sessions`);
    const tapes = sessions.map((one) => (isObject(one) ? one.tape : null));
    if (!tapes.every(isDeclared)) throw changed('its head does not say how long its tape is');
    return tapes;
  }

  #sizes(session: number, { chunks, bytes }: Declared): number[] {
    const map = this.#json(mapId(session));
    const sizes = isObject(map) && isObject(map.tape) ? map.tape.bytes : null;
    if (!Array.isArray(sizes) || !sizes.every(isSize)) throw changed('its map has no sizes');
    if (sizes.length !== chunks) throw changed(`its head names ${chunks} chunks, and its map ${sizes.length}`);
    const sum = sizes.reduce((all: number, one: number) => all + one, 0);
    if (sum !== bytes) throw changed(`its head names ${bytes} bytes, and its map ${sum}`);
    return sizes;
  }

  #json(id: string): unknown {
    const pieces: Buffer[] = [];
    let size = 0;
    for (const piece of this.#unpacked(id)) {
      size += piece.length;
      if (size > MOST_JSON) throw changed(`its ${id} is larger than that of any page`);
      pieces.push(Buffer.from(piece));
    }
    const text = Buffer.concat(pieces).toString('utf8');
    if (hasTooManyValues(text, MOST_VALUES)) throw changed(`its ${id} has more values than that of any page`);
    try {
      return JSON.parse(text);
    } catch {
      throw changed(`its ${id} is not JSON`);
    }
  }

  /** Fails as soon as there is more. */
  *#exactly(id: string, size: number): Generator<Buffer> {
    let done = 0;
    for (const piece of this.#unpacked(id)) {
      done += piece.length;
      if (done > size) throw changed(`its block ${id} is larger than its map says`);
      yield piece;
    }
    if (done < size) throw changed(`its block ${id} is smaller than its map says`);
  }

  *#unpacked(id: string): Generator<Buffer> {
    const block = this.#blocks.get(id);
    if (!block) throw new UnreadableTape(`the page is not complete: the block ${id} is missing`, WHOLE_COPY);
    const fd = openSync(this.#path, 'r');
    try {
      const tail = Math.min(LONGEST_CLOSING, block.length);
      const end = bytesAt(fd, block.offset + block.length - tail, tail).lastIndexOf(CLOSING);
      if (end < 0) throw new UnreadableTape('the page is not complete: a block has no end', WHOLE_COPY);
      yield* gunzip(bytesOfBase64(pieceOfFile(fd, block.offset, block.length - tail + end), id));
    } catch (error) {
      if (error instanceof DamagedData) throw changed(`its block ${id} cannot be unpacked: ${error.message}`);
      throw error;
    } finally {
      closeSync(fd);
    }
  }
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function* bytesOfBase64(blocks: Iterable<Buffer>, id: string): Generator<Buffer> {
  let begun = '';
  for (const block of blocks) {
    const text = begun + block.toString('latin1');
    if (!BASE64.test(text)) throw changed(`its block ${id} is not base64`);
    const end = text.length - (text.length % 4);
    yield Buffer.from(text.slice(0, end), 'base64');
    begun = text.slice(end);
  }
  if (begun !== '') throw changed(`its block ${id} is not base64`);
}

function isDeclared(tape: unknown): tape is Declared {
  if (!isObject(tape)) return false;
  const { bytes, sha256, chunks } = tape;
  return isSize(bytes) && isSize(chunks) && typeof sha256 === 'string';
}

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const WHOLE_COPY = 'export it again, or get a whole copy of it';

/** `how`: what shows it. */
function changed(how: string): UnreadableTape {
  return new UnreadableTape(`the page was changed after it was written: ${how}`, WHOLE_COPY);
}
