/**
 * The blocks of a page that hold its tapes. They are found line by line, and unpacked piece by piece; the sizes and the
 * digest that the page names must be right.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { hasTooManyValues } from '../../model/json/too-large.ts';
import { isObject } from '../../model/message.ts';
import { HEAD_ID, mapId, PAGE_FORMAT, tapeId } from '../../model/page-format.ts';
import { blocksAt, bytesAt } from './file-part.ts';
import { DamagedData } from './huffman.ts';
import { gunzip } from './inflate.ts';
import { LineReader } from './line-reader.ts';
import type { EmbeddedTape } from './page.ts';
import { UnreadableTape } from './unreadable.ts';

/** Where the content of a block is in the file. */
interface PageBlock {
  offset: number;
  length: number;
}

interface DeclaredTape {
  bytes: number;
  sha256: string;
  chunks: number;
}

const BLOCK_OPENING = /^<script type="application\/octet-stream" id="([a-z0-9_-]{1,40})">/;
const MAX_OPENING_LENGTH = 120;
const CLOSING = '</script>';
/** Behind the end of a block there may be a line end, and spaces. */
const MAX_CLOSING_LENGTH = 64;
/** The blocks that are needed; the others are for the viewer. */
const NEEDED_BLOCKS = /^(?:head|s[01]-(?:map|c\d+))$/;
/** Of lines that are longer, only so much is read while blocks are searched. */
const MAX_LINE_BYTES = 1 << 16;
const MAX_SESSIONS = 2;
/** Of a tape of 16 GB. */
const MAX_BLOCKS = 1 << 16;
/** Heads and maps are much smaller, even of sessions with millions of frames. */
const MAX_JSON_BYTES = 1 << 24;
const MAX_JSON_VALUES = 250_000;

export class PageBlocks {
  readonly #path: string;
  readonly #blocks = new Map<string, PageBlock>();
  readonly #tapes: DeclaredTape[];

  /** Throws `UnreadableTape`, as everything here. */
  constructor(path: string) {
    this.#path = path;
    const reader = new LineReader(path, MAX_LINE_BYTES);
    try {
      for (const { line, offset, long } of reader.lines()) this.#noteBlock(line, offset, long?.length ?? line.length);
      const rest = reader.takeRest();
      if (rest) this.#noteBlock(rest.line, rest.offset, rest.long?.length ?? rest.line.length);
    } finally {
      reader.close();
    }
    this.#tapes = this.#declared();
  }

  get count(): number {
    return this.#tapes.length;
  }

  tape(session: number): EmbeddedTape {
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
    if (hash.digest('hex') !== sha256) throw changedPage('its tape is not the one that it names');
  }

  #noteBlock(line: Buffer, offset: number, length: number): void {
    const [opening, id] = BLOCK_OPENING.exec(line.toString('latin1', 0, MAX_OPENING_LENGTH)) ?? [];
    if (opening === undefined || id === undefined || !NEEDED_BLOCKS.test(id)) return;
    if (this.#blocks.has(id)) throw changedPage(`it has two blocks called ${id}`);
    if (this.#blocks.size === MAX_BLOCKS) throw changedPage(`it has more than ${MAX_BLOCKS} blocks`);
    this.#blocks.set(id, { offset: offset + opening.length, length: length - opening.length });
  }

  #declared(): DeclaredTape[] {
    if (!this.#blocks.has(HEAD_ID)) {
      const isOurs = this.#blocks.size > 0;
      throw new UnreadableTape(
        isOurs ? 'the page is not complete: its end is missing' : 'it is HTML, but not a page of wiretape',
        isOurs ? WHOLE_COPY_HINT : null,
      );
    }
    const head = this.#json(HEAD_ID);
    if (!isObject(head)) throw changedPage('its head is not an object');
    const { format, sessions } = head;
    if (format !== PAGE_FORMAT) {
      const isNumber = Number.isSafeInteger(format);
      throw isNumber
        ? new UnreadableTape(
            `the page has format ${format}; this version reads ${PAGE_FORMAT}`,
            'update wiretape to read it',
          )
        : changedPage('its format is not a number');
    }
    if (!Array.isArray(sessions) || sessions.length === 0) throw changedPage('its head names no session');
    if (sessions.length > MAX_SESSIONS) throw changedPage(`its head names ${sessions.length} sessions`);
    const tapes = sessions.map((one) => (isObject(one) ? one.tape : null));
    if (!tapes.every(isDeclared)) throw changedPage('its head does not say how long its tape is');
    return tapes;
  }

