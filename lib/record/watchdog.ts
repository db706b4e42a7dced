/**
 * If the recorder is killed, the agent sees EOF and should end by itself. This makes sure that it does: a tiny shell in
 * a session of its own waits on a pipe that only the recorder holds, and ends the agent's group when the pipe breaks.
 */
import { spawn } from 'node:child_process';

const SCRIPT = 'read -r _ && exit 0; sleep 1; kill -s TERM -- "-$1" || exit 0; sleep 1; kill -s KILL -- "-$1"';

/** Returns the way to dismiss it, at a normal end. */
export function startWatchdog(group: number): () => void {
  const watchdog = spawn('/bin/sh', ['-c', SCRIPT, 'wiretape-watchdog', String(group)], {
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => {});
  watchdog.stdin.on('error', () => {});
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
  return () => watchdog.stdin.end('dismissed\n');
}
