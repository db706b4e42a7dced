/**
 * Ends the agent if the recorder is killed and the agent does not exit at EOF. A small shell in its own session waits on
 * a pipe that only the recorder holds, and signals the agent's process group when the pipe breaks. It starts before the
 * agent and gets the agent's pid as soon as there is one.
 */
import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Less than a second: starting `sleep` takes time on a busy machine. */
const WAIT = 'sleep 0.9 2>/dev/null || sleep 1';
/** Executes the shell again with the agent's pid as an argument, so that it shows in `ps`. */
const UNTIL_THERE_IS_AN_AGENT = 'read -r group && exec /bin/sh -c "$1" wiretape-watchdog "$group"';
const GUARD = `read -r _ && exit 0
${WAIT}; kill -s TERM -- "-$1" || exit 0
${WAIT}; kill -s KILL -- "-$1"`;

export interface Watchdog {
  guard(group: number): void;
  /** Ends the watchdog: the agent has exited. */
  dismiss(): void;
}

export function startWatchdog(): Watchdog {
  const watchdog = spawn('/bin/sh', ['-c', UNTIL_THERE_IS_AN_AGENT, 'wiretape-watchdog', GUARD], {
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => {});
  // There is none if it could not be started at all.
  const stdin: (Writable & { unref?(): void }) | undefined = watchdog.stdin;
  stdin?.on('error', () => {});
  watchdog.unref();
  stdin?.unref?.();
  return {
    guard: (group) => void stdin?.write(`${group}\n`),
    dismiss: () => void stdin?.end('dismissed\n'),
  };
}
