/** Parts of a timeline, for those who show only some of it. */
import type { Entry } from './shape.ts';

/** The matching items, within their turns and steps. */
export function foundIn(entries: Entry[], items: Set<number>): Entry[] {
  return entries.flatMap((entry): Entry[] => {
    if (entry.is === 'item' && items.has(entry.f)) return [entry];
    const inside = foundIn(entry.entries, items);
    const own = entry.is === 'turn' && entry.prompt !== null && items.has(entry.prompt.f);
    return inside.length > 0 || own ? [{ ...entry, entries: inside }] : [];
  });
}

/** Where it ends. */
export function lastOf(entries: Entry[]): { f: number; t: number } {
  return entries.reduce((last, { f_end, t_end }) => ({ f: Math.max(last.f, f_end), t: Math.max(last.t, t_end) }), {
    f: 0,
    t: 0,
  });
}

/** Calls of a subagent stay inside the call that started it. */
export function callsIn(entry: Entry): Entry[] {
  const inside = entry.entries.flatMap(callsIn);
  return entry.is === 'item' && entry.call ? [{ ...entry, entries: inside }] : inside;
}
