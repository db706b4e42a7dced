/**
 * What can be left out of a session without breaking its structure: whole turns, requests with their answers, steps, and
 * items with all of their frames. The handshake and what the recorder saw of the process always stay, so that the rest
 * can still be shown, checked and replayed.
 */

import type { Facts } from '../../analysis/facts/facts.ts';
import type { Entry, Item, Step } from '../../model/timeline/entries.ts';
import { itemOf } from '../../model/timeline/item.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { factsOfFrames } from '../../storage/search/frames.ts';

/** The numbers of frames that go or stay together. */
export type Unit = readonly number[];

/** The largest units first. */
export const LEVELS = ['turns', 'exchanges', 'steps', 'items'] as const;
export type Level = (typeof LEVELS)[number];

export interface Structure {
  /** All frames, in order. */
  frames: readonly number[];
  /** The frame that a recorder wrote last, if there is one. */
  ending: number | null;
  units: Record<Level, Unit[]>;
}

/** What a frame is part of. */
type FramePlacement = Pick<
  Facts,
  'f' | 'from' | 'envelope' | 'kind' | 'turn' | 'step' | 'item' | 'pair_f' | 'parent' | 'flags'
>;

export function structureOf(session: Session): Structure {
  const parts: FramePlacement[] = [];
  let ending: number | null = null;
  for (const one of factsOfFrames(session)) {
    if (!one) continue;
    ending = typeof one.read.frame.detail.at === 'string' ? one.facts.f : null;
    const { f, from, envelope, kind, turn, step, item, pair_f, parent, flags } = one.facts;
    parts.push({ f, from, envelope, kind, turn, step, item, pair_f, parent, flags });
  }
  const { timeline } = new Pass(session, { tree: true }).run();
  const index = new StructureIndex(parts);
  const { steps, items } = index.within(timeline.entries);
  const units = { turns: index.turns(), exchanges: index.exchanges(), steps, items };
  return { frames: parts.map(({ f }) => f), ending, units };
}

/** They begin and end a turn, which stands or falls as a whole. */
const TURN_KINDS = ['prompt', 'prompt-answer', 'turn-begin', 'turn-end'];

/** They go with their step. */
const STEP_KINDS = ['step-begin', 'step-end', 'step-interrupted', 'step-retry'];

const isFixed = ({ kind, from }: FramePlacement): boolean =>
  kind === 'handshake' || kind === 'process' || from === 'proc';

class StructureIndex {
  readonly #parts: readonly FramePlacement[];
  readonly #byItem = new Map<number, FramePlacement[]>();
  readonly #byFrame = new Map<number, FramePlacement>();
  /** Answers by the request. */
  readonly #answers = new Map<number, FramePlacement[]>();

