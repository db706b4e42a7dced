/**
 * The sessions of a page, read from the blocks in its document. A block is decoded when something in it is first asked for.
 * Chunks are kept as long as there is room for them; everything else stays.
 */

import type { SessionDiff } from '../../analysis/diff/result.ts';
import { HEAD_ID } from '../../model/page-format.ts';
import { decodeBase64Bytes } from '../../model/text/base64-bytes.ts';
import { blockIds, DIFF_ID, LABELS, type SessionMap } from '../page/blocks.ts';
import type { ColumnName } from '../page/columns.ts';
import { unpackColumn } from '../page/columns.ts';
import { type LeanApproval, wholeApproval } from '../page/lean-approval.ts';
import { ByteReader, unpackNumbers } from '../page/numbers.ts';
import type { PageHead, RowBody, RowTable, SessionHead, UsagePoint } from '../page/page.ts';
import { stringsOf, unquote } from '../page/quotes.ts';
import { unpackRows } from '../page/row-table.ts';
import { Frames } from './frame-table.ts';
import type { Column, FrameSource, SourceLine } from './source.ts';
import { linesIn } from './tape-lines.ts';

/** Inflated chunks of a kind that are kept. */
const KEPT = 16;

/** The document of the page. */
interface BlockHolder {
  getElementById(id: string): { readonly textContent: string | null } | null;
}

export interface EmbeddedSources {
  head: PageHead;
  sources: FrameSource[];
  /** Null if the page has one session. */
  diff(): Promise<SessionDiff | null>;
}

export async function embeddedSources(document: BlockHolder): Promise<EmbeddedSources> {
  const head = (await jsonIn(document, HEAD_ID)) as PageHead;
  const sources: FrameSource[] = [];
  for (const [n, one] of head.sessions.entries()) sources.push(await EmbeddedSource.open(document, n, one));
  let diff: Promise<SessionDiff | null> | null = null;
  return {
    head,
    sources,
    diff: () => {
      diff ??= document.getElementById(DIFF_ID)
        ? (jsonIn(document, DIFF_ID) as Promise<SessionDiff>)
        : Promise.resolve(null);
      return diff;
    },
  };
}

class EmbeddedSource implements FrameSource {
  readonly head: SessionHead;
  readonly frames: Frames;
  readonly rows: RowTable;
  readonly #document: BlockHolder;
  readonly #ids: ReturnType<typeof blockIds>;
  readonly #map: SessionMap;
  /** Where the texts of a row are. */
  readonly #slots: Float64Array;
  readonly #labels: Chunks<string[]>;
  readonly #bodies: Chunks<string[]>;
  readonly #lines: Chunks<SourceLine[]>;
  readonly #whole = new Map<string, Promise<unknown>>();

  static async open(document: BlockHolder, n: number, head: SessionHead): Promise<EmbeddedSource> {
    const ids = blockIds(n);
    const [map, packed, places, f] = await Promise.all([
      jsonIn(document, ids.map) as Promise<SessionMap>,
      inflated(document, ids.rows),
      inflated(document, ids.places),
      inflated(document, ids.column('f')),
    ]);
    const reader = new ByteReader(places);
    const rowOf = unpackNumbers(reader.take(reader.whole()));
    const slots = unpackNumbers(reader.take(reader.whole()));
    const { numbers } = unpackColumn(f, head.frames) as Column & { is: 'numbers' };
    return new EmbeddedSource(
      document,
      ids,
      head,
      map,
      unpackRows(packed, head.rows),
      slots,
      numbers as Float64Array,
      rowOf,
    );
  }

