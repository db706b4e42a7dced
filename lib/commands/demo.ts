import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Exchange, Exchanges } from '../core/exchange.ts';
import { readMessage, textOf } from '../core/message.ts';
import { humanBytes, humanSeconds, visible } from '../core/text.ts';
import { Exit, Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { resolveExecutable } from '../proxy/executable.ts';
import { type OpenSession, withSession } from '../record/open.ts';
import { storeHome } from '../store/home.ts';
import { summarise } from '../store/summary.ts';
import { readTape } from '../tape/read.ts';
import { verifyTape } from '../tape/verify.ts';
import { table } from '../terminal/table.ts';
import { themeFor } from '../terminal/theme.ts';
import type { Define } from './index.ts';

const HELP = `
Runs a sample client against a sample agent that speaks Kimi Wire, with the recorder between them, and shows what was
found. It needs no agent, no model and no network.
  $ wiretape demo
  $ wiretape demo --scenario everything`;

const PROGRAM = fileURLToPath(new URL('../../bin/wiretape.js', import.meta.url));

export const define: Define = (command, { io, exit }) => {
  command
    .option('--scenario <name>', 'which conversation to play', 'tour')
    .option('--json', 'only the recorded session, as `ls --json` shows it')
    .addHelpText('after', HELP)
    .action(async (options: { scenario: string; json?: boolean }) => {
      const session = await record(io, options.scenario, options.json ?? false);
      await withSession(storeHome(io.env), session, async (found) => {
        if (options.json) await io.json(summarise(found));
        else await showFindings(io, found);
      });
      exit(Exit.ok);
    });
};

/** Records one conversation and returns the name it can be found by. */
async function record(io: Io, scenario: string, quiet: boolean): Promise<string> {
  const samples = findSamples();
  const name = `demo-${Math.random().toString(36).slice(2, 8)}`;
  const script = `${samples}scripts/${scenario}.json`;
  const args = [
    `${samples}client.mjs`,
    ...(existsSync(script) ? ['--script', script] : ['--prompt', 'Hello']),
    ...['--delay', '0.12'],
    ...(quiet ? ['--quiet'] : []),
    '--',
    ...[process.execPath, PROGRAM, 'record', '--name', name, '--tag', 'demo=yes', '--'],
    ...[process.execPath, `${samples}agent.mjs`, '--wire', '--scenario', scenario],
  ];
  if (!quiet) await io.write(`recording: wiretape record -- node samples/agent.mjs --wire --scenario ${scenario}\n\n`);
  const client = spawn(process.execPath, args, { stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'] });
  const [code] = await once(client, 'exit');
  if (code !== 0 && !quiet) io.say(`wiretape: the sample client ended with ${code}`);
  return name;
}

function findSamples(): string {
  for (const up of ['../../samples/', '../../../samples/']) {
    const path = fileURLToPath(new URL(up, import.meta.url));
    if (existsSync(`${path}agent.mjs`)) return path;
  }
  throw new Failure('the samples are missing', 'install the whole package, or run from a clone');
}

async function showFindings(io: Io, session: OpenSession): Promise<void> {
  const { tape } = session;
  const theme = themeFor(io.color);
  const summary = summarise(session);
  const { exchanges, frames } = count(tape);
  const { verdict, digest } = verifyTape(tape);
  const both = (from: 'client' | 'agent') => `${frames[from]} from the ${from}`;
  const rows: [string, string][] = [
    ['session', `${visible(summary.session)} (${visible(summary.command.map(shortPath).join(' '))})`],
    ['frames', `${summary.frames}: ${both('client')}, ${both('agent')}, ${frames.stderr} on stderr`],
    ['traffic', `${humanBytes(summary.bytes)} in ${humanSeconds(summary.duration ?? 0)}`],
    ['exit', summary.exit?.signal ?? String(summary.exit?.code ?? 'none')],
    ['tape', `${tape} (${verdict}, ${digest?.slice(0, 12)}…)`],
  ];
  await io.write(`\n${theme.strong('What was recorded')}\n`);
  for (const [name, value] of rows) await io.write(`  ${theme.dim(name.padEnd(8))} ${value}\n`);
  await io.write(`\n${theme.strong('Who asked whom, and how long the answer took')}\n`);
  await io.write(exchangeTable(exchanges, io.columns, io.color));
  const short = summary.session.slice(16);
  // In a clone nothing is on the PATH yet.
  const program = resolveExecutable('wiretape') ? 'wiretape' : relative('', PROGRAM);
  const next: [string, string][] = [
    [`show ${short}`, 'the timeline: turns, tools, approvals'],
    [`stats ${short}`, 'the same in numbers'],
    [`show ${short}#f2`, 'one frame, whole'],
    [`show ${short} --raw --from agent`, 'the exact bytes the agent wrote'],
    [`verify ${short}`, 'nobody has changed the tape'],
    ['record -- AGENT', 'your own agent, in place of: AGENT'],
  ];
  await io.write(`\n${theme.strong('Next')}\n`);
  for (const [words, why] of next) await io.write(`  ${program} ${words.padEnd(29)} ${theme.dim(why)}\n`);
}

function shortPath(word: string): string {
  return word.replace(/^.*\/(samples\/|(?=node$))/, '$1');
}

interface Counted {
  frames: Record<string, number>;
  exchanges: (Exchange & { what: string })[];
}

function count(tape: string): Counted {
  const frames: Record<string, number> = { client: 0, agent: 0, stderr: 0, proc: 0 };
  const pairs = new Exchanges();
  const what = new Map<Exchange, string>();
  for (const entry of readTape(tape)) {
    if (entry.is !== 'frame') continue;
    const { frame } = entry;
    if (frame.form !== 'event') frames[frame.from]!++;
    const text = textOf(frame.raw);
    const exchange = pairs.take(frame, readMessage(text))?.exchange;
    if (exchange?.askedF === frame.f) what.set(exchange, whatIsAsked(exchange.method, text));
  }
  // What a `replay` sends again is not asked again.
  const all = [...what.keys()];
  const replays = all.filter(({ asker, method }) => asker === 'client' && method === 'replay');
  const replayed = ({ asker, askedF }: Exchange) =>
    asker === 'agent' && replays.some((r) => r.askedF < askedF && askedF < (r.answerF ?? Number.POSITIVE_INFINITY));
  const exchanges = all.filter((exchange) => !replayed(exchange));
  return { frames, exchanges: exchanges.map((exchange) => ({ ...exchange, what: what.get(exchange)! })) };
}

/** `request` alone says little: the sample's protocol names the kind in its params. */
function whatIsAsked(method: string, text: string | null): string {
  const type = JSON.parse(text ?? '{}').params?.type;
  return typeof type === 'string' ? `${method} ${type}` : method;
}

function exchangeTable(exchanges: Counted['exchanges'], columns: number, color: boolean): string {
  const theme = themeFor(color);
  const rows = exchanges.map((exchange) => [
    { text: `  f${exchange.askedF}`, paint: theme.dim },
    { text: exchange.asker, paint: theme.speaker[exchange.asker] },
    {
      text: exchange.answerT === null ? 'never answered' : humanSeconds(exchange.answerT - exchange.askedT),
      ...(exchange.answerT === null ? { paint: theme.bad } : {}),
    },
    { text: visible(exchange.what) },
  ]);
  return table(['  frame', 'asker', 'answer', 'what'], rows, columns, theme, [2]);
}