  #sizes(session: number, { chunks, bytes }: DeclaredTape): number[] {
    const map = this.#json(mapId(session));
    const sizes = isObject(map) && isObject(map.tape) ? map.tape.bytes : null;
    if (!Array.isArray(sizes) || !sizes.every(isSize)) throw changedPage('its map has no sizes');
    if (sizes.length !== chunks) throw changedPage(`its head names ${chunks} chunks, and its map ${sizes.length}`);
    const sum = sizes.reduce((all: number, one: number) => all + one, 0);
    if (sum !== bytes) throw changedPage(`its head names ${bytes} bytes, and its map ${sum}`);
    return sizes;
  }

  #json(id: string): unknown {
    const pieces: Buffer[] = [];
    let size = 0;
    for (const piece of this.#unpacked(id)) {
      size += piece.length;
      if (size > MAX_JSON_BYTES) throw changedPage(`its ${id} is larger than that of any page`);
      pieces.push(Buffer.from(piece));
    }
    const text = Buffer.concat(pieces).toString('utf8');
    if (hasTooManyValues(text, MAX_JSON_VALUES)) throw changedPage(`its ${id} has more values than that of any page`);
    try {
      return JSON.parse(text);
    } catch {
      throw changedPage(`its ${id} is not JSON`);
    }
  }

  /** Fails as soon as there is more. */
  *#exactly(id: string, size: number): Generator<Buffer> {
    let done = 0;
    for (const piece of this.#unpacked(id)) {
      done += piece.length;
      if (done > size) throw changedPage(`its block ${id} is larger than its map says`);
      yield piece;
    }
    if (done < size) throw changedPage(`its block ${id} is smaller than its map says`);
  }

  *#unpacked(id: string): Generator<Buffer> {
    const block = this.#blocks.get(id);
    if (!block) throw new UnreadableTape(`the page is not complete: the block ${id} is missing`, WHOLE_COPY_HINT);
    const fd = openSync(this.#path, 'r');
    try {
      const tail = Math.min(MAX_CLOSING_LENGTH, block.length);
      const end = bytesAt(fd, block.offset + block.length - tail, tail).lastIndexOf(CLOSING);
      if (end < 0) throw new UnreadableTape('the page is not complete: a block has no end', WHOLE_COPY_HINT);
      yield* gunzip(bytesOfBase64(blocksAt(fd, block.offset, block.length - tail + end), id));
    } catch (error) {
      if (error instanceof DamagedData) throw changedPage(`its block ${id} cannot be unpacked: ${error.message}`);
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
    if (!BASE64.test(text)) throw changedPage(`its block ${id} is not base64`);
    const end = text.length - (text.length % 4);
    yield Buffer.from(text.slice(0, end), 'base64');
    begun = text.slice(end);
  }
  if (begun !== '') throw changedPage(`its block ${id} is not base64`);
}

function isDeclared(tape: unknown): tape is DeclaredTape {
  if (!isObject(tape)) return false;
  const { bytes, sha256, chunks } = tape;
  return isSize(bytes) && isSize(chunks) && typeof sha256 === 'string';
}

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const WHOLE_COPY_HINT = 'export it again, or get a whole copy of it';

/** `how`: what shows it. */
function changedPage(how: string): UnreadableTape {
  return new UnreadableTape(`the page was changed after it was written: ${how}`, WHOLE_COPY_HINT);
}
