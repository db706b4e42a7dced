/** Forwards our signals to the agent's process group, and ends wiretape with the signal that ended the agent. */
import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGCONT'] as const;

export function catchSignals(forward: (signal: NodeJS.Signals) => void): void {
  for (const signal of FORWARDED) process.on(signal, () => forward(signal));
}

/** Signals a process group; false if it does not exist. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ends this process with a signal. Returns an exit code if the signal did not end it. */
export async function endBySignal(signal: NodeJS.Signals): Promise<number> {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  await new Promise((done) => setTimeout(done, 100));
  return 128 + constants.signals[signal];
}
