/**
 * The sessions of a store, for those who only look. As long as every row of the index is current, nothing else is read
 * and nothing else is loaded: what makes rows knows all dialects, and takes longer to load than the rows to read.
 */
import { sessionsDir } from '../store/home.ts';
import { openAsItIs } from '../store/index-file.ts';
import { inOrder, isCurrent, type Listed, type Listing, readRows } from '../store/rows.ts';
import { readIds } from '../store/sessions.ts';
import type { Summary } from '../store/summary.ts';
import type { Talk } from './catch-up.ts';

export async function listQuickly(
  home: string,
  talk: Talk,
  wanted?: readonly (keyof Summary)[],
): Promise<Listing<Listed>> {
  const ids = readIds(home);
  if (ids.length === 0) return { sessions: [], unreadable: [] };
  const sessions = currentRows(home, ids, wanted);
  if (sessions) return inOrder({ sessions, unreadable: [] });
  const { listRows } = await import('./catch-up.ts');
  return listRows(home, talk, wanted);
}

/** Null unless the index has every session as it is, and no other. */
function currentRows(home: string, ids: string[], wanted?: readonly (keyof Summary)[]): Listed[] | null {
  try {
    const db = openAsItIs(home, 1000);
    try {
      const rows = readRows(db, home, wanted);
      if (rows.length !== ids.length) return null;
      const parent = sessionsDir(home);
      const there = new Set(ids);
      return rows.every((row) => there.has(row.session) && isCurrent(row, `${parent}/${row.session}`)) ? rows : null;
    } finally {
      db.close();
    }
  } catch {
    // The long way says what is wrong.
    return null;
  }
}
