/**
 * Whose session this is while it is recorded. Only when the owner is certainly dead may anybody else finish its tape;
 * a process that cannot be seen from here (another machine, a container beside ours) is never taken for dead. What it
 * has not touched for a day is not called running either: it is read as far as it goes, and nothing of it is changed.
 */
import { readdirSync, readFileSync, readlinkSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { OWNER, readOwnFile } from './home.ts';

export interface Owner {
  host: string;
  /** Changes with every boot; null where the system does not tell. */
  boot: string | null;
  /** The world of process numbers that `pid` belongs to. */
  pid_namespace: string | null;
  pid: number;
  /** Tells two processes of the same number apart. */
  start: string | null;
  /** A second process that has something to store, and may outlive the first. */
  writer?: Owner;
}

export function thisProcess(pid = process.pid): Owner {
  return {
    host: hostname(),
    boot: bootId(),
    pid_namespace: pidNamespace(),
    pid,
    start: startOf(pid),
  };
}

export function readOwner(dir: string): Owner | null {
  try {
    return JSON.parse(readOwnFile(join(dir, OWNER))) as Owner;
  } catch {
    return null;
  }
}

export type Life = 'alive' | 'dead' | 'unknown';

export function lifeOf(owner: Owner | null): Life {
  const life = lifeOfProcess(owner);
  return life === 'dead' && owner?.writer ? lifeOfProcess(owner.writer) : life;
}

/** Another process writes this session too, and it is not over before that has ended. */
export function addWriter(dir: string, pid: number): void {
  const draft = join(dir, `${OWNER}.${process.pid}.tmp`);
  writeFileSync(draft, `${JSON.stringify({ ...readOwner(dir), writer: thisProcess(pid) })}\n`, { mode: 0o600 });
  renameSync(draft, join(dir, OWNER));
}

function lifeOfProcess(owner: Owner | null): Life {
  if (!owner) return 'unknown';
  if (owner.boot !== null && owner.boot !== bootId()) return owner.host === hostname() ? 'dead' : 'unknown';
  if (owner.boot === null && owner.host !== hostname()) return 'unknown';
  if (owner.pid_namespace !== pidNamespace()) return lifeInside(owner);
  const start = startOf(owner.pid);
  if (start === null) return 'dead';
  return owner.start === null || start === owner.start ? 'alive' : 'dead';
}

/** The world of process numbers that all others are within, on every Linux. */
const OUTERMOST = 'pid:[4026531836]';

/**
 * A process of a container on this very machine, as seen from outside of all containers, where every process has its
 * inner number in a file that anybody may read. It is dead if no process has that number in that container.
 */
function lifeInside({ boot, pid_namespace, pid }: Owner): Life {
  if (boot === null || pid_namespace === null || pidNamespace() !== OUTERMOST) return 'unknown';
  try {
    // Where processes of others are hidden from us, this one is.
    statSync('/proc/1/stat');
    const named = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && innerPid(name) === String(pid));
    for (const name of named) {
      const world = namespaceOf(name);
      if (world === null || world === pid_namespace) return world === null ? 'unknown' : 'alive';
    }
    return 'dead';
  } catch {
    return 'unknown';
  }
}

/** Its number in the innermost world it is in; null if that is ours, or it has ended. Throws where nobody tells. */
function innerPid(pid: string): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const numbers = /^NSpid:\s*(.*)$/m.exec(status)![1]!.split(/\s+/);
    if (/^State:\s*[ZX]/m.test(status)) return null;
    return numbers.length > 1 ? numbers.at(-1)! : null;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Null where we may not know; empty if it has ended. */
function namespaceOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : null;
  }
}

const FORSAKEN_MS = 24 * 3_600_000;

/** Nobody has written to any of these files for a day. */
export function isForsaken(paths: readonly string[]): boolean {
  const since = Date.now() - FORSAKEN_MS;
  return paths.every((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < since);
}

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/** When a process started, in whatever way the system counts; null if there is none. A zombie is not running. */
function startOf(pid: number): string | null {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' || state === 'X' ? null : rest[18]!;
    } catch {
      return null;
    }
  }
  try {
    process.kill(pid, 0);
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
