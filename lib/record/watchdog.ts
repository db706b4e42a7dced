/**
 * If the recorder is killed, the agent sees EOF and should end by itself. This makes sure that it does: a tiny shell in
 * a session of its own waits on a pipe that only the recorder holds, and ends the agent's group when the pipe breaks. It
 * stands before the agent starts, and is told the agent's number as soon as there is one.
 */
import { spawn } from 'node:child_process';

/** A little less than a second: starting `sleep` takes its time on a busy machine. */
const WAIT = 'sleep 0.9 2>/dev/null || sleep 1';
/** Becomes itself once more, with the agent's number among its arguments, where people and tools can see it. */
const UNTIL_THERE_IS_AN_AGENT = 'read -r group && exec /bin/sh -c "$1" wiretape-watchdog "$group"';
const GUARD = `read -r _ && exit 0
${WAIT}; kill -s TERM -- "-$1" || exit 0
${WAIT}; kill -s KILL -- "-$1"`;

export interface Watchdog {
  guard(group: number): void;
  /** At a normal end. */
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
  watchdog.stdin.on('error', () => {});
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
  return {
    guard: (group) => void watchdog.stdin.write(`${group}\n`),
    dismiss: () => void watchdog.stdin.end('dismissed\n'),
  };
}
