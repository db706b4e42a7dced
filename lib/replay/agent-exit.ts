/** How the agent ends, as far as a process can end in that way. Tapes are untrusted. */
import { constants } from 'node:os';

export interface AgentExit {
  code: number | null;
  signal: string | null;
}

/** Signals that would stop us instead of ending us. */
const STOP_SIGNALS = ['SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU'];

/** Whether a process can be killed by it. */
export function isDeadly(signal: string): boolean {
  return Object.hasOwn(constants.signals, signal) && !STOP_SIGNALS.includes(signal);
}

/** The exit of an `exit` event. An end that is impossible here becomes a failure. */
export function exitOf({ code, signal }: Record<string, unknown>): AgentExit {
  if (typeof signal === 'string') return isDeadly(signal) ? { code: null, signal } : { code: 1, signal: null };
  if (typeof code !== 'number') return { code: null, signal: null };
  const isPossible = Number.isInteger(code) && code >= 0 && code <= 255;
  return { code: isPossible ? code : 1, signal: null };
}
