/** What the system knows about the process of an agent, on this machine and while its recorder runs. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { AgentProcess } from '../../model/moment.ts';
import { attempt } from './home.ts';
import { lifeOf, readOwner, statOf } from './owner.ts';

const PROCESS_STATES: Record<string, AgentProcess['state']> = {
  ...{ R: 'running', S: 'sleeping', I: 'sleeping', D: 'waiting for a device', U: 'waiting for a device' },
  ...{ T: 'stopped', t: 'stopped', Z: 'zombie', X: 'gone' },
};

/** Null if it cannot be known: another machine, another boot, or a recorder that has exited. */
export function agentProcess(dir: string, pid: number | null): AgentProcess | null {
  const owner = readOwner(dir);
  if (pid === null || lifeOf(owner) !== 'alive') return null;
  const seen = processInfo(pid);
  // The pid may have been reused: the agent is a child of the recorder.
  if (!seen || seen.parent !== owner!.pid) return { pid, state: 'gone', cpu: null };
  return { pid, state: PROCESS_STATES[seen.state] ?? 'running', cpu: seen.cpu };
}

interface ProcessInfo {
  state: string;
  parent: number;
  cpu: number | null;
}

function processInfo(pid: number): ProcessInfo | null {
  return attempt(() => {
    if (process.platform === 'linux') {
      const { state, parent, group } = linuxProcessInfo(pid);
      return { state, parent, cpu: cpuOf(group) };
    }
    const line = execFileSync('ps', ['-o', 'state=,ppid=,time=', '-p', String(pid)], { encoding: 'utf8' });
    const [state, parent, time = ''] = line.trim().split(/\s+/);
    return { state: state![0]!, parent: Number(parent), cpu: secondsOf(time) };
  }, null);
}

/** The unit of /proc, on every Linux that Node runs on. */
const TICKS_A_SECOND = 100;

function linuxProcessInfo(pid: number): { state: string; parent: number; group: number; cpu: number } {
  const fields = statOf(pid);
  // Its own time, and that of the children it has waited for.
  const ticks = fields.slice(11, 15).reduce((sum, n) => sum + Number(n), 0);
  return { state: fields[0]!, parent: Number(fields[1]), group: Number(fields[2]), cpu: ticks / TICKS_A_SECOND };
}

/** An agent is often started by a script: its whole group counts. A process that has just ended is not there. */
function cpuOf(group: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const seen = pids.map((pid) => attempt(() => linuxProcessInfo(Number(pid)), null));
  return seen.reduce((sum, one) => sum + (one?.group === group ? one.cpu : 0), 0);
}

/** `1:02.50`, `01:02:03` or `2-01:02:03`. */
function secondsOf(time: string): number | null {
  const [, days = '0', clock] = /^(?:(\d+)-)?([\d:.]+)$/.exec(time) ?? [];
  if (clock === undefined) return null;
  return clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0) + 86_400 * Number(days);
}