  constructor(parts: readonly FramePlacement[]) {
    this.#parts = parts;
    for (const part of parts) {
      this.#byFrame.set(part.f, part);
      if (part.item !== null) add(this.#byItem, part.item, part);
      if (part.pair_f !== null && part.pair_f < part.f) add(this.#answers, part.pair_f, part);
    }
  }

  turns(): Unit[] {
    const turns = new Map<number, FramePlacement[]>();
    for (const part of this.#parts) if (part.turn !== null) add(turns, part.turn, part);
    return unitsOf([...turns.values()]);
  }

  /** Requests of either side, answered or not, with all that belongs to the question. */
  exchanges(): Unit[] {
    const requests = this.#parts.filter(
      ({ envelope, kind }) => envelope === 'request' && !TURN_KINDS.includes(kind ?? ''),
    );
    return unitsOf(requests.map((request) => this.#withRelated([request.f])));
  }

  /** The steps and items of these entries, at any depth. An item is followed by what is inside it. */
  within(entries: readonly Entry[]): Record<'steps' | 'items', Unit[]> {
    const steps: FramePlacement[][] = [];
    const items: FramePlacement[][] = [];
    const visit = (entry: Entry, turn: number | null): void => {
      if (entry.is === 'step') steps.push(this.#withRelated(this.#framesOf(entry, turn)));
      if (entry.is === 'item' && !this.#isOfTurn(entry)) items.push(this.#withRelated(this.#framesOf(entry, turn)));
      for (const inside of entry.entries) visit(inside, entry.is === 'turn' ? entry.n : turn);
    };
    for (const entry of entries) visit(entry, null);
    return { steps: unitsOf(steps), items: unitsOf([...items, ...this.#withoutItem()]) };
  }

  /** Frames that are of no item, such as a report of tokens. */
  #withoutItem(): FramePlacement[][] {
    const isLoose = ({ item, kind }: FramePlacement) =>
      item === null && ![...TURN_KINDS, ...STEP_KINDS].includes(kind ?? '');
    return this.#parts.filter(isLoose).map(({ f }) => this.#withRelated([f]));
  }

  /** A nested turn is an item like any other. */
  #isOfTurn({ kind, parent, entries }: Item): boolean {
    return TURN_KINDS.includes(kind) && parent === null && entries.length === 0;
  }

  /** The frames of an entry and of everything inside it. */
  #framesOf(entry: Entry, turn: number | null): number[] {
    const inside = entry.entries.flatMap((one) => this.#framesOf(one, turn));
    if (entry.is === 'step') return [...this.#ownOf(entry, turn), ...inside];
    if (entry.is === 'turn') return inside;
    const asks = entry.call?.asks.flatMap((ask) => itemOf(ask)?.f ?? []) ?? [];
    return [entry.f, ...asks, ...inside].flatMap((f) => [f, ...(this.#byItem.get(f) ?? []).map((part) => part.f)]);
  }

  /** The frames that begin and end a step: they are of no item. */
  #ownOf({ f, f_end, n, entries }: Step, turn: number | null): number[] {
    const whose = entries.find((entry) => entry.is === 'item')?.parent ?? this.#byFrame.get(f)?.parent ?? null;
    const own: number[] = [];
    for (let at = f; at <= f_end; at++) {
      const part = this.#byFrame.get(at);
      if (!part || part.item !== null || TURN_KINDS.includes(part.kind ?? '')) continue;
      if (part.turn === turn && part.step === n && part.parent === whose) own.push(at);
    }
    return own;
  }

  /** With the answers to what is asked in these frames, the questions that they answer, and what else belongs to those. */
  #withRelated(frames: readonly number[]): FramePlacement[] {
    const found = new Set<FramePlacement>();
    const visit = (f: number): void => {
      const part = this.#byFrame.get(f);
      if (!part || found.has(part)) return;
      found.add(part);
      if (part.pair_f !== null) visit(part.pair_f);
      for (const answer of this.#answers.get(f) ?? []) visit(answer.f);
      if (part.envelope !== 'request') return;
      if (part.item === f) for (const one of this.#byItem.get(f) ?? []) visit(one.f);
      for (const one of this.#replayedBy(part)) found.add(one);
    };
    for (const f of frames) visit(f);
    return [...found];
  }

  /** The history that is sent again until the client's request is answered. */
  *#replayedBy({ f, from, pair_f }: FramePlacement): Generator<FramePlacement> {
    if (from !== 'client') return;
    for (let at = f + 1; at < (pair_f ?? 0); at++) {
      const part = this.#byFrame.get(at);
      if (part?.flags.includes('replayed')) yield part;
    }
  }
}

function add<K>(map: Map<K, FramePlacement[]>, key: K, part: FramePlacement): void {
  const parts = map.get(key);
  if (parts) parts.push(part);
  else map.set(key, [part]);
}

/** In order, without those that always stay; each once. */
function unitsOf(groups: readonly (readonly FramePlacement[])[]): Unit[] {
  const units = new Map<string, Unit>();
  for (const group of groups) {
    const frames = group.filter((part) => !isFixed(part)).map(({ f }) => f);
    const unit = [...new Set(frames)].sort((a, b) => a - b);
    if (unit.length > 0) units.set(unit.join(), unit);
  }
  return [...units.values()].sort((a, b) => a[0]! - b[0]!);
}
