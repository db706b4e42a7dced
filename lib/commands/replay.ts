import { randomInt } from 'node:crypto';
import type { Command } from 'commander';
import { diffSessions } from '../analysis/diff/diff.ts';
import { Exit, Failure } from '../model/failure.ts';
import { parseDuration } from '../model/text/quantity.ts';
import { visible } from '../model/text/text.ts';
import { diffText } from '../output/terminal/diff-view.ts';
import { type Io, writeAll } from '../output/terminal/io.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { openStderr, openStdin, openStdout, writeToStderr } from '../recording/proxy/streams.ts';
import { AgentReplay, type AgentReplayOptions, type AgentReplayResult } from '../replay/agent.ts';
import { CLIENT_OPTIONS, type ClientOptions, runAsClient } from '../replay/client/command.ts';
import { parseFault } from '../replay/faults.ts';
import { LineWriter } from '../replay/line-writer.ts';
import { readLines } from '../replay/message-reader.ts';
import { TEST_GRACE_SECONDS, whenRemoved, writeReportSoFar } from '../replay/program-runs.ts';
import { jsonOf, missingText, summary } from '../replay/report.ts';
import { beginReport, writeReport } from '../replay/report-file.ts';
import { framesMatching } from '../storage/search/frames-matching.ts';
import { storeHome } from '../storage/store/home.ts';
import { locate, metadataOf, type OpenSession, openPlace, withSession } from '../storage/store/open.ts';
import { collectGarbageSooner } from '../storage/tape/garbage-collection.ts';
import type { CommandContext, Define, Flags } from './index.ts';
import {
  collectValues,
  INSTANT,
  MAX_GAP,
  oneNamed,
  type PaceOptions,
  paceOf,
  SHOW_SECRETS,
  SPEED,
  wholeNumber,
} from './shared/options.ts';

const HELP = `
Start it in place of the agent: the client gets what the recorded agent sent,
with the ids that the client uses now:
  $ wiretape replay last --instant
  $ wiretape replay login-bug --speed 10x --max-gap 2s
  $ wiretape replay main.jsonl denied.jsonl
  $ wiretape replay last --fault 'at:f12 delay:5s' --fault 'kind:approval drop'

A line is sent when the client has sent what it answers, not by the clock.
Further sessions serve as branches: if the client answers a request differently
from the tape, the replay continues in the one that has that answer.

What the client does differently is reported on stderr and in --report FILE.
Faults: at:fN, nth:N, chance:0.1 or a query, then one of delay:5s, drop,
duplicate, error[:CODE], malformed, cut, noise[:TEXT], close, exit:CODE,
kill[:SIGNAL].

Exit codes: that of the recorded agent if the client did what was recorded,
else 1; 2 if the session cannot be replayed.

With an agent after --, wiretape is the client instead, and drives that agent:
  $ wiretape replay last -- kimi --wire
  $ wiretape replay k3f9 --instant --report run.json -- kimi acp
  $ wiretape replay k3f9 --until f120 -- kimi acp
Each recorded line is sent when what came before it has happened. Requests of
the agent are answered as recorded; what the tape never allowed is rejected. The
run is recorded as a new session, and compared with the tape as wiretape diff
does.
Exit codes: 0 the agent did what the tape says, 1 it did not, 2 error; 126 or
127 if the agent cannot be started; with --until that of the agent.`;

interface ReplayCommandOptions extends PaceOptions, ClientOptions, Flags<'keepIds' | 'loop'> {
  match: AgentReplayOptions['match'];
  onMiss: AgentReplayOptions['onMiss'];
  seed?: number;
  fault?: string[];
  untilRemoved?: string;
}

const MATCH_MODES = ['params', 'strict', 'method', 'ordered'].map((name) => ({
  name: name as AgentReplayOptions['match'],
}));
const MISS_MODES = ['error', 'warn', 'stop'].map((name) => ({ name: name as AgentReplayOptions['onMiss'] }));

