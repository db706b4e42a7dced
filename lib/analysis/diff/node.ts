/** An entry of a session as a diff sees it: hashes to align it by, and what it says where that is needed. */
import type { Call } from '../../model/ledger/records.ts';
import { isObject } from '../../model/message.ts';
import type { Entry, Item } from '../../model/timeline/entries.ts';
import type { ContentReader } from './content-reader.ts';
import { contentOf, type EntryContent, type RawContent } from './entry-content.ts';
import { makeEventKey } from './event-key.ts';
import { hashAll, hashSet } from './hash.ts';
import { promptLabel } from './label.ts';
import { type NeutralView, neutralContent } from './neutral.ts';
import { hashAt, laneAt, type SiblingNodes } from './nodes.ts';
import type { EntryKind } from './result.ts';

export interface DiffNode {
  kind: EntryKind;
  name: string | null;
  /** Entries of one lane are in order, unless the lane is loose: then the protocol leaves their order open. */
  lane: string;
  f: number;
  /** The frame and the event in it that began the call or asked, as the audit names them. Known where the content is. */
  eventKey: number;
  /** Its place among its siblings, as the outline counts them. */
  at: number;
  /** Equal if it says the same, with everything inside it, and without what is volatile. */
  same: number;
  /** Equal if nothing at all differs; 32 bits, because it counts only where `same` is equal. */
  exact: number;
  /** Equal if it is the same thing, whatever came of it. */
  anchor: number;
  /** What a turn was asked, in a few words. */
  promptLabel: string | null;
  /** Null where it was not needed. */
  content: EntryContent | null;
  /** Null where they were not needed. */
  inside: SiblingNodes | null;
}

/** Lanes in which order counts. */
const ORDERED_LANES = new Set(['main', 'client', 'agent']);
export const isLoose = ({ lane }: DiffNode): boolean => !ORDERED_LANES.has(lane);

/** What an agent says and does, one after another. */
const MAIN_LANE_KINDS = new Set<Item['kind']>([
  'text',
  'thinking',
  'tool-call',
  'tool-args',
  'plan',
  'turn-begin',
  'prompt',
]);

/** Shown in other sections, or by the entries around them. */
const OTHER_SECTION_KINDS = new Set<Item['kind']>([
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
  return !OTHER_SECTION_KINDS.has(kind);
}

/** A request about a call is part of that call, wherever it stands. */
function belongsToOtherCall(entry: Entry, call: Call | null): boolean {
  if (entry.is !== 'item' || !entry.ask?.bound) return false;
  return entry.ask.call !== null && entry.ask.call !== call && entry.ask.call.item !== null;
}

/** Called with each entry that becomes a node. */
export type EntryObserver = (entry: Entry) => void;

export interface NodeContext {
  reader: ContentReader;
  rawOf(item: Item): (RawContent & { from: string }) | undefined;
  seen: EntryObserver | null;
  /** It does not count. */
  isIgnored(item: Item): boolean;
  /** The other session speaks another protocol. */
  neutral: NeutralView | null;
  /** The prompt on the command line. */
  commandLinePrompt: string | null;
}

/**
 * The entries to compare. Steps that the agent does not mark itself are inferred from what is inside them, so only that
 * counts; between two protocols that goes for all. `call`: the one that they are inside of.
 */
export function partsOf(entries: readonly Entry[], context: NodeContext, call: Call | null = null): Entry[] {
  const { neutral } = context;
  const out: Entry[] = [];
  for (const entry of neutral ? entries.flatMap((one) => neutral.flatten(one)) : entries) {
    if (entry.is === 'step' && (entry.shown === null || neutral)) out.push(...partsOf(entry.entries, context));
    else if (!isCompared(entry) || belongsToOtherCall(entry, call) || (entry.is === 'item' && context.isIgnored(entry)))
      continue;
    else if (!neutral || neutral.countAndKeep(entry)) out.push(entry);
  }
  return out;
}

/** `full`: keeps what it says, and everything inside it. `args`: the arguments of the call that it is inside of. */
export function nodeOf(entry: Entry, context: NodeContext, full: boolean, args?: unknown): DiffNode {
  const content = withoutRepeatedText(contentIn(entry, context), args);
  const within = context.neutral ? context.neutral.contentInside(entry, content.inside) : content.inside;
  const parts = partsOf(within, context, entry.is === 'item' ? entry.call : null);
  const inside = parts.map((one) => nodeOf(one, context, full, content.fields.arguments));
  return assembleNode(entry, content, inside, context, full);
}

/** What a subagent is asked is in the call that starts it, and counts once. */
function withoutRepeatedText(content: EntryContent, args: unknown): EntryContent {
  const { kind, fields } = content;
  const { text, ...rest } = fields;
  if ((kind !== 'turn-begin' && kind !== 'subagent') || text === undefined || !isObject(args)) return content;
  return Object.values(args).includes(text)
    ? { ...content, fields: rest, volatile: { ...content.volatile, text } }
    : content;
}

export function contentIn(
  entry: Entry,
  { rawOf, neutral, commandLinePrompt: asked, reader }: NodeContext,
): EntryContent {
  const content = contentOf(entry, rawOf, asked);
  return neutral ? neutralContent(content, neutral, reader.normaliserFor(content.kind, 'arguments')) : content;
}

/** `inside`: its parts, which become part of its hashes. */
export function assembleNode(
  entry: Entry,
  content: EntryContent,
  inside: SiblingNodes,
  context: NodeContext,
  full: boolean,
): DiffNode {
  const { reader, rawOf, seen } = context;
  seen?.(entry);
  const own = reader.hashes(content);
  return {
    kind: content.kind,
    name: content.name,
    lane: laneOf(entry, rawOf),
    f: entry.f,
    eventKey: eventKeyOf(entry),
    at: 0,
    same: combineHashes(own.same, inside, 'same'),
    exact: combineHashes(own.exact, inside, 'exact') >>> 0,
    anchor: content.kind === 'step' ? combineHashes(0, inside, 'anchor') : own.anchor,
    promptLabel: content.kind === 'turn' ? promptLabel(content, reader.normaliserFor('turn', 'prompt')) : null,
    content: full ? { ...content, inside: [] } : null,
    inside: full ? inside : null,
  };
}

/** An agent may announce a call long before it begins. */
function eventKeyOf(entry: Entry): number {
  const subject = entry.is === 'item' ? (entry.call ?? entry.ask) : null;
  return subject ? makeEventKey(subject.f, subject.n) : makeEventKey(entry.f, 0);
}

function combineHashes(own: number, inside: SiblingNodes, which: 'same' | 'exact' | 'anchor'): number {
  if (inside.length === 0) return own;
  const lanes = new Map<string, number[]>();
  for (let i = 0; i < inside.length; i++) {
    const hashes = lanes.get(laneAt(inside, i));
    if (hashes) hashes.push(hashAt(inside, i, which));
    else lanes.set(laneAt(inside, i), [hashAt(inside, i, which)]);
  }
  const parts = [...lanes.keys()].sort().map((lane) => {
    const hashes = lanes.get(lane)!;
    return ORDERED_LANES.has(lane) ? hashAll(hashes, lane) : hashSet(hashes);
  });
  return hashAll([own, ...parts]);
}

function laneOf(entry: Entry, rawOf: NodeContext['rawOf']): string {
  if (entry.is !== 'item' || MAIN_LANE_KINDS.has(entry.kind)) return 'main';
  if (entry.kind === 'other') return rawOf(entry)?.from ?? 'other';
  return entry.kind;
}
