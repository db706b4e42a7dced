/**
 * The tapes in a page of `export --format html` or an archive of `report`, taken out again byte for byte. A page may come from anybody: blocks are
 * found line by line, nothing is inflated beyond the size that the page names, and the digest must be right.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isObject } from '../core/message.ts';
import { blockIds, HEAD_ID } from '../page/blocks.ts';
import { LineReader } from './line-reader.ts';
import { readExactly } from './long-line.ts';
import { UnreadableTape } from './unreadable.ts';
import { ZipError, ZipReader } from './zip.ts';

const DOCTYPE = /^\ufeff?\s*<!doctype html/i;
const ARCHIVE = /^PK\x03\x04/;
const LOOK = 64;
/** The tape in an archive of `report`. */
const IN_ARCHIVE = 'wire.jsonl';

/** Whether the file holds tapes: HTML, which can only be a page, or a zip archive, which can only be a report. */
export function isPage(path: string): boolean {
  return begins(path, DOCTYPE) || begins(path, ARCHIVE);
}

function begins(path: string, form: RegExp): boolean {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return false;
  }
  try {
    const head = Buffer.alloc(LOOK);
    return form.test(head.toString('utf8', 0, readSync(fd, head, 0, LOOK, 0)));
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}

export interface TakenTape {
  path: string;
  /** The folder that it is in, to be removed afterwards. */
  folder: string;
}

