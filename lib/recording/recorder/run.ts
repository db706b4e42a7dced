/** Runs `wiretape record`: the proxy with a recorder, and the exit status. */
import { rmSync } from 'node:fs';
import { Exit } from '../../model/failure.ts';
import { visible } from '../../model/text/text.ts';
import { claimTape } from '../../storage/store/session-folder.ts';
import { takeStartState } from '../proxy/launcher.ts';
import { type ProxyResult, runProxy } from '../proxy/proxy.ts';
import type { Tap } from '../proxy/pump.ts';
import { signalGroup } from '../proxy/signals.ts';
import { SpawnFailure } from '../proxy/start-agent.ts';
import { writeToStderr } from '../proxy/streams.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';
import { sendSpans } from './spans-process.ts';
import { startWatchdog } from './watchdog.ts';

export interface RecordingOptions extends Omit<RecorderOptions, 'onFailure' | 'onNotice'> {
  strict: boolean;
  /** The collector that spans are sent to while it records. */
  otlp: string | null;
}

export type RecordOutcome = { code: number } | { signal: NodeJS.Signals };

const NO_TAP: Tap = { data() {}, event() {} };

export async function run(options: RecordingOptions): Promise<RecordOutcome> {
  let speak = writeToStderr;
  let stop = (): void => {};
  let stopped = false;
  const printedSorts = new Set<string>();
  /** Prints the first message of each sort. */
  const printOnce = (sort: string, message: string): void => {
    if (!printedSorts.has(sort)) speak(`wiretape: ${visible(message)}\n`);
    printedSorts.add(sort);
  };
  const onNotice = (message: string): void => printOnce('notice', message);
  const onFailure = (message: string): void => {
    printOnce('failure', `${message}; ${options.strict ? 'stopping the agent' : 'traffic continues'}`);
    if (!options.strict || stopped) return;
    stopped = true;
    stop();
  };
  const start = takeStartState(options.env);
  const tape = claimTapeFile(options.tape, onFailure);
  const recorder = stopped ? null : open({ ...options, tape, onFailure, onNotice });
  if (stopped) return { code: Exit.notRecorded };
  const watchdog = startWatchdog();
  let hurry = (): void => {};
  const hurried = new Promise<void>((done) => {
    hurry = done;
  });
  let ending: ProxyResult;
  try {
    ending = await runProxy({
      command: options.command,
      env: options.env,
      start,
      tap: recorder ?? NO_TAP,
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
    writeToStderr(`wiretape: ${visible(error.message)}\nhint: ${error.hint}\n`);
    await recorder?.finishUnstarted(error.errno, error.message);
    return { code: error.exitCode };
  }
  await recorder?.finish(ending, hurried);
  if (stopped) return { code: Exit.notRecorded };
  return ending.signal ? { signal: ending.signal } : { code: ending.code ?? Exit.notRecorded };
}

/** Creates the file for `--tape`; null if the tape stays in the session's folder. Never touches an existing file. */
function claimTapeFile(path: string | null, onFailure: (message: string) => void): string | null {
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
