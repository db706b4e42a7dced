/** The result of a diff: plain data, the same for the terminal, JSON, JUnit and a page. */
import type { EventKind } from '../../model/event.ts';
import type { Tolerance } from './tolerance.ts';

/** `moved`: the same on both sides, in another place. */
export type DiffOp = 'same' | 'changed' | 'added' | 'removed' | 'moved';

export const DIFF_SECTIONS = [
  ...(['handshake', 'conversation', 'replayed', 'approvals', 'findings', 'timing', 'tokens', 'stderr', 'end'] as const),
  'shape',
] as const;
export type DiffSection = (typeof DIFF_SECTIONS)[number];

/** These differ from run to run: they are shown, but two sessions that differ only in them are the same. */
export const INFORMAL_SECTIONS: ReadonlySet<DiffSection> = new Set(['tokens']);

/** One side of a difference. */
export interface DiffPosition {
  session: string;
  /** Its first frame; null on the side that lacks it. */
  f: number | null;
  /** Where it is in its own session: `/turn/2/step/1/tool-call/1`; null on the side that lacks it. */
  path: string | null;
  /** What it is on this side, in a few words, if the two sides do not agree on that. */
  what?: string;
}

/** One value that differs. */
export interface Change {
  op: 'changed' | 'added' | 'removed';
  /**
   * RFC 6901, from the entry: `/arguments/command`. Empty: the entry as a whole. It leads to the value in the first
   * session, or in the second one if it was added there.
   */
  path: string;
  /** Where a changed value is in the second session, if an element of a list has another place there. */
  path_b?: string;
  /** What both call the element of a list that it is a part of. */
  element?: string;
  /** Null on the side that lacks it. */
  a: unknown;
  b: unknown;
  /** The same values with what is volatile replaced by a name, if they have any. */
  masked?: { a: unknown; b: unknown };
}

export type EntryKind = EventKind | 'turn' | 'step' | DiffSection | 'field' | 'message';

export interface DiffEntry {
  op: DiffOp;
  section: DiffSection;
  kind: EntryKind;
  /** The path on the first side that has it. */
  path: string;
  a: DiffPosition;
  b: DiffPosition;
  /** What it is, in a few words: a tool, the beginning of a text, a rule. */
  what: string;
  changes: Change[];
  /** It differs only in what is volatile, and counts as the same. */
  masked: boolean;
  /** Of times: the difference is beyond it. */
  tolerance?: Tolerance;
}

/** A session, as the heading of a diff names it. */
export interface DiffSide {
  session: string;
  name: string | null;
  dialect: string;
  agent: string | null;
  agent_version: string | null;
  client: string | null;
  command: string[];
  started: string;
  frames: number;
  turns: number;
}

/** A turn on either side or both, for summaries. */
export interface TurnDiff {
  a: number | null;
  b: number | null;
  a_f: number | null;
  b_f: number | null;
  op: DiffOp;
  /** The beginning of its prompt. */
  what: string;
  /** Differences in it, itself included. */
  differences: number;
}

export interface SessionDiff {
  a: DiffSide;
  b: DiffSide;
  /** Nothing differs that counts. */
  same: boolean;
  /** In the order of the sections; within the conversation in its order. */
  entries: DiffEntry[];
  turns: TurnDiff[];
  /** What differs and counts, by section. */
  counts: Partial<Record<DiffSection, number>>;
  /** How many entries differ only in what is volatile. */
  masked: number;
  /** Times within it are the same; null: times were not compared. */
  tolerance: Tolerance | null;
  /** Kinds that only one of the two protocols has, and how often they came: not compared. */
  left_out: { a: Record<string, number>; b: Record<string, number> };
}

export const isDifference = ({ op, section, masked }: DiffEntry): boolean =>
  op !== 'same' && !masked && !INFORMAL_SECTIONS.has(section);

/** The same diff, as if it had only these sections. */
export function restrictTo(diff: SessionDiff, sections: readonly DiffSection[]): SessionDiff {
  const entries = diff.entries.filter(({ section }) => sections.includes(section));
  // Only the conversation has masks to look behind.
  const masked = sections.includes('conversation') ? diff.masked : 0;
  const tolerance = sections.includes('timing') ? diff.tolerance : null;
  return { ...diff, ...countsOf(entries), entries, masked, tolerance };
}

/** How much differs, by section, and whether anything does that counts. */
export function countsOf(entries: readonly DiffEntry[]): Pick<SessionDiff, 'counts' | 'same'> {
  const counts: SessionDiff['counts'] = {};
  for (const { section } of entries.filter(isDifference)) counts[section] = (counts[section] ?? 0) + 1;
  return { counts, same: Object.keys(counts).length === 0 };
}
