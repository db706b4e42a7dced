/**
 * What an agent sent again from earlier sessions: the `replay` of Wire, `session/load` of ACP, lines that Claude marks. It is
 * compared with what the other agent sent again, as conversations are.
 */
import type { HistoryWindows } from '../../../session/history.ts';
import { isPrefixOnly } from '../chance-differences.ts';
import type { DiffEntry, DiffPosition } from '../result.ts';
import { makeSectionEntry } from './section.ts';

interface HistoryPair {
  a: HistoryWindows;
  b: HistoryWindows;
}

/** `compare`: both sides of it as conversations, if both have some. */
export function diffReplayed(
  sessions: { a: string; b: string },
  windows: HistoryPair,
  compare: () => readonly DiffEntry[],
): DiffEntry[] {
  const frames = { a: windows.a.count || null, b: windows.b.count || null };
  if (frames.a === null && frames.b === null) return [];
  if (frames.a !== null && frames.b !== null)
    return compare().flatMap((entry) =>
      entry.op === 'same' || isByChance(entry, windows) ? [] : [moveToSection(entry)],
    );
  // One entry, because one for every line would hide the rest.
  const op = frames.a === null ? 'added' : 'removed';
  const changes = [{ op, path: '/frames', ...frames } as const];
  return [
    makeSectionEntry('replayed', sessions, op, { kind: 'replayed', name: '', what: '', a: null, b: null, changes }),
  ];
}

/** How far it came, if it was cut off on both sides. */
function isByChance({ op, a, b, changes }: DiffEntry, windows: HistoryPair): boolean {
  const isCutIn = (side: 'a' | 'b', f: number | null) => f !== null && windows[side].isCut(f);
  if (op === 'removed') return windows.b.cut.length > 0 && isCutIn('a', a.f);
  if (op === 'added') return windows.a.cut.length > 0 && isCutIn('b', b.f);
  return isCutIn('a', a.f) && isCutIn('b', b.f) && changes.length > 0 && changes.every(isPrefixOnly);
}

/** An entry of a conversation, in this section. */
function moveToSection(entry: DiffEntry): DiffEntry {
  const path = (own: string) => `/replayed${own}`;
  const at = (side: DiffPosition): DiffPosition => ({ ...side, path: side.path === null ? null : path(side.path) });
  return { ...entry, section: 'replayed', path: path(entry.path), a: at(entry.a), b: at(entry.b) };
}
