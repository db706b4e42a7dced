/**
 * Whose session this is while it is recorded. Only when the owner is certainly dead may anybody else finish its tape;
 * a process that cannot be seen from here (another machine, another container) is never taken for dead.
 */
import { readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
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
  if (owner.pid_namespace !== pidNamespace()) return 'unknown';
  const start = startOf(owner.pid);
  if (start === null) return 'dead';
  return owner.start === null || start === owner.start ? 'alive' : 'dead';
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
