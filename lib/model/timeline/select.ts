/** Parts of a timeline, for those who show only some of it. */
import type { Entry } from './entries.ts';

/** The matching items, within their turns and steps. */
export function selectItems(entries: Entry[], items: Set<number>): Entry[] {
  return entries.flatMap((entry): Entry[] => {
    if (entry.is === 'item' && items.has(entry.f)) return [entry];
    const inside = selectItems(entry.entries, items);
    const own = entry.is === 'turn' && entry.prompt !== null && items.has(entry.prompt.f);
    return inside.length > 0 || own ? [{ ...entry, entries: inside }] : [];
  });
}

/** Where it ends. */
export function endOf(entries: Entry[]): { f: number; t: number } {
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

/** The last `max` entries, within their turns and steps; `isAll` if there are no more. */
export function tailOf(entries: Entry[], max: number): { entries: Entry[]; isAll: boolean } {
  let left = max;
  const last = (all: Entry[]): Entry[] => {
    const kept: Entry[] = [];
    let isWhole = true;
    for (let at = all.length - 1; at >= 0 && left > 0; at--) {
      const entry = all[at]!;
      left--;
      const inside = last(entry.entries);
      isWhole &&= inside === entry.entries;
      kept.push(inside === entry.entries ? entry : { ...entry, entries: inside });
    }
    return isWhole && kept.length === all.length ? all : kept.reverse();
  };
  const kept = last(entries);
  return { entries: kept, isAll: kept === entries };
}
