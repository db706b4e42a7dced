/** `wiretape replay SESSION -- AGENT`: its options, its messages and its exit code. */

import { Exit, Failure } from '../../model/failure.ts';
import { exactJson } from '../../model/id.ts';
import type { Pace } from '../../model/pace.ts';
import type { Session } from '../../session/session.ts';
import { writeReport } from '../report-file.ts';
import { ClientRun, type ClientRunResult } from './client-run.ts';
import type { OnUnmatched } from './replies.ts';
import { departedText, summaryOf, unmatchedText } from './report.ts';

export interface ClientOptions {
  onUnmatched?: OnUnmatched;
  /** Seconds. */
  timeout?: number;
  until?: number;
  report?: string;
  name?: string;
  tag?: string[];
  /** Show what the agent writes on stderr. Default: yes. */
  stderr?: boolean;
}

/** Flags, help and parser of the options that only this form has. */
export const CLIENT_OPTIONS: readonly (readonly [flags: string, help: string, parse: (word: string) => unknown])[] = [
  ['--on-unmatched <what>', 'requests not on the tape: reject (default), approve or stop', onUnmatchedOf],
  ['--until <frame>', 'stop before this frame and hand the agent over: f120', frameOf],
];

/** The parts of the program's `Io` that are needed. */
interface CommandIo {
  env: NodeJS.ProcessEnv;
  say(line: string): void;
}

type CommandOutcome = number | { signal: NodeJS.Signals };

export interface DriveOutcome {
  outcome: CommandOutcome;
  /** The session that the run was recorded as, if it came to its end: it can be compared with the tape. */
  session: string | null;
}

/** Drives the agent and reports. `home`: the store that it is recorded in. */
export async function runAsClient(
  session: Session,
  command: readonly string[],
  options: ClientOptions & { pace: Pace; home: string },
  io: CommandIo,
): Promise<DriveOutcome> {
  const say = (line: string) => io.say(`wiretape: ${line}`);
  const startedAt = performance.now();
  const run = new ClientRun(
    session,
    {
      ...{ home: options.home, command, env: io.env, recordOptions: recordOptionsOf(options) },
      onStderr: (chunk) => {
        if (options.stderr !== false) process.stderr.write(chunk);
      },
    },
    {
      ...{ pace: options.pace, ...driveOptionsOf(options) },
      listener: {
        unmatched: (entry) => say(unmatchedText(entry)),
        departed: (entry) => say(departedText(entry)),
      },
      ...(options.until === undefined ? {} : { successor: successorOf(options.until, say) }),
    },
  );
  const stopListening = passSignalsOn(run);
  const ended = await run.ended;
  const interrupted = stopListening();
  if (ended.unstarted !== null) return { outcome: ended.unstarted, session: null };
  for (const line of summaryOf(ended.report, (performance.now() - startedAt) / 1000)) say(line);
  if (options.report !== undefined) await writeReport(options.report, `${exactJson(ended.report)}\n`);
  if (interrupted) return { outcome: { signal: interrupted }, session: null };
  if (ended.how === 'handover') return { outcome: exitOf(ended), session: null };
  return { outcome: ended.report.ok ? Exit.ok : Exit.no, session: ended.report.replayed_as };
}

function successorOf(f: number, say: (line: string) => void) {
  const begins = (unanswered: number) => {
    const open =
      unanswered === 0 ? '' : `, with ${unanswered === 1 ? 'a request' : `${unanswered} requests`} to answer`;
    say(`handed over before f${f}${open}`);
  };
  return { input: process.stdin, output: process.stdout, begins };
}

function driveOptionsOf({ onUnmatched, timeout, until }: ClientOptions) {
  return {
    ...(onUnmatched === undefined ? {} : { onUnmatched }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(until === undefined ? {} : { until }),
  };
}

function recordOptionsOf({ name, tag = [] }: ClientOptions): string[] {
  return [...(name === undefined ? [] : ['--name', name]), ...tag.flatMap((word) => ['--tag', word])];
}

/** A terminal sends its signals to us alone. Returns a function that stops this and returns the signal that came. */
function passSignalsOn(run: ClientRun): () => NodeJS.Signals | null {
  let received: NodeJS.Signals | null = null;
  const listeners = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const listener = () => {
      // A second signal ends the run at once.
      if (received === null) run.signal(signal);
      else void run.close();
      received ??= signal;
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
    return received;
  };
}

function exitOf({ exit }: ClientRunResult): CommandOutcome {
  return exit?.signal ? { signal: exit.signal } : (exit?.code ?? Exit.no);
}

const UNMATCHED_CHOICES: readonly OnUnmatched[] = ['reject', 'approve', 'stop'];

function onUnmatchedOf(word: string): OnUnmatched {
  const found = UNMATCHED_CHOICES.find((known) => known === word);
  if (found) return found;
  throw new Failure(`invalid value ${JSON.stringify(word)} for --on-unmatched`, `use ${UNMATCHED_CHOICES.join(', ')}`);
}

function frameOf(word: string): number {
  const [, f] = /^f?(\d{1,15})$/.exec(word) ?? [];
  if (f !== undefined && Number(f) > 0) return Number(f);
  throw new Failure(`invalid value ${JSON.stringify(word)} for --until`, 'use a frame such as f120');
}
