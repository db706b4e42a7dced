/**
 * A process of its own that reads the tape as it grows and sends spans to a collector (`export --follow`). The recorder
 * does not wait for it: it ends by itself, some time after the session. What it complains about while the session runs
 * becomes a notice.
 */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { attempt } from '../../storage/store/home.ts';
import { PROGRAM } from '../../storage/system/installation.ts';
import { NICE, withoutNodeSettings } from './writer-process.ts';

interface SpansOptions {
  home: string;
  session: string;
  otlp: string;
  env: NodeJS.ProcessEnv;
  onNotice: (message: string) => void;
}

export function sendSpans({ home, session, otlp, env, onNotice }: SpansOptions): void {
  const args = ['export', session, '--format', 'otlp', '--endpoint', otlp, '--follow'];
  try {
    const child = spawn(process.execPath, ['--no-warnings', PROGRAM, ...args], {
      ...{
        cwd: '/',
        detached: true,
        env: { ...withoutNodeSettings(env), ...certificatesIn(env), WIRETAPE_HOME: home },
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.on('error', (error) => onNotice(`spans are not sent (${error.message})`));
    const { pid } = child;
    // On one core, a client waits 0.6 s instead of 1.5 s for 750,000 lines of its agent (medians of 20 pairs of runs).
    if (pid !== undefined) attempt(() => setPriority(pid, NICE), undefined);
    child.unref();
    forwardProblems(child.stderr!, onNotice);
  } catch (error) {
    onNotice(`spans are not sent (${(error as Error).message})`);
  }
}

/** Those that the collector's may be signed with. */
function certificatesIn({ NODE_EXTRA_CA_CERTS }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
}

/** Its lines are as this program writes them: what comes first says what is wrong. */
function forwardProblems(stderr: Readable & { unref?(): void }, onNotice: (message: string) => void): void {
  let text = '';
  stderr.on('error', () => {});
  stderr.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(0, 4096);
    const [, message] = /^wiretape: (spans are not sent.*|cannot .*)\n/m.exec(text) ?? [];
    if (message !== undefined) onNotice(message);
  });
  stderr.unref?.();
}
