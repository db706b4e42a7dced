/** What runs on this machine, as /proc tells it (Linux only). A zombie is not running. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

export interface Running {
  pid: number;
  ppid: number;
  group: number;
  argv: string[];
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function describe(pid: number): Running | null {
  const stat = read(pid, 'stat');
  const [state, ppid, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!state || state === 'Z' || state === 'X') return null;
  return { pid, ppid: Number(ppid), group: Number(group), argv: read(pid, 'cmdline').split('\0').slice(0, -1) };
}

export function isRunning(pid: number): boolean {
  return describe(pid) !== null;
}

function pids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** What ran before any test here: looking at each of them in every poll would take most of the time of a suite. */
const strangers = new Set(pids());

/** What was started since. */
function runningProcesses(): Running[] {
  const now = new Set(pids());
  for (const pid of strangers) if (!now.delete(pid)) strangers.delete(pid);
  return [...now].map(describe).filter((process) => process !== null);
}

/** The processes that have the marker in their arguments or were started with it in their environment. */
export function processesWith(marker: string): Running[] {
  return runningProcesses().filter(
    ({ pid, argv }) => argv.some((word) => word.includes(marker)) || read(pid, 'environ').includes(marker),
  );
}

/** The watchdogs of an agent: they have nothing of its environment, but know its group. */
export function watchdogsOf(agent: number): Running[] {
  return runningProcesses().filter(({ argv }) => argv.includes('wiretape-watchdog') && argv.includes(String(agent)));
}

/** A process as a test may compare it: its words, without the folders they lie in. */
export function nameOf({ argv }: Running): string {
  return argv.map((word) => basename(word)).join(' ');
}

/** A number of /proc/PID/status, in bytes: `VmHWM` is the most memory it ever had. */
export function memoryOf(pid: number, field: 'VmHWM' | 'VmRSS'): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(pid, 'status'))?.[1] ?? Number.NaN) * 1024;
}

/** How many bytes it has written so far, to whatever. */
export function bytesWrittenBy(pid: number): number {
  return Number(/^wchar: (\d+)/m.exec(read(pid, 'io'))?.[1] ?? Number.NaN);
}

const O_NONBLOCK = 0o4000;

/** Whether the file behind a descriptor is non-blocking: a property that all who share it have in common. */
export function isNonBlocking(pid: number, fd: number): boolean {
  const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))![1]!;
  return (Number.parseInt(flags, 8) & O_NONBLOCK) !== 0;
}

/** What a descriptor is, like `pipe:[4711]` or `/dev/null`. */
export function fileBehind(pid: number, fd: number): string {
  return readlinkSync(`/proc/${pid}/fd/${fd}`);
}
