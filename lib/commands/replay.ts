import { writeFileSync } from 'node:fs';
import { Exit } from '../failure.ts';
import { INSTANT, MAX_GAP, type PaceOptions, paceOf, SPEED, wholeNumber } from '../options.ts';
import { openStderr, openStdin, openStdout, sayPlainly } from '../proxy/streams.ts';
import { AgentReplay } from '../replay/agent.ts';
import { readLines } from '../replay/lines-in.ts';
import { Outlet } from '../replay/outlet.ts';
import { summary } from '../replay/report.ts';
import { storeHome } from '../store/home.ts';
import { locate, openPlace } from '../store/open.ts';
import type { Context, Define } from './index.ts';

interface Options extends PaceOptions {
  match?: string;
  onMiss?: string;
  keepIds?: boolean;
  seed?: number;
  stderr?: boolean;
  loop?: boolean;
  report?: string;
  quiet?: boolean;
}

export const define: Define = (command, context) => {
  command
    .usage('[options] SESSION [SESSION…]')
    .argument('<sessions...>', 'the session to replay; others may have branches that it lacks')
    .option(...SPEED)
    .option(...MAX_GAP)
    .option(...INSTANT)
    .option('--match <how>', 'params, strict, method or ordered')
    .option('--on-miss <what>', 'error, warn or stop')
    .option('--keep-ids', 'leave recorded ids as they are')
    .option('--seed <n>', 'of random ids and faults', wholeNumber('--seed'))
    .option('--no-stderr', 'do not send the recorded stderr')
    .option('--loop', 'begin again when the tape is over')
    .option('--report <file>', 'write what happened as JSON')
    .action((sessions: string[], options: Options) => replay(sessions, options, context));
};

async function replay(words: readonly string[], options: Options, { io, exit }: Context): Promise<void> {
  const home = storeHome(io.env);
  const [session, ...others] = words.map((word) => openPlace(locate(home, word)));
  const say = (line: string) => sayPlainly(`wiretape: ${line}\n`);
  const out = new Outlet(openStdout());
  const err = new Outlet(openStderr());
  const agent = new AgentReplay(
    session!,
    {
      pace: paceOf(options),
      match: (options.match ?? 'params') as 'params',
      onMiss: (options.onMiss ?? 'error') as 'error',
      keepIds: options.keepIds ?? false,
      seed: options.seed ?? Math.floor(Math.random() * 2 ** 32),
      stderr: options.stderr ?? true,
      loop: options.loop ?? false,
      timeout: null,
      faults: null,
      others,
      cwd: process.cwd(),
      say,
    },
    out,
    err,
  );
  readLines(openStdin(), (line) => agent.hear(line), () => agent.end());
  const end = await agent.run();
  if (!end.report.ok) say(summary(end.report));
  if (options.report) writeFileSync(options.report, `${JSON.stringify(end.report)}\n`);
  exit(end.report.ok ? (end.exit?.code ?? 0) : Exit.no);
  process.exit();
}
