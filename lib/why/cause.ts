/** What a rule says of a hang: the likely cause, and what to do about it where it knows. */
import { humanSeconds } from '../core/text.ts';
import type { Place } from './place.ts';
import type { Open, Watch } from './watch.ts';

export interface Cause {
  /** Which rule it was: for programs. */
  rule: string;
  cause: string;
  hint: string | null;
  /** It only waits for another one, which is the one to look at. */
  follows?: boolean;
}

/** When a session is looked at. */
export interface Moment {
  /** Seconds since it started: now, or its end. */
  t: number;
  running: boolean;
  process: AgentProcess | null;
  /** Bytes of a line that has not ended yet. */
  unfinished: Unfinished[];
}

/** The agent's process, as the system tells; null where nobody can. */
export interface AgentProcess {
  pid: number;
  state: 'running' | 'sleeping' | 'waiting for a device' | 'stopped' | 'zombie' | 'gone';
}

export interface Unfinished {
  from: 'client' | 'agent' | 'stderr';
  bytes: number;
  /** When its first byte came. */
  t: number;
}

export type Rule = (open: Open, watch: Watch, moment: Moment) => Cause | null;

export function because(rule: string, cause: string, hint: string | null = null): Cause {
  return { rule, cause, hint };
}

/** `40 s ago`, from the moment it is looked at. */
export function ago({ t }: Place, moment: Moment): string {
  const seconds = humanSeconds(Math.max(0, moment.t - t));
  return moment.running ? `${seconds} ago` : `${seconds} before the end`;
}
