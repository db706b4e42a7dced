/** What was asked and decided, by whom, and whether it ran: the rows of the audit, paired as the conversation is. */
import { SAME_NAMES, sideNames } from '../label.ts';
import type { Matches } from '../matches.ts';
import type { Change, DiffEntry } from '../result.ts';
import { diffValues } from '../values.ts';
import { makeSectionEntry } from './section.ts';
import { pairVerdicts } from './verdict-pairs.ts';
import type { Verdicts } from './verdicts.ts';

/** `isNeutral`: the two speak different protocols. */
export function diffApprovals(
  sessions: { a: string; b: string },
  a: Verdicts,
  b: Verdicts,
  { matches, isNeutral }: { matches: Matches; isNeutral: boolean },
): DiffEntry[] {
  const entries: DiffEntry[] = [];
  const isCompared = isNeutral ? kindsInBoth(a, b) : () => true;
  for (const [i, j] of pairVerdicts(a, b, matches)) {
    if (i !== null && j !== null && a.about(i) === b.about(j)) continue;
    if (!isCompared(i === null ? b.kind(j!) : a.kind(i))) continue;
    const entry = approvalEntry(sessions, rowAt(a, i, isNeutral), rowAt(b, j, isNeutral), isNeutral);
    if (entry) entries.push(entry);
  }
  return entries;
}

/** Null if nothing differs that counts. */
function approvalEntry(
  sessions: { a: string; b: string },
  one: ApprovalSide | null,
  other: ApprovalSide | null,
  isNeutral: boolean,
): DiffEntry | null {
  const changes = [...diffValues(one?.about ?? {}, other?.about ?? {}, '', PLAIN_COMPARISON)];
  const op = one ? (other ? 'changed' : 'removed') : 'added';
  if (op === 'changed' && !isReported(changes)) return null;
  const texts = [...new Set([one, other].flatMap((row) => row?.what ?? []))];
  // Protocols have their own words for the same request.
  const what = isNeutral ? texts[0]! : texts.join(' → ');
  const names = one && other ? sideNames(one.what, other.what) : SAME_NAMES;
  const frames = { a: one?.f ?? null, b: other?.f ?? null };
  return makeSectionEntry('approvals', sessions, op, { kind: 'approvals', name: '', what, names, ...frames, changes });
}

interface ApprovalSide {
  about: Record<string, unknown>;
  f: number;
  what: string;
}

/** Not every protocol has hooks, questions or calls of the client: what only one of two has is left out. */
function kindsInBoth(a: Verdicts, b: Verdicts): (kind: string) => boolean {
  const kindsIn = (rows: Verdicts) => new Set(Array.from({ length: rows.length }, (_, i) => rows.kind(i)));
  const [ofA, ofB] = [kindsIn(a), kindsIn(b)];
  return (kind) => kind === 'approval' || (ofA.has(kind) && ofB.has(kind));
}

function rowAt(rows: Verdicts, i: number | null, isNeutral: boolean): ApprovalSide | null {
  return i === null ? null : { about: aboutIn(rows.about(i), isNeutral), f: rows.f(i), what: rows.what(i) };
}

/** The mode and flags say how it came to that, and a denial marks all that ran after it: alone they are no difference. */
const isReported = (changes: readonly Change[]): boolean =>
  changes.some(({ path }) => path !== '/mode' && !path.startsWith('/flags'));

/** Modes and flags are words of a protocol. */
function aboutIn(about: string, isNeutral: boolean): Record<string, unknown> {
  const all = JSON.parse(about) as Record<string, unknown>;
  const { decision, by, executed } = all;
  return isNeutral ? { decision, by, executed } : all;
}

const same = (text: string): string => text;

const PLAIN_COMPARISON = { a: same, b: same, isIgnored: () => false };
