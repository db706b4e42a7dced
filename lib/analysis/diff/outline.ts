/**
 * A session as nodes, in one pass and in little memory: old entries leave the timeline as soon as nothing more can happen
 * to them, and only their hashes stay. A second pass keeps what the first one found to differ.
 */

import { promptGiven } from '../../dialects/common/command-line.ts';
import { traitsOf } from '../../dialects/index.ts';
import type { Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { Entry, Item, Timeline, Turn } from '../../model/timeline/shape.ts';
import { Windows } from '../../session/history.ts';
import type { Observer, PassInfo } from '../../session/pass.ts';
import type { Hashes } from './hash.ts';
import { Mask } from './mask.ts';
import type { Neutral } from './neutral.ts';
import { assembled, faceIn, type Making, type Node, nodeOf, partsOf, type Seen } from './node.ts';
import { Nodes, type Siblings } from './nodes.ts';
import { Places } from './places.ts';
import { type Handshaken, RawLines } from './raw-lines.ts';
import { Reader, type Reading } from './reading.ts';
import { isSettled } from './settled.ts';
import { Strings } from './strings.ts';

/** Entries that stay in the timeline, because late frames may belong to them. */
const LATEST = 64;
/** Frames between two looks at what has settled. */
const EVERY = 512;

/** Which nodes to keep in full, by their place: of a turn, also which of those inside it. */
export type Wanted = ReadonlyMap<number, ReadonlySet<number>>;

export interface OutlineOptions {
  /** The folders that the agent ran in. */
  folders: readonly string[];
  reading: Reading;
  /** What the session's own lines say of folders and ids, if it was read before. */
  mask?: Mask;
  seen?: Seen;
  /** What to keep in full. Default: everything, as long as the session is short. */
  wanted?: Wanted;
  /** What the other session has: of a long session, what is not among these is kept too. */
  known?: Hashes;
  /** Of a session with more frames, only hashes are kept. */
  short?: number;
  ignored?: ReadonlySet<number> | null;
  neutral?: Neutral | null;
}

const SHORT = 20_000;

/** Entries that have left the timeline, in order. */
class Row {
  readonly nodes: Nodes;
  /** Those that have not settled, each with how many nodes are before it. */
  readonly open: { entry: Entry; before: number }[] = [];

  constructor(nodes: Nodes) {
    this.nodes = nodes;
  }

  get length(): number {
    return this.nodes.length + this.open.length;
  }

  /** All of them as nodes. `made`: what an entry becomes, with its place. */
  end(made: (entry: Entry, at: number) => Node[]): Nodes {
    const all = this.open.some(({ before }) => before < this.nodes.length) ? this.nodes.another() : this.nodes;
    const { length } = this.nodes;
    const copyTo = (end: number) => {
      if (all !== this.nodes) for (; copied < end; copied++) all.copy(this.nodes, copied);
    };
    let copied = 0;
    this.open.forEach(({ entry, before }, n) => {
      copyTo(before);
      for (const node of made(entry, before + n)) all.push(node);
    });
    copyTo(length);
    return all;
  }
}

export class Outline implements Observer {
  readonly mask: Mask;
  readonly reader: Reader;
  readonly #ids: Places;
  #entries: () => Entry[];
  readonly #making: Making;
  /** Null: everything is kept in full. */
  #wanted: Wanted | null;
  readonly #known: Hashes | null;
  readonly #short: number;
  readonly #raw: RawLines;
  /** Frames that say no more than that a compaction is over. */
  readonly #ends = new Set<number>();
  #isCompacting = false;
  readonly #strings = new Strings();
  readonly #top = new Row(new Nodes(this.#strings));
  /** Of turns that are so long that a part of them has left the timeline. */
  readonly #turns = new Map<Turn, Row>();
  #frames = 0;
  /** The last frame. */
  last = 0;
  /** What was sent again from earlier sessions. */
  readonly replayed = new Windows();

  constructor(pass: PassInfo & { readonly timeline: Timeline }, options: OutlineOptions) {
    const { replay, promptOptions } = traitsOf(pass.dialect);
    const { ids = [], volatile = [], names = [], volatileIn } = replay;
    this.#entries = () => pass.timeline.entries;
    this.#ids = new Places(ids);
    this.mask = options.mask ?? new Mask(options.folders, names);
    this.reader = new Reader(this.mask, options.reading);
    this.#raw = new RawLines(
      { paths: [...ids, ...volatile], more: volatileIn },
      this.reader.leaf('handshake', 'answer'),
    );
    this.#wanted = options.wanted ?? null;
    this.#known = options.known ?? null;
    this.#short = options.wanted ? Number.POSITIVE_INFINITY : (options.short ?? SHORT);
    this.#making = {
      reader: this.reader,
      rawOf: (item) => this.#raw.of(item),
      seen: options.seen ?? null,
      isIgnored: (item) =>
        options.ignored?.has(item.f) === true || (item.kind === 'compaction' && this.#ends.has(item.f)),
      neutral: options.neutral ?? null,
      asked: promptGiven(pass.command, promptOptions),
    };
  }

  take(read: ReadFrame): void {
    const { value, events, conversation } = read;
    this.last = read.frame.f;
    this.replayed.take(read);
    if (isObject(value)) this.#ids.each(value, (id) => this.mask.learn(id));
    if (conversation !== null) this.mask.learn(conversation);
    for (const event of events) {
      if (event.kind === 'tool-result') this.#learn(event);
      else if (event.kind === 'handshake') this.mask.learnFolder(event.about.cwd);
      else if (event.kind === 'compaction') this.#compacts(event, read.frame.f);
    }
    this.#raw.take(read);
    if (++this.#frames > this.#short && this.#wanted === null) this.#forget();
    if (this.#frames % EVERY === 0) this.#sweep();
  }

  /** The beginning is an entry. The end is one too, if it has a text. */
  #compacts({ done, text = '' }: Event & { kind: 'compaction' }, f: number): void {
    if (done && this.#isCompacting && text === '') this.#ends.add(f);
    this.#isCompacting = !done;
  }

  /** Its displays may come before its text in what is compared. */
  #learn({ text, blocks }: Event & { kind: 'tool-result' }): void {
    if (text !== undefined) this.mask.learnFrom(text);
    for (const block of blocks) if (block.type === 'text') this.mask.learnFrom(block.text);
  }

  /** What the two sides said of themselves, in order. */
  get handshakes(): Handshaken[] {
    return this.#raw.handshakes;
  }

  /** Everything is kept in full. */
  get isWhole(): boolean {
    return this.#wanted === null;
  }

  /** The session turns out to be long: what was kept so far goes too. */
  #forget(): void {
    this.#wanted = new Map();
    for (const { nodes } of [this.#top, ...this.#turns.values()]) nodes.hollow();
  }

  /** All nodes outside of turns, and the turns. */
  end(): Nodes {
    for (const entry of this.#entries()) this.#top.open.push({ entry, before: this.#top.nodes.length });
    const made = (entry: Entry, i: number) => partsOf([entry], this.#making).map((part) => this.#nodeAt(part, i));
    const nodes = this.#top.end(made);
    this.#letGo();
    return nodes;
  }

  /** Of the pass and what is behind it: two long sessions must not be in memory together. */
  #letGo(): void {
    this.#entries = () => [];
    this.#top.open.length = 0;
    this.#turns.clear();
    this.#raw.clear();
    this.#making.seen = null;
    // It would hold on to the pass too: functions of one scope share what they hold.
    this.#making.rawOf = () => undefined;
    this.#making.isIgnored = () => false;
  }

  #nodeAt(entry: Entry, i: number): Node {
    const wanted = this.#wanted?.get(i);
    const isFull = this.#wanted === null || wanted !== undefined;
    if (entry.is !== 'turn') {
      const node = this.#made(entry, isFull);
      node.at = i;
      return node;
    }
    const inside = this.#inside(entry, wanted);
    const face = faceIn(entry, this.#making);
    const node = assembled(entry, { ...face, inside: [] }, inside, this.#making, isFull || this.#known !== null);
    if (!isFull && this.#known?.has(node.same)) node.face = null;
    node.inside = inside;
    node.at = i;
    return node;
  }

  #inside(turn: Turn, wanted: ReadonlySet<number> | undefined): Siblings {
    const row = this.#turns.get(turn);
    if (!row) {
      const parts = turn.entries.flatMap((entry, j) => this.#partsAt(entry, wanted, j));
      return this.#making.neutral?.isFlat ? parts.sort((a, b) => a.f - b.f) : parts;
    }
    this.#turns.delete(turn);
    for (const entry of turn.entries) row.open.push({ entry, before: row.nodes.length });
    return row.end((entry, j) => this.#partsAt(entry, wanted, j));
  }

  /** What an entry of a turn becomes: usually one node. */
  #partsAt(entry: Entry, wanted: ReadonlySet<number> | undefined, j: number): Node[] {
    const isFull = this.#wanted === null || (wanted?.has(j) ?? false);
    return partsOf([entry], this.#making).map((part) => {
      const node = this.#made(part, isFull);
      node.at = j;
      return node;
    });
  }

  #made(entry: Entry, isFull: boolean): Node {
    const node = nodeOf(entry, this.#making, isFull || this.#known !== null);
    if (!isFull && this.#known?.has(node.same)) hollow(node);
    if (entry.is === 'item') this.#raw.forget(entry);
    return node;
  }

  #sweep(): void {
    const entries = this.#entries();
    const open = entries.findLastIndex((entry) => entry.is === 'turn');
    const turn = entries[open];
    if (turn && turn.entries.length > 2 * LATEST) this.#sweepTurn(turn as Turn, this.#top.length + open);
    if (entries.length <= 2 * LATEST) return;
    const made = (entry: Entry, i: number) => partsOf([entry], this.#making).map((part) => this.#nodeAt(part, i));
    this.#take(entries.splice(0, entries.length - LATEST), this.#top, made);
  }

  #sweepTurn(turn: Turn, i: number): void {
    const row = this.#turns.get(turn) ?? new Row(new Nodes(this.#strings));
    this.#turns.set(turn, row);
    const made = (entry: Entry, j: number) => this.#partsAt(entry, this.#wanted?.get(i), j);
    this.#take(turn.entries.splice(0, turn.entries.length - LATEST), row, made);
  }

  #take(entries: Entry[], row: Row, made: (entry: Entry, at: number) => Node[]): void {
    const asks = (item: Item) => this.#raw.of(item)?.asks === true;
    for (const entry of entries) {
      if (!isSettled(entry, asks)) row.open.push({ entry, before: row.nodes.length });
      else for (const node of made(entry, row.length)) row.nodes.push(node);
    }
  }
}

/** Keeps the hashes. */
function hollow(node: Node): void {
  node.face = null;
  node.inside = null;
}