  private constructor(
    document: BlockHolder,
    ids: ReturnType<typeof blockIds>,
    head: SessionHead,
    map: SessionMap,
    rows: RowTable,
    slots: Float64Array,
    numbers: Float64Array,
    rowOf: Float64Array,
  ) {
    this.#document = document;
    this.#ids = ids;
    this.#map = map;
    this.#slots = slots;
    this.head = head;
    this.rows = rows;
    this.frames = new Frames(numbers, rowOf, (name) => this.#column(name));
    const text = async (id: string) => new TextDecoder().decode(await inflated(document, id)).split('\n');
    this.#labels = new Chunks((at) => text(ids.labels(at)), Number.POSITIVE_INFINITY);
    this.#bodies = new Chunks((at) => text(ids.bodies(at)), KEPT);
    this.#lines = new Chunks((at) => this.#linesIn(at), KEPT);
  }

  label(row: number): string | null {
    const slot = this.#slots[row]!;
    return this.#labels.there(Math.floor(slot / LABELS))?.[slot % LABELS] ?? null;
  }

  async loadLabels(from: number, to: number): Promise<void> {
    const wanted = new Set<number>();
    for (let row = Math.max(0, from); row < Math.min(to, this.rows.count); row++)
      wanted.add(Math.floor(this.#slots[row]! / LABELS));
    await Promise.all([...wanted].map((at) => this.#labels.get(at)));
  }

  async body(row: number): Promise<RowBody> {
    const slot = this.#slots[row]!;
    const at = lastAtMost(this.#map.bodies.first, slot);
    const bodies = await this.#bodies.get(at);
    const body = JSON.parse(bodies[slot - this.#map.bodies.first[at]!]!) as RowBody;
    await unquote(body, async (f) => stringsOf((await this.line(f)).frame));
    return body;
  }

  async line(f: number): Promise<SourceLine> {
    const { first } = this.#map.tape;
    // A chunk without frames has the number 0.
    let at = lastAtMost(first, f);
    for (; at >= 0; at--) {
      const found = lineOf(await this.#lines.get(at), f);
      if (found) return found;
    }
    throw new RangeError(`there is no frame f${f}`);
  }

  chunk(n: number): Promise<readonly SourceLine[]> {
    return this.#lines.get(n);
  }

  chunkAt(index: number): number {
    return lastAtMost(this.#map.tape.first, this.frames.f(index));
  }

  async approvals(): Promise<Record<string, unknown>[]> {
    const [rows, { unknowns }] = await Promise.all([
      this.#json<LeanApproval[]>(this.#ids.approvals),
      this.#json<{ unknowns: string[] }>(this.#ids.audit),
    ]);
    const { session, started } = this.head;
    return rows.map((row) => wholeApproval(row, session, started, unknowns));
  }

  audit(): Promise<Record<string, unknown>> {
    return this.#json(this.#ids.audit);
  }

  rules(): Promise<Record<string, unknown>[]> {
    return this.#json(this.#ids.rules);
  }

  findings(): Promise<Record<string, unknown>[]> {
    return this.#json(this.#ids.findings);
  }

  why(): Promise<Record<string, unknown>[]> {
    return this.#json(this.#ids.why);
  }

  usage(): Promise<UsagePoint[]> {
    return this.#json(this.#ids.usage);
  }

  async *tape(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.head.tape.chunks; at++) yield await inflated(this.#document, this.#ids.tape(at));
  }

  #json<T>(id: string): Promise<T> {
    return this.#once(id, () => jsonIn(this.#document, id)) as Promise<T>;
  }

  #column(name: ColumnName): Promise<Column> {
    const id = this.#ids.column(name);
    const read = async () => unpackColumn(await inflated(this.#document, id), this.head.frames);
    return this.#once(id, read) as Promise<Column>;
  }

  #once(id: string, read: () => Promise<unknown>): Promise<unknown> {
    const known = this.#whole.get(id) ?? read();
    this.#whole.set(id, known);
    return known;
  }

  async #linesIn(at: number): Promise<SourceLine[]> {
    return linesIn(await inflated(this.#document, this.#ids.tape(at)));
  }
}

/** Almost always the numbers grow by one. */
function lineOf(lines: readonly SourceLine[], f: number): SourceLine | undefined {
  const likely = lines[f - (lines[0]?.frame.f ?? 0)];
  return likely?.frame.f === f ? likely : lines.find(({ frame }) => frame.f === f);
}

/** Chunks by number, the latest of them. One that is being read is not read twice. */
class Chunks<T> {
  readonly #read: (at: number) => Promise<T>;
  readonly #most: number;
  readonly #there = new Map<number, T>();
  readonly #coming = new Map<number, Promise<T>>();

  constructor(read: (at: number) => Promise<T>, most: number) {
    this.#read = read;
    this.#most = most;
  }

  there(at: number): T | undefined {
    return this.#there.get(at);
  }

  get(at: number): Promise<T> {
    const there = this.#there.get(at);
    if (there !== undefined) {
      // The last one that was asked for is the last to go.
      this.#there.delete(at);
      this.#there.set(at, there);
      return Promise.resolve(there);
    }
    const coming = this.#coming.get(at) ?? this.#load(at);
    this.#coming.set(at, coming);
    return coming;
  }

  async #load(at: number): Promise<T> {
    try {
      const chunk = await this.#read(at);
      this.#there.set(at, chunk);
      for (const oldest of this.#there.keys()) {
        if (this.#there.size <= this.#most) break;
        this.#there.delete(oldest);
      }
      return chunk;
    } finally {
      this.#coming.delete(at);
    }
  }
}

/** The index of the last number that is not larger; -1: none is. */
function lastAtMost(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

async function jsonIn(document: BlockHolder, id: string): Promise<unknown> {
  return JSON.parse(new TextDecoder().decode(await inflated(document, id)));
}

/** Newer browsers have it. */
const NATIVE = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;

async function inflated(document: BlockHolder, id: string): Promise<Uint8Array> {
  const text = document.getElementById(id)?.textContent;
  if (text == null) throw new Error(`the page has no block ${id}: it is not complete`);
  const packed = NATIVE ? NATIVE.call(Uint8Array, text) : decodeBase64Bytes(text);
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  // The reader reports what is wrong with the data.
  writer.write(packed as Uint8Array<ArrayBuffer>).catch(() => {});
  writer.close().catch(() => {});
  return new Uint8Array(await new Response(readable).arrayBuffer());
}
