/** `wiretape replay SESSION -- AGENT`: its options, its messages and its exit code. */

import { Exit, Failure } from '../../model/failure.ts';
import { exactJson } from '../../model/id.ts';
import type { Pace } from '../../model/pace.ts';
import type { Session } from '../../session/session.ts';
import { writeReport } from '../report-file.ts';
import type { OnUnmatched } from './replies.ts';
import { departedText, summaryOf, unmatchedText } from './report.ts';
import { ClientRun, type Ended } from './run.ts';

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
interface Talk {
  env: NodeJS.ProcessEnv;
  say(line: string): void;
}

type Outcome = number | { signal: NodeJS.Signals };

export interface Driven {
  outcome: Outcome;
  /** The session that the run was recorded as, if it came to its end: it can be compared with the tape. */
  session: string | null;
}

/** Drives the agent and reports. `home`: the store that it is recorded in. */
export async function runAsClient(
  session: Session,
  command: readonly string[],
  options: ClientOptions & { pace: Pace; home: string },
  io: Talk,
): Promise<Driven> {
  const say = (line: string) => io.say(`wiretape: ${line}`);
  const begun = performance.now();
  const run = new ClientRun(
    session,
    {
      ...{ home: options.home, command, env: io.env, recordOptions: recordOptionsOf(options) },
      onStderr: (chunk) => {
        if (options.stderr !== false) process.stderr.write(chunk);
      },
    },
    {
      ...{ pace: options.pace, ...given(options) },
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
  for (const line of summaryOf(ended.report, (performance.now() - begun) / 1000)) say(line);
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

function given({ onUnmatched, timeout, until }: ClientOptions) {
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
  let came: NodeJS.Signals | null = null;
  const listeners = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const listener = () => {
      // A second signal ends the run at once.
      if (came === null) run.signal(signal);
      else void run.close();
      came ??= signal;
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
    return came;
  };
}

function exitOf({ exit }: Ended): Outcome {
  return exit?.signal ? { signal: exit.signal } : (exit?.code ?? Exit.no);
}

const UNMATCHED: readonly OnUnmatched[] = ['reject', 'approve', 'stop'];

function onUnmatchedOf(word: string): OnUnmatched {
  const found = UNMATCHED.find((known) => known === word);
  if (found) return found;
  throw new Failure(`invalid value ${JSON.stringify(word)} for --on-unmatched`, `use ${UNMATCHED.join(', ')}`);
}

function frameOf(word: string): number {
  const [, f] = /^f?(\d{1,15})$/.exec(word) ?? [];
  if (f !== undefined && Number(f) > 0) return Number(f);
  throw new Failure(`invalid value ${JSON.stringify(word)} for --until`, 'use a frame such as f120');
}
