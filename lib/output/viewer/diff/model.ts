/** A diff as a page shows it: which entries stand beside each other, what is folded, and where the differences are. */
import {
  type Change,
  DIFF_SECTIONS,
  type DiffEntry,
  type DiffSection,
  isDifference,
  type SessionDiff,
} from '../../../analysis/diff/result.ts';

export interface SectionSum {
  section: DiffSection;
  /** Differences that count; of sections that never do, all of them. */
  count: number;
  informal: boolean;
}

/** Sections with something to show, in their order. */
export function sectionSums({ entries, counts }: SessionDiff): SectionSum[] {
  return DIFF_SECTIONS.flatMap((section) => {
    const informal = counts[section] === undefined && section !== 'conversation';
    const own = entries.filter((entry) => entry.section === section && entry.op !== 'same' && !entry.masked);
    return own.length === 0 && section !== 'conversation' ? [] : [{ section, count: own.length, informal }];
  });
}

export interface Showing {
  /** Differences in ids, times and paths too. */
  masked: boolean;
  /** What is the same is not folded. */
  same: boolean;
}

/** A line of the conversation: an entry, or so many that are the same. */
export type ConversationLine = { is: 'entry'; entry: DiffEntry; depth: number } | { is: 'fold'; entries: DiffEntry[] };

/** This many that are the same beside a difference stay in sight. */
const CONTEXT_LINES = 1;
/** Fewer are not worth folding. */
const MIN_FOLDED = 4;

/** The entries of the conversation in order; what is the same is folded, but for turns and what is next to a difference. */
export function conversationLines(entries: readonly DiffEntry[], showing: Showing): ConversationLine[] {
  const own = entries.filter(({ section, masked }) => section === 'conversation' && (showing.masked || !masked));
  const around = placesAround(own);
  const keeps = own.map((entry, i) => {
    if (showing.same || entry.op !== 'same' || entry.kind === 'turn') return true;
    if (around.a.has(entry.a.path!) || around.b.has(entry.b.path!)) return true;
    for (let near = Math.max(0, i - CONTEXT_LINES); near <= i + CONTEXT_LINES; near++)
      if (own[near] && own[near]!.op !== 'same') return true;
    return false;
  });
  const lines: ConversationLine[] = [];
  for (let i = 0; i < own.length; ) {
    if (keeps[i]) {
      lines.push({ is: 'entry', entry: own[i]!, depth: depthOf(own[i]!) });
      i++;
      continue;
    }
    const from = i;
    while (i < own.length && !keeps[i]) i++;
    const run = own.slice(from, i);
    if (run.length >= MIN_FOLDED) lines.push({ is: 'fold', entries: run });
    else for (const entry of run) lines.push({ is: 'entry', entry, depth: depthOf(entry) });
  }
  return lines;
}

/** The paths of what a difference is inside of. */
function placesAround(entries: readonly DiffEntry[]): Record<'a' | 'b', Set<string>> {
  const places = { a: new Set<string>(), b: new Set<string>() };
  for (const entry of entries) {
    if (entry.op === 'same') continue;
    for (const side of ['a', 'b'] as const) {
      let path = entry[side].path ?? '';
      for (let end = outer(path); end > 0; end = outer(path)) {
        path = path.slice(0, end);
        if (places[side].has(path)) break;
        places[side].add(path);
      }
    }
  }
  return places;
}

/** Where the path of the entry around this one ends: without its last kind and number. */
const outer = (path: string): number => path.lastIndexOf('/', path.lastIndexOf('/') - 1);

/** How deep it stands: `/turn/2/step/1` is inside one other. */
export function depthOf({ path }: Pick<DiffEntry, 'path'>): number {
  return Math.max(0, Math.floor((path.split('/').length - 1) / 2) - 1);
}

/** All entries that `n` and `N` walk through, in the order of the page. */
export function stopsOf(diff: SessionDiff, showing: Showing): DiffEntry[] {
  return diff.entries.filter((entry) => doesCount(diff, entry) || (showing.masked && entry.masked));
}

/** Whether it makes the sessions differ. */
export function doesCount({ counts }: SessionDiff, entry: DiffEntry): boolean {
  return isDifference(entry) && counts[entry.section] !== undefined;
}

/** What an entry says on each side: its own text, if that differs, else what it is there. */
export function labelsOf({ a, b, what, changes }: DiffEntry): { a: string; b: string } {
  const own = changes.find(({ path, op }) => op === 'changed' && (path === '/text' || path === '/prompt'));
  const names = { a: a.what ?? what, b: b.what ?? what };
  if (!own) return names;
  return { a: brief(textIn(own, 'a')) || names.a, b: brief(textIn(own, 'b')) || names.b };
}

function textIn(change: Change, side: 'a' | 'b'): string {
  const value = change[side];
  return typeof value === 'string' ? value : '';
}

const MAX_LABEL_CHARS = 160;

function brief(text: string): string {
  const line = text
    .slice(0, 4 * MAX_LABEL_CHARS)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_LABEL_CHARS ? `${line.slice(0, MAX_LABEL_CHARS)}…` : line;
}

/** A piece of the time of one session, as shares of the longer one. */
export interface TurnSpan {
  from: number;
  to: number;
}

export interface TurnPair {
  /** Null on the side that lacks the turn. */
  a: TurnSpan | null;
  b: TurnSpan | null;
  /** Index in `turns` of the diff. */
  turn: number;
}

type Times = readonly { f: number; t: number; t_end: number }[];

/** Where the turns of both sessions lie on one scale. Turns without a time are left out. */
export function turnPairs({ turns }: SessionDiff, a: Times, b: Times, whole: number): TurnPair[] {
  const spans = (times: Times) => {
    const known = new Map<number, TurnSpan>();
    for (const { f, t, t_end } of times) known.set(f, { from: share(t, whole), to: share(t_end, whole) });
    return known;
  };
  const [ofA, ofB] = [spans(a), spans(b)];
  return turns.flatMap(({ a_f, b_f }, turn) => {
    const pair = { a: (a_f !== null && ofA.get(a_f)) || null, b: (b_f !== null && ofB.get(b_f)) || null, turn };
    return pair.a || pair.b ? [pair] : [];
  });
}

const share = (t: number, whole: number): number => (whole > 0 ? Math.max(0, Math.min(1, t / whole)) : 0);
