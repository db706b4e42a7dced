/** The store: where it is, whose it is, how full, whether its index is sound and has all of it. Looking changes nothing. */
import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { humanBytes } from '../core/text.ts';
import { quote } from '../shim/script.ts';
import { differences } from '../store/compare.ts';
import { sessionsDir } from '../store/home.ts';
import { asideIn } from '../store/index-aside.ts';
import { indexPath, openAsItIs } from '../store/index-file.ts';
import { earlierIndexes, findLeftovers, sizeOf } from '../store/removal.ts';
import { isCurrent, readRows, type SessionRow } from '../store/rows.ts';
import { readIds } from '../store/sessions.ts';
import { checkWhole, type Database, IndexUnavailable, isDamage, isOfIndex, loadDriver } from '../store/sqlite.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const LOW_SPACE = 1e9;

type Progress = (done: number, all: number) => void;

export function lookAtStore(home: string, progress: Progress): Finding[] {
  return [
    folder(home),
    space(home),
    ...(isFolder(home) ? [sessions(home), leftovers(home)] : []),
    binding(),
    ...index(home, progress),
  ];
}

function folder(home: string): Finding {
  const place = nearest(home);
  if (!canWrite(place)) return problem('store', `${home} cannot be written`, 'set WIRETAPE_HOME to a folder of yours');
  if (place !== home) return ok('store', `${home} (made by the first recording)`);
  const { mode, uid } = statSync(home);
  if (process.getuid && uid !== process.getuid()) {
    return warning('store', `${home} belongs to another user`, 'tapes hold secrets: use a store of your own');
  }
  if (mode & 0o077) return warning('store', `${home} is open to others`, `chmod 700 ${quote(home)}`);
  return ok('store', home);
}

function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return isFolder(path);
  } catch {
    return false;
  }
}

function space(home: string): Finding {
  const { bavail, bsize } = statfsSync(nearest(home));
  const free = bavail * bsize;
  const message = `${humanBytes(free)} free`;
  if (free > LOW_SPACE) return ok('space', message);
  return warning('space', message, 'wiretape prune --older-than 30d makes room');
}

function sessions(home: string): Finding {
  const ids = readIds(home);
  const bytes = ids.reduce((sum, id) => sum + sizeOf(join(sessionsDir(home), id)), 0);
  return ok('sessions', `${ids.length}, ${humanBytes(bytes)}`);
}

function leftovers(home: string): Finding {
  const remains = findLeftovers(home, Date.now()).length;
  if (remains > 0) {
    return warning('remains', `${remains} that nobody needs`, 'wiretape prune with any limit sweeps them up');
  }
  const [aside] = asideIn(home);
  if (aside) {
    return warning('remains', `an index that was set aside: ${aside}`, 'it may be deleted: the tapes are the truth');
  }
  const [earlier] = earlierIndexes(home);
  return ok('remains', earlier ? `${earlier}, the index of an earlier version` : 'none');
}

function binding(): Finding {
  try {
    const driver = loadDriver();
    const db = new driver(':memory:');
    const sqlite = db.prepare('SELECT sqlite_version()').pluck().get();
    db.close();
    return ok('better-sqlite3', `SQLite ${sqlite}`);
  } catch (error) {
    if (!(error instanceof IndexUnavailable)) throw error;
    return problem('better-sqlite3', error.message, error.hint);
  }
}

function index(home: string, progress: Progress): Finding[] {
  const path = indexPath(home);
  if (!isFolder(home) || lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    return [ok('index', 'none yet; the next recorder or reader makes it')];
  }
  try {
    const db = openAsItIs(home, 5000);
    try {
      checkWhole(db);
      const rows = readRows(db, home).filter(({ settled }) => settled === 1);
      const all = readIds(home).length;
      const size = humanBytes(statSync(path).size);
      const more = rows.length < all ? ` of ${all} sessions; the next reader adds the others` : ' sessions';
      return [ok('index', `${size}, ${rows.length}${more}`), ...rowsAndTapes(home, db, rows, progress)];
    } finally {
      db.close();
    }
  } catch (error) {
    return [problem('index', `${path}: ${(error as Error).message}`, mendFor(error))];
  }
}

/** So many sessions are named. */
const MOST = 5;

/** Every tape that has rows is read from one end to the other. */
function rowsAndTapes(home: string, db: Database, rows: SessionRow[], progress: Progress): Finding[] {
  const current = rows.filter((row) => isCurrent(row, join(sessionsDir(home), row.session)));
  const found = current.flatMap((row, i) => {
    progress(i, current.length);
    return differencesOf(home, db, row).map((what) => `${row.session}: ${what}`);
  });
  progress(current.length, current.length);
  const mend = 'wiretape reindex makes every row anew';
  if (found.length === 0) return [ok('rows', `of ${current.length} sessions, as many as their tapes have frames`)];
  const more = found.length > MOST ? [problem('rows', `and ${found.length - MOST} differences more`, mend)] : [];
  return [...found.slice(0, MOST).map((what) => problem('rows', what, mend)), ...more];
}

function differencesOf(home: string, db: Database, row: SessionRow): string[] {
  try {
    return differences(db, row, join(sessionsDir(home), row.session));
  } catch (error) {
    if (isOfIndex(error)) throw error;
    return [`its tape cannot be read (${(error as Error).message})`];
  }
}

function mendFor(error: unknown): string {
  if (error instanceof IndexUnavailable && error.hint) return error.hint;
  if (isDamage(error)) return 'wiretape reindex sets it aside and makes it anew';
  return 'readers do without it: they read the tapes, which takes longer';
}
