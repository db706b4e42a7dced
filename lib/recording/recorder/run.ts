/** Runs `wiretape record`: the proxy with a recorder, and the exit status. */
import { rmSync } from 'node:fs';
import { Exit } from '../../model/failure.ts';
import { visible } from '../../model/text/text.ts';
import { claimTape } from '../../storage/store/session-folder.ts';
import { SpawnFailure } from '../proxy/child.ts';
import { takeStart } from '../proxy/launcher.ts';
import { type Ending, runProxy } from '../proxy/proxy.ts';
import type { Tap } from '../proxy/pump.ts';
import { signalGroup } from '../proxy/signals.ts';
import { sayPlainly } from '../proxy/streams.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';
import { sendSpans } from './spans-process.ts';
import { startWatchdog } from './watchdog.ts';

export interface RunOptions extends Omit<RecorderOptions, 'onFailure' | 'onNotice'> {
  strict: boolean;
  /** The collector that spans are sent to while it records. */
  otlp: string | null;
}

export type Outcome = { code: number } | { signal: NodeJS.Signals };

const silent: Tap = { data() {}, event() {} };

export async function run(options: RunOptions): Promise<Outcome> {
  let speak = sayPlainly;
  let stop = (): void => {};
  let stopped = false;
  const said = new Set<string>();
  /** Prints the first message of each sort. */
  const say = (sort: string, message: string): void => {
    if (!said.has(sort)) speak(`wiretape: ${visible(message)}\n`);
    said.add(sort);
  };
  const onNotice = (message: string): void => say('notice', message);
  const onFailure = (message: string): void => {
    say('failure', `${message}; ${options.strict ? 'stopping the agent' : 'traffic continues'}`);
    if (!options.strict || stopped) return;
    stopped = true;
    stop();
  };
  const start = takeStart(options.env);
  const tape = claim(options.tape, onFailure);
  const recorder = stopped ? null : open({ ...options, tape, onFailure, onNotice });
  if (stopped) return { code: Exit.notRecorded };
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
        // Starting it takes longer than forwarding, so the first bytes go first unless the disk is slow.
        if (recorder?.isSlow) recorder.startWriting();
        else setImmediate(() => recorder?.startWriting());
        if (recorder && options.otlp)
          sendSpans({ ...options, otlp: options.otlp, session: recorder.session, onNotice });
      },
      onExit: () => {
        watchdog.dismiss();
        stop = () => {};
      },
      onLateSignal: hurry,
    });
  } catch (error) {
    watchdog.dismiss();
    if (!(error instanceof SpawnFailure)) throw error;
    sayPlainly(`wiretape: ${visible(error.message)}\nhint: ${error.hint}\n`);
    await recorder?.finishUnstarted(error.errno, error.message);
    return { code: error.exitCode };
  }
  await recorder?.finish(ending, hurried);
  if (stopped) return { code: Exit.notRecorded };
  return ending.signal ? { signal: ending.signal } : { code: ending.code ?? Exit.notRecorded };
}

/** Creates the file for `--tape`; null if the tape stays in the session's folder. Never touches an existing file. */
function claim(path: string | null, onFailure: (message: string) => void): string | null {
  if (path === null) return null;
  try {
    return claimTape(path);
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    onFailure(`${path} ${exists ? 'already exists' : 'cannot be created'}; the tape is kept in the store only`);
    return null;
  }
}

function open(options: RecorderOptions): Recorder | null {
  try {
    return new Recorder(options);
  } catch (error) {
    if (options.tape !== null) rmSync(options.tape, { force: true });
    options.onFailure(`not recording (${(error as Error).message})`);
    return null;
  }
}
