/** The store: where it is, whose it is, how full, and whether its index is sound. Nothing is changed by looking. */
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { humanBytes } from '../core/text.ts';
import { quote } from '../shim/script.ts';
import { sessionsDir } from '../store/home.ts';
import { checkWhole, damage, IndexUnavailable, indexPath, isDamage, loadDriver } from '../store/index-file.ts';
import { findLeftovers, sizeOf } from '../store/removal.ts';
import { SCHEMA } from '../store/schema.ts';
import { readIds } from '../store/sessions.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const LOW_SPACE = 1e9;

export function lookAtStore(home: string): Finding[] {
  return [
    folder(home),
    space(home),
    ...(isFolder(home) ? [sessions(home), leftovers(home)] : []),
    binding(),
    index(home),
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
  const damaged = readdirSync(home).filter((name) => /\.damaged-[^.]*$/.test(name) && !/-(wal|shm)$/.test(name));
  if (remains > 0) {
    return warning('remains', `${remains} of killed processes`, 'wiretape prune with any limit sweeps them up');
  }
  if (damaged.length > 0) {
    return warning(
      'remains',
      `an index that was set aside: ${damaged[0]}`,
      'it may be deleted: the tapes are the truth',
    );
  }
  return ok('remains', 'none');
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

function index(home: string): Finding {
  const path = indexPath(home);
  if (!existsSync(path)) return ok('index', 'none yet; the next recorder or reader makes it');
  try {
    // One that may only read leaves files of SQLite's behind, which it could not remove.
    const db = new (loadDriver())(path, { fileMustExist: true, timeout: 5000 });
    try {
      if (db.pragma('user_version', { simple: true }) !== SCHEMA) throw damage('it has another schema');
      checkWhole(db);
      const rows = db.prepare('SELECT count(*) FROM sessions WHERE settled').pluck().get() as number;
      const all = readIds(home).length;
      const size = humanBytes(statSync(path).size);
      if (rows < all) return ok('index', `${size}, ${rows} of ${all} sessions; the next reader adds the others`);
      return ok('index', `${size}, ${rows} sessions`);
    } finally {
      db.close();
    }
  } catch (error) {
    return problem('index', `${path}: ${(error as Error).message}`, mendFor(error));
  }
}

function mendFor(error: unknown): string {
  if (error instanceof IndexUnavailable && error.hint) return error.hint;
  if (isDamage(error)) return 'wiretape reindex sets it aside and makes it anew';
  return 'readers do without it: they read the tapes, which takes longer';
}