export const define: Define = (command, context) => {
  command
    .usage('[options] SESSION [BRANCH…] [-- AGENT [ARGS…]]')
    .argument('<session>', 'the session to replay: a name, id, last or the path of a tape')
    .argument('[branches...]', 'sessions in which the client answered differently')
    .option(...SPEED)
    .option(...MAX_GAP)
    .option(...INSTANT)
    .option(
      '--timeout <time>',
      'end if the other side sends nothing for this long (default for an agent: 60s)',
      parseTimeout,
    )
    .option('--no-stderr', 'leave out what the agent wrote to stderr')
    .option('--report <file>', 'write what happened as JSON')
    .option(...SHOW_SECRETS)
    .optionsGroup('Options to replay to a client:')
    .option(
      '--match <how>',
      'how lines of the client are matched with recorded ones: params (the same content, else the next of that method, with a warning), strict, method (the next of that method) or ordered (the next)',
      (word) => oneNamed('value for --match', word, MATCH_MODES).name,
      'params',
    )
    .option(
      '--on-miss <what>',
      'a request that is not on the tape gets an error, the nearest answer (warn), or ends the replay (stop)',
      (word) => oneNamed('value for --on-miss', word, MISS_MODES).name,
      'error',
    )
    .option('--keep-ids', 'leave recorded ids as they are')
    .option('--fault <fault>', 'inject a fault; may be repeated', collectValues)
    .option('--seed <n>', 'the seed of ids and faults, for runs that can be repeated', wholeNumber('--seed'))
    .option('--loop', 'start again at the end of the tape')
    .option('--until-removed <file>', 'for tests: end when this file is removed')
    .optionsGroup('Options to drive an agent:')
    .option('--name <name>', 'name the session that the agent is recorded as')
    .option('--tag <key=value>', 'tag it; may be repeated', collectValues)
    .addHelpText('after', HELP)
    .action((session: string, branches: string[], options: ReplayCommandOptions) =>
      replay([session, ...branches], options, command, context),
    );
  for (const [flags, help, parse] of CLIENT_OPTIONS) command.option(flags, help, parse);
  command.optionsGroup('Options:');
};

function parseTimeout(word: string): number {
  const seconds = parseDuration(word);
  if (seconds !== null && seconds > 0) return seconds;
  throw new Failure(`invalid value ${JSON.stringify(word)} for --timeout`, 'use a time such as 30s or 2m');
}

async function replay(
  words: readonly string[],
  options: ReplayCommandOptions,
  command: Command,
  context: CommandContext,
): Promise<void> {
  const { io, exit } = context;
  const home = storeHome(io.env);
  const at = context.argv.indexOf('--');
  const agent = at < 0 ? null : context.argv.slice(at + 1);
  checkDirection(command, agent !== null);
  if (options.report !== undefined) beginReport(options.report);
  if (agent) return driveAgent(words.slice(0, words.length - agent.length), agent, options, context);
  // As the agent of a recorder, it must not read the session that is just being recorded.
  const sessions = words.map((word) => openPlace(locate(home, word, true)));
  try {
    for (const session of sessions) metadataOf(session);
    collectGarbageSooner(sessions.map(({ tape }) => tape));
    const end = await playAgent(sessions, options);
    const { report } = end;
    if (options.report !== undefined) await writeReport(options.report, jsonOf(report));
    if (report.missing.length > 0) writeToStderr(`wiretape: ${missingText(report)}\n`);
    if (!report.ok) writeToStderr(`wiretape: replay: ${summary(report)}\n`);
    exit(exitOutcome(end));
  } finally {
    for (const session of sessions) session.close();
  }
}

/** Options that only one form of the command has. */
const CLIENT_ONLY_OPTIONS = ['match', 'onMiss', 'keepIds', 'fault', 'seed', 'loop', 'untilRemoved'];
const AGENT_ONLY_OPTIONS = ['name', 'tag', 'onUnmatched', 'until'];

