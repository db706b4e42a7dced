/** Signals: those sent to us go to the agent's group, and the one that ended the agent ends us. */
import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGCONT'] as const;

/** Hears of every signal that is to be forwarded, from now on. */
export function catchSignals(forward: (signal: NodeJS.Signals) => void): void {
  for (const signal of FORWARDED) process.on(signal, () => forward(signal));
}

/** Signals a whole process group; false if there is none. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ends this process by the signal that ended the agent. Returns the exit code for signals that do not end us. */
export async function endBySignal(signal: NodeJS.Signals): Promise<number> {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  await new Promise((done) => setTimeout(done, 100));
  return 128 + constants.signals[signal];
}
