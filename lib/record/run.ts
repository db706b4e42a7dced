/** `wiretape record`, without its command line: the recorder beside the proxy, and the right way to end. */

import { rmSync } from 'node:fs';
import { visible } from '../core/text.ts';
import { SpawnFailure } from '../proxy/child.ts';
import { takeStart } from '../proxy/launcher.ts';
import { type Ending, runProxy } from '../proxy/proxy.ts';
import type { Tap } from '../proxy/pump.ts';
import { signalGroup } from '../proxy/signals.ts';
import { sayPlainly } from '../proxy/streams.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';
import { claimTape } from './session-folder.ts';
import { startWatchdog } from './watchdog.ts';

export interface RunOptions extends Omit<RecorderOptions, 'onFailure' | 'onNotice'> {
  strict: boolean;
}

export type Outcome = { code: number } | { signal: NodeJS.Signals };

/** Our own failure, told apart from anything an agent may exit with. */
export const OWN_FAILURE = 125;

const silent: Tap = { data() {}, event() {} };

export async function run(options: RunOptions): Promise<Outcome> {
  let speak = sayPlainly;
  let stop = (): void => {};
  let stopped = false;
  const said = new Set<string>();
  /** One line of each sort. */
  const say = (sort: string, message: string): void => {
    if (!said.has(sort)) speak(`wiretape: ${visible(message)}\n`);
    said.add(sort);
  };
  const onNotice = (message: string): void => say('notice', message);
  const onFailure = (message: string): void => {
    say('failure', `${message}; ${options.strict ? 'the agent is stopped' : 'the traffic goes on'}`);
    if (!options.strict || stopped) return;
    stopped = true;
    stop();
  };
  const start = takeStart(options.env);
  const tape = claim(options.tape, onFailure);
  const recorder = stopped ? null : open({ ...options, tape, onFailure, onNotice });
  if (stopped) return { code: OWN_FAILURE };
  const watchdog = startWatchdog();
  let hurry = (): void => {};
  const hurried = new Promise<void>((done) => {
    hurry = done;
  });
  let ending: Ending;
  try {
    ending = await runProxy({
      command: options.command,
      env: options.env,
      start,
      tap: recorder ?? silent,
      onBirth: (pid) => watchdog.guard(pid),
      onSpawn: (pid, speakBetweenLines) => {
        speak = speakBetweenLines;
        stop = () => signalGroup(pid, 'SIGTERM');
        if (stopped) stop();
        // After the first bytes have gone their way, if the disk lets them: starting it takes longer than forwarding.
        if (recorder?.isSlow) recorder.startWriting();
        else setImmediate(() => recorder?.startWriting());
      },
      onExit: () => {
        watchdog.dismiss();
        // After the agent's own exit we kill nothing.
        stop = () => {};
      },
      onLateSignal: hurry,
    });
  } catch (error) {
    watchdog.dismiss();
    if (!(error instanceof SpawnFailure)) throw error;
    sayPlainly(`wiretape: ${visible(error.message)}\n`);
    await recorder?.finishUnstarted(error.errno, error.message);
    return { code: error.exitCode };
  }
  await recorder?.finish(ending, hurried);
  if (stopped) return { code: OWN_FAILURE };
  return ending.signal ? { signal: ending.signal } : { code: ending.code ?? OWN_FAILURE };
}

/** The file for `--tape`, or null: then the tape lies in the session's folder. An existing file is never touched. */
function claim(path: string | null, onFailure: (message: string) => void): string | null {
  if (path === null) return null;
  try {
    return claimTape(path);
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    onFailure(`${path} ${exists ? 'exists' : 'cannot be made'}, so the tape is kept in the store only`);
    return null;
  }
}

function open(options: RecorderOptions): Recorder | null {
  try {
    return new Recorder(options);
  } catch (error) {
    if (options.tape !== null) rmSync(options.tape, { force: true });
    options.onFailure(`nothing is recorded (${(error as Error).message})`);
    return null;
  }
}
