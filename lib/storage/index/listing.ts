/**
 * Lists the sessions of a store. If all rows of the index are current, it reads only them and does not load the code that
 * makes rows: that includes all dialects, and takes longer to load than the rows take to read.
 */

import type { Summary } from '../../session/summary.ts';
import { sessionsDir } from '../store/home.ts';
import { readIds } from '../store/sessions.ts';
import type { IndexMessages } from './catch-up.ts';
import { openAsItIs } from './file.ts';
import { isCurrent, readRows, type SessionListEntry, type SessionListing, sortListing } from './session-rows.ts';

export async function listQuickly(
  home: string,
  talk: IndexMessages,
  wanted?: readonly (keyof Summary)[],
): Promise<SessionListing<SessionListEntry>> {
  const ids = readIds(home);
  if (ids.length === 0) return { sessions: [], unreadable: [] };
  const sessions = currentRows(home, ids, wanted);
  if (sessions) return sortListing({ sessions, unreadable: [] });
  const { listRows } = await import('./catch-up.ts');
  return listRows(home, talk, wanted);
}

/** Null unless the index has a current row for every session, and no others. */
function currentRows(home: string, ids: string[], wanted?: readonly (keyof Summary)[]): SessionListEntry[] | null {
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
    // The full listing reports what is wrong.
    return null;
  }
}
