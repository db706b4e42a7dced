/** An entry of a session as a diff sees it: hashes to align it by, and what it says where that is needed. */
import type { Call } from '../../model/ledger/records.ts';
import { isObject } from '../../model/message.ts';
import type { Entry, Item } from '../../model/timeline/shape.ts';
import { type Face, faceOf, type RawItem } from './face.ts';
import { hashAll, hashSet } from './hash.ts';
import { promptWords } from './label.ts';
import { type Neutral, neutralFace } from './neutral.ts';
import { hashAt, laneAt, type Siblings } from './nodes.ts';
import { placeOf } from './place.ts';
import type { Reader } from './reading.ts';
import type { EntryKind } from './result.ts';

export interface Node {
  kind: EntryKind;
  name: string | null;
  /** Entries of one lane are in order, unless the lane is loose: then the protocol leaves their order open. */
  lane: string;
  f: number;
  /** The frame and the event in it that began the call or asked, as the audit names them. Known where the face is. */
  place: number;
  /** Its place among its siblings, as the outline counts them. */
  at: number;
  /** Equal if it says the same, with everything inside it, and without what is volatile. */
  same: number;
  /** Equal if nothing at all differs; 32 bits, because it counts only where `same` is equal. */
  exact: number;
  /** Equal if it is the same thing, whatever came of it. */
  anchor: number;
  /** What a turn was asked, in a few words. */
  asked: string | null;
  /** Null where it was not needed. */
  face: Face | null;
  /** Null where they were not needed. */
  inside: Siblings | null;
}

/** Lanes in which order counts. */
const ORDERED = new Set(['main', 'client', 'agent']);
export const isLoose = ({ lane }: Node): boolean => !ORDERED.has(lane);

/** What an agent says and does, one after another. */
const SPOKEN = new Set<Item['kind']>(['text', 'thinking', 'tool-call', 'tool-args', 'plan', 'turn-begin', 'prompt']);

/** Shown in other sections, or by the entries around them. */
const ELSEWHERE = new Set<Item['kind']>([
  ...(['usage', 'status', 'turn-end', 'step-end', 'progress', 'handshake', 'process'] as const),
]);

function isCompared(entry: Entry): boolean {
  if (entry.is !== 'item') return true;
  const { kind, flags, name, text, entries, turn } = entry;
  // What was sent again counts once.
  if (flags.includes('replayed')) return false;
  if (entries.length > 0) return true;
  if (kind === 'prompt' && turn !== null) return false;
  if (kind === 'log') return name !== 'stderr' && text.trim() !== '';
  return !ELSEWHERE.has(kind);
}

/** A request about a call is part of that call, wherever it stands. */
function isOfAnother(entry: Entry, call: Call | null): boolean {
  if (entry.is !== 'item' || !entry.ask?.bound) return false;
  return entry.ask.call !== null && entry.ask.call !== call && entry.ask.call.item !== null;
}

/** Called with each entry that becomes a node. */
export type Seen = (entry: Entry) => void;

export interface Making {
  reader: Reader;
  rawOf(item: Item): (RawItem & { from: string }) | undefined;
  seen: Seen | null;
  /** It does not count. */
  isIgnored(item: Item): boolean;
  /** The other session speaks another protocol. */
  neutral: Neutral | null;
  /** The prompt on the command line. */
  asked: string | null;
}

/**
 * The entries to compare. Steps that the agent does not mark itself are inferred from what is inside them, so only that
 * counts; between two protocols that goes for all. `call`: the one that they are inside of.
 */
export function partsOf(entries: readonly Entry[], making: Making, call: Call | null = null): Entry[] {
  const { neutral } = making;
  const out: Entry[] = [];
  for (const entry of neutral ? entries.flatMap((one) => neutral.laidOut(one)) : entries) {
    if (entry.is === 'step' && (entry.shown === null || neutral)) out.push(...partsOf(entry.entries, making));
    else if (!isCompared(entry) || isOfAnother(entry, call) || (entry.is === 'item' && making.isIgnored(entry)))
      continue;
    else if (!neutral || neutral.keeps(entry)) out.push(entry);
  }
  return out;
}

/** `full`: keeps what it says, and everything inside it. `given`: the arguments of the call that it is inside of. */
export function nodeOf(entry: Entry, making: Making, full: boolean, given?: unknown): Node {
  const face = onceSaid(faceIn(entry, making), given);
  const within = making.neutral ? making.neutral.inside(entry, face.inside) : face.inside;
  const parts = partsOf(within, making, entry.is === 'item' ? entry.call : null);
  const inside = parts.map((one) => nodeOf(one, making, full, face.fields.arguments));
  return assembled(entry, face, inside, making, full);
}

/** What a subagent is asked is in the call that starts it, and counts once. */
function onceSaid(face: Face, given: unknown): Face {
  const { kind, fields } = face;
  const { text, ...rest } = fields;
  if ((kind !== 'turn-begin' && kind !== 'subagent') || text === undefined || !isObject(given)) return face;
  return Object.values(given).includes(text) ? { ...face, fields: rest, volatile: { ...face.volatile, text } } : face;
}

export function faceIn(entry: Entry, { rawOf, neutral, asked, reader }: Making): Face {
  const face = faceOf(entry, rawOf, asked);
  return neutral ? neutralFace(face, neutral, reader.leaf(face.kind, 'arguments')) : face;
}

/** `inside`: its parts, which become part of its hashes. */
export function assembled(entry: Entry, face: Face, inside: Siblings, making: Making, full: boolean): Node {
  const { reader, rawOf, seen } = making;
  seen?.(entry);
  const own = reader.hashes(face);
  return {
    kind: face.kind,
    name: face.name,
    lane: laneOf(entry, rawOf),
    f: entry.f,
    place: placeIn(entry),
    at: 0,
    same: combined(own.same, inside, 'same'),
    exact: combined(own.exact, inside, 'exact') >>> 0,
    anchor: face.kind === 'step' ? combined(0, inside, 'anchor') : own.anchor,
    asked: face.kind === 'turn' ? promptWords(face, reader.leaf('turn', 'prompt')) : null,
    face: full ? { ...face, inside: [] } : null,
    inside: full ? inside : null,
  };
}

/** An agent may announce a call long before it begins. */
function placeIn(entry: Entry): number {
  const subject = entry.is === 'item' ? (entry.call ?? entry.ask) : null;
  return subject ? placeOf(subject.f, subject.n) : placeOf(entry.f, 0);
}

function combined(own: number, inside: Siblings, which: 'same' | 'exact' | 'anchor'): number {
  if (inside.length === 0) return own;
  const lanes = new Map<string, number[]>();
  for (let i = 0; i < inside.length; i++) {
    const hashes = lanes.get(laneAt(inside, i));
    if (hashes) hashes.push(hashAt(inside, i, which));
    else lanes.set(laneAt(inside, i), [hashAt(inside, i, which)]);
  }
  const parts = [...lanes.keys()].sort().map((lane) => {
    const hashes = lanes.get(lane)!;
    return ORDERED.has(lane) ? hashAll(hashes, lane) : hashSet(hashes);
  });
  return hashAll([own, ...parts]);
}

function laneOf(entry: Entry, rawOf: Making['rawOf']): string {
  if (entry.is !== 'item' || SPOKEN.has(entry.kind)) return 'main';
  if (entry.kind === 'other') return rawOf(entry)?.from ?? 'other';
  return entry.kind;
}