/** `nth`: which of its sessions, from 1; null if it should have only one. */
export function takeTape(page: string, nth: number | null): TakenTape {
  const opened = open(page);
  const { count } = opened;
  const name = basename(page);
  if (nth === null && count > 1)
    throw new UnreadableTape(`the page has ${count} sessions`, `name one of them: ${name}@1 or ${name}@2`);
  if (nth !== null && nth > count)
    throw new UnreadableTape(`the page has ${count === 1 ? 'one session' : `only ${count} sessions`}`);
  const folder = mkdtempSync(join(tmpdir(), 'wiretape-'));
  const path = join(folder, 'wire.jsonl');
  try {
    opened.write((nth ?? 1) - 1, path, folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { path, folder };
}

/** How many sessions a page has. */
export function sessionsIn(page: string): number {
  return open(page).count;
}

interface Holder {
  readonly count: number;
  write(session: number, path: string, folder: string): void;
}

const open = (path: string): Holder => (begins(path, ARCHIVE) ? new Archive(path) : new Page(path));

/** A report: its tape is a file in it. */
class Archive implements Holder {
  readonly count = 1;
  readonly #zip: ZipReader;

  constructor(path: string) {
    this.#zip = readable(() => new ZipReader(path));
    if (!this.#zip.names.includes(IN_ARCHIVE))
      throw new UnreadableTape(
        `it is a zip archive without a ${IN_ARCHIVE}`,
        'wiretape report makes archives with one',
      );
  }

  write(_session: number, path: string): void {
    const content = readable(() => this.#zip.extract(IN_ARCHIVE));
    const out = openSync(path, 'wx', 0o600);
    try {
      for (let done = 0; done < content.length; ) done += writeSync(out, content, done);
    } finally {
      closeSync(out);
    }
  }
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ZipError) throw new UnreadableTape(error.message, 'get a whole copy of it');
    throw error;
  }
}

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
const CLOSING = '</script>';
/** Of lines that are longer, only so much is read while blocks are searched. */
const LONGEST = 1 << 16;
/** Heads and maps are much smaller, even of sessions with millions of frames. */
const MOST_JSON = 1 << 28;
const MOST_SESSIONS = 2;

class Page implements Holder {
  readonly #path: string;
  readonly #blocks = new Map<string, Block>();
  readonly #tapes: Declared[];

  constructor(path: string) {
    this.#path = path;
    const reader = new LineReader(path, LONGEST);
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

  write(session: number, path: string, folder: string): void {
    const { bytes, sha256, chunks } = this.#tapes[session]!;
    const ids = blockIds(session);
    const sizes = this.#sizes(ids.map, chunks, bytes);
    const { bavail, bsize } = statfsSync(folder);
    if (bytes > bavail * bsize)
      throw new UnreadableTape(`its tape needs ${bytes} bytes, which ${folder} does not have`);
    const hash = createHash('sha256');
    const out = openSync(path, 'wx', 0o600);
    try {
      for (let at = 0; at < chunks; at++) {
        const chunk = this.#inflated(ids.tape(at), sizes[at]!);
        if (chunk.length !== sizes[at]) throw changed();
        hash.update(chunk);
        for (let done = 0; done < chunk.length; ) done += writeSync(out, chunk, done);
      }
    } finally {
      closeSync(out);
    }
    if (hash.digest('hex') !== sha256) throw changed();
  }

  #see(line: Buffer, offset: number, length: number): void {
    const [opening, id] = BLOCK.exec(line.toString('latin1', 0, 2 * LOOK + 40)) ?? [];
    // The first one counts, as in a browser.
    if (opening === undefined || id === undefined || this.#blocks.has(id)) return;
    this.#blocks.set(id, { offset: offset + opening.length, length: length - opening.length });
  }

  #declared(): Declared[] {
    if (!this.#blocks.has(HEAD_ID)) {
      const isOurs = this.#blocks.size > 0;
      throw new UnreadableTape(
        isOurs ? 'the page is not complete: its end is missing' : 'it is HTML, but not a page of wiretape',
        isOurs ? 'export it again, or get a whole copy of it' : null,
      );
    }
    const head = this.#json(HEAD_ID);
    if (!isObject(head) || !Array.isArray(head.sessions)) throw changed();
    if (head.format !== 1)
      throw new UnreadableTape(
        `the page has format ${head.format}, this version reads 1`,
        'update wiretape to read it',
      );
    const tapes = head.sessions.slice(0, MOST_SESSIONS).map((one) => (isObject(one) ? one.tape : null));
    if (tapes.length === 0 || !tapes.every(isDeclared)) throw changed();
    return tapes;
  }

  #sizes(id: string, chunks: number, bytes: number): number[] {
    const map = this.#json(id);
    const sizes = isObject(map) && isObject(map.tape) ? map.tape.bytes : null;
    if (!Array.isArray(sizes) || sizes.length !== chunks || !sizes.every(isSize)) throw changed();
    if (sizes.reduce((sum: number, one: number) => sum + one, 0) !== bytes) throw changed();
    return sizes;
  }

  #json(id: string): unknown {
    try {
      return JSON.parse(this.#inflated(id, MOST_JSON).toString('utf8'));
    } catch (error) {
      if (error instanceof SyntaxError) throw changed();
      throw error;
    }
  }

  #inflated(id: string, most: number): Buffer {
    const block = this.#blocks.get(id);
    if (!block) throw new UnreadableTape(`the page is not complete: the block ${id} is missing`);
    const text = Buffer.alloc(block.length);
    const fd = openSync(this.#path, 'r');
    try {
      readExactly(fd, text, 0, text.length, block.offset);
    } finally {
      closeSync(fd);
    }
    const end = text.lastIndexOf(CLOSING);
    if (end < 0) throw new UnreadableTape('the page is not complete: a block has no end');
    try {
      return gunzipSync(Buffer.from(text.toString('latin1', 0, end), 'base64'), { maxOutputLength: Math.max(1, most) });
    } catch {
      throw changed();
    }
  }
}

function isDeclared(tape: unknown): tape is Declared {
  if (!isObject(tape)) return false;
  const { bytes, sha256, chunks } = tape;
  return isSize(bytes) && isSize(chunks) && typeof sha256 === 'string';
}

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function changed(): UnreadableTape {
  return new UnreadableTape(
    'the page was changed after it was written: its tape is not the one it names',
    'export it again',
  );
}
