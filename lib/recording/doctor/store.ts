/** The store: its folder, owner and size, and whether its index is intact and complete. It changes nothing. */
import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quote } from '../../model/text/shell.ts';
import { humanBytes } from '../../model/text/text.ts';
import { differencesFromTape } from '../../storage/index/compare-with-tape.ts';
import { damagedIndexesIn } from '../../storage/index/damaged-indexes.ts';
import { indexPath, openAsItIs } from '../../storage/index/file.ts';
import { earlierIndexes, findLeftovers } from '../../storage/index/leftovers.ts';
import { isCurrent, readRows, type SessionRow } from '../../storage/index/session-rows.ts';
import {
  checkWhole,
  type Database,
  IndexUnavailable,
  isDamage,
  isIndexError,
  loadDriver,
} from '../../storage/index/sqlite.ts';
import { attempt, sessionsDir } from '../../storage/store/home.ts';
import { sizeOf } from '../../storage/store/removal.ts';
import { readIds } from '../../storage/store/sessions.ts';
import { type DoctorFinding, ok, problem, warning } from './finding.ts';

const LOW_SPACE = 1e9;

type ProgressCallback = (done: number, all: number) => void;

export function checkStore(home: string, progress: ProgressCallback): DoctorFinding[] {
  return [
    folder(home),
    space(home),
    ...(isFolder(home) ? [sessions(home), leftovers(home)] : []),
    binding(),
    ...index(home, progress),
  ];
}

function folder(home: string): DoctorFinding {
  const place = nearest(home);
  if (!canWrite(place)) return problem('store', `cannot write to ${home}`, 'set WIRETAPE_HOME to your own folder');
  if (place !== home) return ok('store', `${home} (will be created by the first recording)`);
  const { mode, uid } = statSync(home);
  if (process.getuid && uid !== process.getuid()) {
    return warning('store', `${home} belongs to another user`, 'tapes contain secrets: use your own store');
  }
  if (mode & 0o077) return warning('store', `${home} is accessible to other users`, `chmod 700 ${quote(home)}`);
  return ok('store', home);
}

function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function canWrite(path: string): boolean {
  return attempt(() => {
    accessSync(path, constants.W_OK | constants.X_OK);
    return isFolder(path);
  }, false);
}

function space(home: string): DoctorFinding {
  const { bavail, bsize } = statfsSync(nearest(home));
  const free = bavail * bsize;
  const message = `${humanBytes(free)} free`;
  if (free > LOW_SPACE) return ok('space', message);
  return warning('space', message, 'free some with: wiretape prune --older-than 30d');
}

function sessions(home: string): DoctorFinding {
  const ids = readIds(home);
  const bytes = ids.reduce((sum, id) => sum + sizeOf(join(sessionsDir(home), id)), 0);
  return ok('sessions', `${ids.length}, ${humanBytes(bytes)}`);
}

function leftovers(home: string): DoctorFinding {
  const remains = findLeftovers(home, Date.now()).length;
  if (remains > 0) {
    return warning('remains', `leftover files: ${remains}`, 'remove them with: wiretape prune, with any limit');
  }
  const [aside] = damagedIndexesIn(home);
  if (aside) {
    return warning('remains', `an index was set aside: ${aside}`, 'it can be deleted: the tapes have its data');
  }
  const [earlier] = earlierIndexes(home);
  return ok('remains', earlier ? `${earlier}, the index of an earlier version` : 'none');
}

function binding(): DoctorFinding {
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

function index(home: string, progress: ProgressCallback): DoctorFinding[] {
  const path = indexPath(home);
  if (!isFolder(home) || lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    return [ok('index', 'none yet; the next command creates it')];
  }
  try {
    const db = openAsItIs(home, 5000);
    try {
      checkWhole(db);
      const rows = readRows(db, home).filter(({ settled }) => settled === 1);
      const all = readIds(home).length;
      const size = humanBytes(statSync(path).size);
      const more = rows.length < all ? ` of ${all} sessions; the next command adds the rest` : ' sessions';
      return [ok('index', `${size}, ${rows.length}${more}`), ...rowsAndTapes(home, db, rows, progress)];
    } finally {
      db.close();
    }
  } catch (error) {
    return [problem('index', `${path}: ${(error as Error).message}`, fixFor(error))];
  }
}

/** The number of differences listed one by one. */
const MAX_LISTED_DIFFERENCES = 5;

/** Reads every indexed tape completely. */
function rowsAndTapes(home: string, db: Database, rows: SessionRow[], progress: ProgressCallback): DoctorFinding[] {
  const current = rows.filter((row) => isCurrent(row, join(sessionsDir(home), row.session)));
  const found = current.flatMap((row, i) => {
    progress(i, current.length);
    return differencesOf(home, db, row).map((what) => `${row.session}: ${what}`);
  });
  progress(current.length, current.length);
  const fix = 'rebuild the index: wiretape reindex';
  if (found.length === 0) return [ok('rows', `match the tapes of ${current.length} sessions`)];
  const more =
    found.length > MAX_LISTED_DIFFERENCES
      ? [problem('rows', `and ${found.length - MAX_LISTED_DIFFERENCES} more differences`, fix)]
      : [];
  return [...found.slice(0, MAX_LISTED_DIFFERENCES).map((what) => problem('rows', what, fix)), ...more];
}

function differencesOf(home: string, db: Database, row: SessionRow): string[] {
  try {
    return differencesFromTape(db, row, join(sessionsDir(home), row.session));
  } catch (error) {
    if (isIndexError(error)) throw error;
    return [`cannot read its tape (${(error as Error).message})`];
  }
}

function fixFor(error: unknown): string {
  if (error instanceof IndexUnavailable && error.hint) return error.hint;
  if (isDamage(error)) return 'rebuild it: wiretape reindex';
  return 'commands read the tapes instead, which takes longer';
}
