/** What the system knows about the process of an agent, on this machine and while its recorder runs. */
import { execFileSync } from 'node:child_process';
import type { AgentProcess } from '../core/moment.ts';
import { attempt } from './home.ts';
import { lifeOf, readOwner, statOf } from './owner.ts';

const STATES: Record<string, AgentProcess['state']> = {
  ...{ R: 'running', S: 'sleeping', I: 'sleeping', D: 'waiting for a device', U: 'waiting for a device' },
  ...{ T: 'stopped', t: 'stopped', Z: 'zombie', X: 'gone' },
};

/** Null if it cannot be known: another machine, another boot, or a recorder that has exited. */
export function agentProcess(dir: string, pid: number | null): AgentProcess | null {
  const owner = readOwner(dir);
  if (pid === null || lifeOf(owner) !== 'alive') return null;
  const seen = look(pid);
  // The pid may have been reused: the agent is a child of the recorder.
  if (!seen || seen.parent !== owner!.pid) return { pid, state: 'gone' };
  return { pid, state: STATES[seen.state] ?? 'running' };
}

function look(pid: number): { state: string; parent: number } | null {
  return attempt(() => {
    const ask = () => execFileSync('ps', ['-o', 'state=,ppid=', '-p', String(pid)], { encoding: 'utf8' });
    const [state, parent] = process.platform === 'linux' ? statOf(pid) : ask().trim().split(/\s+/);
    return { state: state![0]!, parent: Number(parent) };
  }, null);
}
