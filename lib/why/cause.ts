/** The answer of a rule to why something is unanswered: the likely cause, and a hint if there is one. */
import type { Place } from '../core/ledger/records.ts';
import { humanSeconds } from '../core/text.ts';
import type { Open, Watch } from './watch.ts';

export interface Cause {
  /** The id of the rule, for programs. */
  rule: string;
  cause: string;
  hint: string | null;
  /** It only waits for another obligation, which is the one to look at. */
  follows?: boolean;
}

/** The moment at which a session is examined. */
export interface Moment {
  /** Seconds since it started: now, or its end. */
  t: number;
  running: boolean;
  process: AgentProcess | null;
  /** Lines that have not ended yet. */
  unfinished: Unfinished[];
}

/** The agent's process, as the operating system reports it. */
export interface AgentProcess {
  pid: number;
  state: 'running' | 'sleeping' | 'waiting for a device' | 'stopped' | 'zombie' | 'gone';
}

export interface Unfinished {
  from: 'client' | 'agent' | 'stderr';
  bytes: number;
  /** When its first byte arrived. */
  t: number;
}

export type Rule = (open: Open, watch: Watch, moment: Moment) => Cause | null;

export function because(rule: string, cause: string, hint: string | null = null): Cause {
  return { rule, cause, hint };
}

/** `40 s ago`, or `40 s before the end` if the session no longer runs. */
export function ago({ t }: Place, moment: Moment): string {
  const seconds = humanSeconds(Math.max(0, moment.t - t));
  return moment.running ? `${seconds} ago` : `${seconds} before the end`;
}
