/** How much two entries are alike: what they say, or what was done in them. */
import { toJson } from '../../model/message.ts';
import type { ContentFields } from './entry-content.ts';
import type { DiffNode } from './node.ts';
import type { EntryKind } from './result.ts';
import { countWords, likeness, MAX_CHARS_COMPARED, MIN_LIKENESS, type WordCounts } from './similar.ts';

/** Those first that have most in common; of equal ones, in the order in which they come. */
export function pairClosest(a: readonly DiffNode[], b: readonly DiffNode[]): [DiffNode, DiffNode][] {
  const words = (node: DiffNode) => countWords([...(node.inside ?? [])].map((one) => textIn(one)).join(' '));
  const [ofA, ofB] = [a.map(words), b.map(words)];
  const all = ofA.flatMap((one, i) => ofB.map((other, j) => ({ i, j, like: likeness(one, other) })));
  const taken = { a: new Set<number>(), b: new Set<number>() };
  const pairs: [DiffNode, DiffNode][] = [];
  for (const { i, j } of all.sort((one, other) => other.like - one.like)) {
    if (taken.a.has(i) || taken.b.has(j)) continue;
    taken.a.add(i);
    taken.b.add(j);
    pairs.push([a[i]!, b[j]!]);
  }
  return pairs;
}

/** Enough if nothing else is in question. */
const BARELY_ALIKE = 0.01;

/** One in the place of another is that in other words. Two other calls, requests or errors are two things. */
export const REWORDABLE_KINDS: ReadonlySet<EntryKind> = new Set<EntryKind>([
  ...(['turn', 'step', 'prompt', 'turn-begin', 'text', 'thinking', 'steer', 'plan', 'mode'] as const),
]);

/** A tool by another name is given much the same. Two protocols have other names for most tools. */
export const RENAMED_CALL_LIKENESS = 0.6;

/** `least`: how much calls by other names must be alike. */
export function scorePair(
  a: DiffNode,
  b: DiffNode,
  known: Map<DiffNode, NodeWords>,
  { isEven, least }: { isEven: boolean; least: number },
): number {
  if (a.kind !== b.kind) return 0;
  const isNamed = a.name !== null && a.name === b.name;
  const [ofA, ofB] = [nodeWords(a, known), nodeWords(b, known)];
  const own = likeness(ofA.own, ofB.own);
  // Agents have other words for one change of a file.
  const like = ofA.shown && ofB.shown ? Math.max(own, likeness(ofA.shown, ofB.shown)) : own;
  if (like >= (a.kind === 'tool-call' ? least : MIN_LIKENESS) || isNamed) return like + (isNamed ? 0.5 : 0);
  return isEven ? BARELY_ALIKE : 0;
}

/** Protocols tell a call in other words, or with nothing but a title: it may be one if nothing speaks against it. */
export function mayBeSameCall({ kind, content: a }: DiffNode, { kind: other, content: b }: DiffNode): boolean {
  if (kind !== 'tool-call' || other !== kind || !a || !b) return false;
  const [ofA, ofB] = [a, b].map(({ fields }) => fields.arguments);
  if (ofA === undefined || ofB === undefined) return true;
  const files = filesIn(ofA);
  return [...filesIn(ofB)].some((file) => files.has(file));
}

const filesIn = (value: unknown): Set<string> => new Set(plainJson(value).slice(0, MAX_CHARS_COMPARED).match(FILES));

/** Names of files, whatever folder they are in. */
const FILES = /[\w-]+\.[A-Za-z]\w{0,4}\b/g;

export interface NodeWords {
  own: WordCounts;
  /** What a call shows of what it does. */
  shown: WordCounts | null;
}

function nodeWords(node: DiffNode, known: Map<DiffNode, NodeWords>): NodeWords {
  const found = known.get(node) ?? { own: countWords(textIn(node)), shown: shownBy(node) };
  known.set(node, found);
  return found;
}

function shownBy({ kind, content: face }: DiffNode): WordCounts | null {
  if (kind !== 'tool-call' || !face) return null;
  const { shown, result } = face.fields;
  const blocks = [shown, (result as ContentFields | undefined)?.displays].filter((list) => list !== undefined);
  return blocks.length === 0 ? null : countWords(toJson(blocks));
}

/** What it says, and what those inside it say. A call is what it was asked for, whatever a subagent made of it. */
function textIn(node: DiffNode, charsLeft = 4096): string {
  const { content: face, inside, kind, name } = node;
  if (kind === 'turn' && face) return toJson(face.fields.prompt ?? '');
  if (kind === 'tool-call' && face?.fields.arguments !== undefined) return plainJson(face.fields.arguments);
  let text = name ?? '';
  for (const key of face?.keys ?? []) if (face!.fields[key] !== undefined) text += ` ${plainJson(face!.fields[key])}`;
  if (kind === 'tool-call') return text;
  for (const one of inside ?? []) if (text.length < charsLeft) text += ` ${textIn(one, charsLeft - text.length)}`;
  return text;
}

const plainJson = (value: unknown): string => (typeof value === 'string' ? value : toJson(value));