/** An option that would do nothing is a mistake. */
function checkDirection(command: Command, drivesAgent: boolean): void {
  const ofOther = drivesAgent ? CLIENT_ONLY_OPTIONS : AGENT_ONLY_OPTIONS;
  const wrong = ofOther.find((name) => command.getOptionValueSource(name) === 'cli');
  if (wrong === undefined) return;
  const option = `--${wrong.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw drivesAgent
    ? new Failure(`${option} cannot be used with an agent`, 'it is for replaying to a client: wiretape help replay')
    : new Failure(`${option} needs an agent to drive`, 'give it after --: wiretape replay SESSION -- AGENT');
}

async function driveAgent(
  sessions: readonly string[],
  agent: readonly string[],
  options: ReplayCommandOptions,
  { io, exit }: CommandContext,
): Promise<void> {
  const [word, ...others] = sessions;
  if (word === undefined || agent.length === 0)
    throw new Failure(
      word === undefined ? 'no session given' : 'no agent given after --',
      'for example: wiretape replay last -- kimi --wire',
    );
  if (others.length > 0)
    throw new Failure('an agent is driven from one session', 'give further sessions only to replay to a client');
  const home = storeHome(io.env);
  await withSession(home, word, async (session) => {
    metadataOf(session);
    collectGarbageSooner([session.tape]);
    const driven = await runAsClient(session, agent, { ...options, pace: paceOf(options), home }, io);
    const isSame = driven.session === null || (await printDifferences(io, session, driven.session));
    exit(driven.outcome === Exit.ok && !isSame ? Exit.no : driven.outcome);
  });
}

/** Prints how the run differs from the tape. False if it does. */
async function printDifferences(io: Io, recorded: OpenSession, id: string): Promise<boolean> {
  return withSession(storeHome(io.env), id, async (live) => {
    const diff = diffSessions(recorded, live);
    const style = { columns: io.columns, theme: themeFor(io.color), full: false, beside: false };
    await writeAll(io, diffText(diff, style));
    return diff.same;
  });
}

/** A client that departs from the tape must not look like one that follows it. */
function exitOutcome({ report, exit }: AgentReplayResult): number | { signal: NodeJS.Signals } {
  if (exit?.signal) return { signal: exit.signal as NodeJS.Signals };
  if (!report.ok) return exit?.code || Exit.no;
  return exit?.code ?? Exit.ok;
}

async function playAgent(sessions: readonly OpenSession[], options: ReplayCommandOptions): Promise<AgentReplayResult> {
  const [session, ...others] = sessions as [OpenSession, ...OpenSession[]];
  const out = new LineWriter(openStdout());
  const err = new LineWriter(openStderr());
  const { match, onMiss, keepIds = false, stderr = true, loop = false, timeout = null, untilRemoved, report } = options;
  const agent = new AgentReplay(
    session,
    {
      ...{ match, onMiss, keepIds, stderr, signals: true, loop, timeout, others },
      pace: paceOf(options),
      seed: options.seed ?? randomInt(2 ** 32),
      faults: (options.fault ?? []).map(parseFault),
      framesOf: (query) => framesMatching(session, query),
      cwd: process.cwd(),
      print: (line) => writeToStderr(`wiretape: ${visible(line)}\n`),
      ...(untilRemoved === undefined
        ? {}
        : { grace: TEST_GRACE_SECONDS, onReport: (soFar) => writeReportSoFar(report, soFar) }),
    },
    out,
    err,
  );
  if (untilRemoved !== undefined) whenRemoved(untilRemoved, () => void agent.close());
  for (const signal of SIGNALS) process.on(signal, () => agent.signal(signal));
  const stdin = openStdin();
  readLines(
    stdin,
    (line) => agent.receive(line),
    () => agent.end(),
    () => agent.failOnEndlessLine(),
  );
  agent.onBackPressure = (isCrowded) => void (isCrowded ? stdin.pause() : stdin.resume());
  const end = await agent.run();
  stdin.destroy();
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  return end;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
