/**
 * A session as nodes, in one pass and in little memory: old entries leave the timeline as soon as nothing more can happen
 * to them, and only their hashes stay. A second pass keeps what the first one found to differ.
 */

import { findPrompt } from '../../dialects/common/command-line.ts';
import { traitsOf } from '../../dialects/index.ts';
import type { Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { Entry, Item, Timeline, Turn } from '../../model/timeline/entries.ts';
import { HistoryWindows } from '../../session/history.ts';
import type { Observer, PassInfo } from '../../session/pass.ts';
import { ContentReader, type ReadingOptions } from './content-reader.ts';
import type { HashSet } from './hash.ts';
import type { NeutralView } from './neutral.ts';
import {
  assembleNode,
  contentIn,
  type DiffNode,
  type EntryObserver,
  type NodeContext,
  nodeOf,
  partsOf,
} from './node.ts';
import { NodeList, type SiblingNodes } from './nodes.ts';
import { type HandshakeLine, RawLineReader } from './raw-lines.ts';
import { isSettled } from './settled.ts';
import { StringTable } from './string-table.ts';
import { ValuePaths } from './value-paths.ts';
import { VolatileMask } from './volatile-mask.ts';

/** Entries that stay in the timeline, because late frames may belong to them. */
const MAX_LATEST_ENTRIES = 64;
/** Frames between two looks at what has settled. */
const SWEEP_INTERVAL = 512;

/** Which nodes to keep in full, by their place: of a turn, also which of those inside it. */
export type WantedNodes = ReadonlyMap<number, ReadonlySet<number>>;

export interface OutlineOptions {
  /** The folders that the agent ran in. */
  folders: readonly string[];
  reading: ReadingOptions;
  /** What the session's own lines say of folders and ids, if it was read before. */
  mask?: VolatileMask;
  seen?: EntryObserver;
  /** What to keep in full. Default: everything, as long as the session is short. */
  wanted?: WantedNodes;
  /** What the other session has: of a long session, what is not among these is kept too. */
  known?: HashSet;
  /** Of a session with more frames, only hashes are kept. */
  short?: number;
  ignored?: ReadonlySet<number> | null;
  neutral?: NeutralView | null;
}

const MAX_SHORT_FRAMES = 20_000;

/** Entries that have left the timeline, in order. */
class OutlineRow {
  readonly nodes: NodeList;
  /** Those that have not settled, each with how many nodes are before it. */
  readonly open: { entry: Entry; before: number }[] = [];

  constructor(nodes: NodeList) {
    this.nodes = nodes;
  }

  get length(): number {
    return this.nodes.length + this.open.length;
  }

  /** All of them as nodes. `made`: what an entry becomes, with its place. */
  end(makeNodes: (entry: Entry, at: number) => DiffNode[]): NodeList {
    const all = this.open.some(({ before }) => before < this.nodes.length) ? this.nodes.emptyCopy() : this.nodes;
    const { length } = this.nodes;
    const copyTo = (end: number) => {
      if (all !== this.nodes) for (; copied < end; copied++) all.copy(this.nodes, copied);
    };
    let copied = 0;
    this.open.forEach(({ entry, before }, n) => {
      copyTo(before);
      for (const node of makeNodes(entry, before + n)) all.push(node);
    });
    copyTo(length);
    return all;
  }
}

export class SessionOutline implements Observer {
  readonly mask: VolatileMask;
  readonly reader: ContentReader;
  readonly #idPaths: ValuePaths;
  #entries: () => Entry[];
  readonly #context: NodeContext;
  /** Null: everything is kept in full. */
  #wanted: WantedNodes | null;
  readonly #known: HashSet | null;
  readonly #short: number;
  readonly #rawLines: RawLineReader;
  /** Frames that say no more than that a compaction is over. */
  readonly #ends = new Set<number>();
  #isCompacting = false;
  readonly #strings = new StringTable();
  readonly #top = new OutlineRow(new NodeList(this.#strings));
  /** Of turns that are so long that a part of them has left the timeline. */
  readonly #turns = new Map<Turn, OutlineRow>();
  #frames = 0;
  /** The last frame. */
  last = 0;
  /** What was sent again from earlier sessions. */
  readonly replayed = new HistoryWindows();

  constructor(pass: PassInfo & { readonly timeline: Timeline }, options: OutlineOptions) {
    const { replay, promptOptions } = traitsOf(pass.dialect);
    const { ids = [], volatile = [], names = [], volatileIn } = replay;
    this.#entries = () => pass.timeline.entries;
    this.#idPaths = new ValuePaths(ids);
    this.mask = options.mask ?? new VolatileMask(options.folders, names);
    this.reader = new ContentReader(this.mask, options.reading);
    this.#rawLines = new RawLineReader(
      { paths: [...ids, ...volatile], more: volatileIn },
      this.reader.normaliserFor('handshake', 'answer'),
    );
    this.#wanted = options.wanted ?? null;
    this.#known = options.known ?? null;
    this.#short = options.wanted ? Number.POSITIVE_INFINITY : (options.short ?? MAX_SHORT_FRAMES);
    this.#context = {
      reader: this.reader,
      rawOf: (item) => this.#rawLines.of(item),
      seen: options.seen ?? null,
      isIgnored: (item) =>
        options.ignored?.has(item.f) === true || (item.kind === 'compaction' && this.#ends.has(item.f)),
      neutral: options.neutral ?? null,
      commandLinePrompt: findPrompt(pass.command, promptOptions),
    };
  }

  take(read: ReadFrame): void {
    const { value, events, conversation } = read;
    this.last = read.frame.f;
    this.replayed.take(read);
    if (isObject(value)) this.#idPaths.each(value, (id) => this.mask.learnId(id));
    if (conversation !== null) this.mask.learnId(conversation);
    for (const event of events) {
      if (event.kind === 'tool-result') this.#learn(event);
      else if (event.kind === 'handshake') this.mask.learnFolder(event.about.cwd);
      else if (event.kind === 'compaction') this.#noteCompaction(event, read.frame.f);
    }
    this.#rawLines.take(read);
    if (++this.#frames > this.#short && this.#wanted === null) this.#dropContent();
    if (this.#frames % SWEEP_INTERVAL === 0) this.#sweep();
  }

  /** The beginning is an entry. The end is one too, if it has a text. */
  #noteCompaction({ done, text = '' }: Event & { kind: 'compaction' }, f: number): void {
    if (done && this.#isCompacting && text === '') this.#ends.add(f);
    this.#isCompacting = !done;
  }

  /** Its displays may come before its text in what is compared. */
  #learn({ text, blocks }: Event & { kind: 'tool-result' }): void {
    if (text !== undefined) this.mask.learnFrom(text);
    for (const block of blocks) if (block.type === 'text') this.mask.learnFrom(block.text);
  }

  /** What the two sides said of themselves, in order. */
  get handshakes(): HandshakeLine[] {
    return this.#rawLines.handshakes;
  }

  /** Everything is kept in full. */
  get isWhole(): boolean {
    return this.#wanted === null;
  }

  /** The session turns out to be long: what was kept so far goes too. */
  #dropContent(): void {
    this.#wanted = new Map();
    for (const { nodes } of [this.#top, ...this.#turns.values()]) nodes.dropObjects();
  }

  /** All nodes outside of turns, and the turns. */
  end(): NodeList {
    for (const entry of this.#entries()) this.#top.open.push({ entry, before: this.#top.nodes.length });
    const makeNodes = (entry: Entry, i: number) => partsOf([entry], this.#context).map((part) => this.#nodeAt(part, i));
    const nodes = this.#top.end(makeNodes);
    this.#release();
    return nodes;
  }

  /** Of the pass and what is behind it: two long sessions must not be in memory together. */
  #release(): void {
    this.#entries = () => [];
    this.#top.open.length = 0;
    this.#turns.clear();
    this.#rawLines.clear();
    this.#context.seen = null;
    // It would hold on to the pass too: functions of one scope share what they hold.
    this.#context.rawOf = () => undefined;
    this.#context.isIgnored = () => false;
  }

  #nodeAt(entry: Entry, i: number): DiffNode {
    const wanted = this.#wanted?.get(i);
    const isFull = this.#wanted === null || wanted !== undefined;
    if (entry.is !== 'turn') {
      const node = this.#makeNode(entry, isFull);
      node.at = i;
      return node;
    }
    const inside = this.#inside(entry, wanted);
    const content = contentIn(entry, this.#context);
    const node = assembleNode(entry, { ...content, inside: [] }, inside, this.#context, isFull || this.#known !== null);
    if (!isFull && this.#known?.has(node.same)) node.content = null;
    node.inside = inside;
    node.at = i;
    return node;
  }

  #inside(turn: Turn, wanted: ReadonlySet<number> | undefined): SiblingNodes {
    const row = this.#turns.get(turn);
    if (!row) {
      const parts = turn.entries.flatMap((entry, j) => this.#partsAt(entry, wanted, j));
      return this.#context.neutral?.isFlat ? parts.sort((a, b) => a.f - b.f) : parts;
    }
    this.#turns.delete(turn);
    for (const entry of turn.entries) row.open.push({ entry, before: row.nodes.length });
    return row.end((entry, j) => this.#partsAt(entry, wanted, j));
  }

  /** What an entry of a turn becomes: usually one node. */
  #partsAt(entry: Entry, wanted: ReadonlySet<number> | undefined, j: number): DiffNode[] {
    const isFull = this.#wanted === null || (wanted?.has(j) ?? false);
    return partsOf([entry], this.#context).map((part) => {
      const node = this.#makeNode(part, isFull);
      node.at = j;
      return node;
    });
  }

  #makeNode(entry: Entry, isFull: boolean): DiffNode {
    const node = nodeOf(entry, this.#context, isFull || this.#known !== null);
    if (!isFull && this.#known?.has(node.same)) dropContent(node);
    if (entry.is === 'item') this.#rawLines.forget(entry);
    return node;
  }

  #sweep(): void {
    const entries = this.#entries();
    const open = entries.findLastIndex((entry) => entry.is === 'turn');
    const turn = entries[open];
    if (turn && turn.entries.length > 2 * MAX_LATEST_ENTRIES) this.#sweepTurn(turn as Turn, this.#top.length + open);
    if (entries.length <= 2 * MAX_LATEST_ENTRIES) return;
    const makeNodes = (entry: Entry, i: number) => partsOf([entry], this.#context).map((part) => this.#nodeAt(part, i));
    this.#take(entries.splice(0, entries.length - MAX_LATEST_ENTRIES), this.#top, makeNodes);
  }

  #sweepTurn(turn: Turn, i: number): void {
    const row = this.#turns.get(turn) ?? new OutlineRow(new NodeList(this.#strings));
    this.#turns.set(turn, row);
    const makeNodes = (entry: Entry, j: number) => this.#partsAt(entry, this.#wanted?.get(i), j);
    this.#take(turn.entries.splice(0, turn.entries.length - MAX_LATEST_ENTRIES), row, makeNodes);
  }

  #take(entries: Entry[], row: OutlineRow, makeNodes: (entry: Entry, at: number) => DiffNode[]): void {
    const asks = (item: Item) => this.#rawLines.of(item)?.asks === true;
    for (const entry of entries) {
      if (!isSettled(entry, asks)) row.open.push({ entry, before: row.nodes.length });
      else for (const node of makeNodes(entry, row.length)) row.nodes.push(node);
    }
  }
}

/** Keeps the hashes. */
function dropContent(node: DiffNode): void {
  node.content = null;
  node.inside = null;
}
