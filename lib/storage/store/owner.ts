/**
 * The process that records a session. Others may finish its tape only if that process is certainly dead. A process that
 * cannot be seen from here (another machine, another container) never counts as dead. If it wrote nothing for a day, the
 * session does not count as running either: it is read as far as it goes and not changed.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { attempt, OWNER, readObject, replaceFile } from './home.ts';

export interface Owner {
  host: string;
  /** Changes with every boot; null if the system does not provide it. */
  boot: string | null;
  /** The pid namespace of `pid`. */
  pid_namespace: string | null;
  pid: number;
  /** Distinguishes processes with the same pid. */
  start: string | null;
  /** The writer process, if it has records to store; it may outlive the recorder. */
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
  return attempt(() => readObject(join(dir, OWNER)) as unknown as Owner, null);
}

export type RecorderState = 'alive' | 'dead' | 'unknown';

export function lifeOf(owner: Owner | null): RecorderState {
  const life = lifeOfProcess(owner);
  return life === 'dead' && owner?.writer ? lifeOfProcess(owner.writer) : life;
}

/** Registers the writer process: the session is running until it has exited as well. */
export function addWriter(dir: string, pid: number): void {
  replaceFile(dir, OWNER, `${JSON.stringify({ ...readOwner(dir), writer: thisProcess(pid) })}\n`);
}

function lifeOfProcess(owner: Owner | null): RecorderState {
  if (!owner) return 'unknown';
  if (owner.boot !== null && owner.boot !== bootId()) return owner.host === hostname() ? 'dead' : 'unknown';
  if (owner.boot === null && owner.host !== hostname()) return 'unknown';
  if (owner.pid_namespace !== pidNamespace()) return lifeInContainer(owner);
  const start = startOf(owner.pid);
  if (start === null) return 'dead';
  return owner.start === null || start === owner.start ? 'alive' : 'dead';
}

/** The root pid namespace of every Linux system. */
const ROOT_PID_NAMESPACE = 'pid:[4026531836]';

/**
 * Looks for a process of a container on this machine, from outside of all containers, where /proc shows the pid that each
 * process has inside. It is dead if no process has that pid in that namespace.
 */
function lifeInContainer({ boot, pid_namespace, pid }: Owner): RecorderState {
  if (boot === null || pid_namespace === null || pidNamespace() !== ROOT_PID_NAMESPACE) return 'unknown';
  try {
    // The process may be hidden from us.
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

/** Its pid in its innermost namespace; null if that is ours, or it has exited. Throws if that cannot be read. */
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

/** Null if it may not be read; empty if the process has exited. */
function namespaceOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : null;
  }
}

const ABANDONED_MS = 24 * 3_600_000;

/** Whether none of the files was written to for a day. */
export function isAbandoned(paths: readonly string[]): boolean {
  const since = Date.now() - ABANDONED_MS;
  return paths.every((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < since);
}

function bootId(): string | null {
  return attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), null);
}

function pidNamespace(): string | null {
  return attempt(() => readlinkSync('/proc/self/ns/pid'), null);
}

/** The fields of /proc/PID/stat after the process name: its state, its parent and more. */
export function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The processes that started this one, and those that started them; where the system does not tell, only the first. */
export function ancestors(): ReadonlySet<number> {
  const found = new Set([process.ppid]);
  for (let pid = process.ppid; pid > 1 && found.size < MAX_GENERATIONS; ) {
    pid = attempt(() => Number(statOf(pid)[1]), 0);
    found.add(pid);
  }
  return found;
}

const MAX_GENERATIONS = 100;

/** A process of this machine that has not exited. */
export function isRunning(pid: number): boolean {
  return startOf(pid) !== null;
}

/** When a process started, in a unit of the system; null if it does not exist. A zombie is not running. */
function startOf(pid: number): string | null {
  return attempt(() => {
    if (process.platform === 'linux') {
      const [state, ...rest] = statOf(pid);
      return state === 'Z' || state === 'X' ? null : rest[18]!;
    }
    process.kill(pid, 0);
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  }, null);
}
