import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Exchange } from '../core/exchange.ts';
import { clip, humanBytes, humanSeconds, visible } from '../core/text.ts';
import { Exit, Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { resolveExecutable } from '../proxy/executable.ts';
import { Pass } from '../session/pass.ts';
import type { ReadFrame } from '../session/read.ts';
import { summarise, toSummary } from '../session/summary.ts';
import { Tally } from '../session/tally.ts';
import { storeHome } from '../store/home.ts';
import { type OpenSession, withSession } from '../store/open.ts';
import { PROGRAM } from '../store/program.ts';
import { verifyTape } from '../tape/verify.ts';
import { table } from '../terminal/table.ts';
import { themeFor } from '../terminal/theme.ts';
import type { Define } from './index.ts';

const HELP = `
Records a sample client and a sample agent that speaks Kimi Wire, then shows
what was recorded. It needs no agent, no model and no network.
  $ wiretape demo
  $ wiretape demo --scenario everything
  $ wiretape demo --scenario hang     a client that never answers`;

export const define: Define = (command, { io, exit }) => {
  command
    .option('--scenario <name>', 'the conversation to play', 'tour')
    .option('--json', 'print only the recorded session, as in ls --json')
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

/** Records one conversation and returns the session's name. */
async function record(io: Io, scenario: string, quiet: boolean): Promise<string> {
  const samples = findSamples();
  const name = `demo-${Math.random().toString(36).slice(2, 8)}`;
  const known = scenariosIn(samples);
  if (!known.includes(scenario))
    throw new Failure(`no scenario ${JSON.stringify(scenario)}`, `use one of: ${known.join(', ')}`);
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
  const client = spawn(process.execPath, args, { stdio: ['ignore', quiet ? 'ignore' : 'pipe', 'inherit'] });
  const exit = once(client, 'exit');
  if (client.stdout) await showTalk(io, client.stdout);
  const [code] = await exit;
  if (code !== 0 && !quiet) io.say(`wiretape: the sample client exited with ${code}`);
  return name;
}

function scenariosIn(samples: string): string[] {
  const files = readdirSync(`${samples}scenarios`).filter((file) => file.endsWith('.json'));
  return files.map((file) => file.slice(0, -'.json'.length)).sort();
}

/** What people have to do with; the rest of the conversation is in the tape. */
const WORTH_SHOWING = /^(?:client {2}(?:prompts|answers|cancel)|agent {3}asks)/;
const MOST_LINES = 16;

async function showTalk(io: Io, talk: Readable): Promise<void> {
  let shown = 0;
  let more = 0;
  for await (const line of createInterface({ input: talk })) {
    if (shown >= MOST_LINES || !WORTH_SHOWING.test(line)) {
      if (line !== '') more++;
      continue;
    }
    shown++;
    await io.write(`${clip(visible(line), io.columns)}\n`);
  }
  await io.write(`… and ${more} more lines, all of them recorded\n`);
}

function findSamples(): string {
  for (const up of ['../../samples/', '../../../samples/']) {
    const path = fileURLToPath(new URL(up, import.meta.url));
    if (existsSync(`${path}agent.mjs`)) return path;
  }
  throw new Failure('the samples are missing', 'reinstall wiretape, or run it from a clone');
}

async function showFindings(io: Io, session: OpenSession): Promise<void> {
  const { tape } = session;
  const theme = themeFor(io.color);
  const tally = new Tally();
  const counts = new DemoCounts();
  const summary = toSummary(session, tally, new Pass(session).run(tally, counts));
  const { exchanges, frames } = counts;
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
  const slowest = exchanges.toSorted((a, b) => waitOf(b) - waitOf(a)).slice(0, MOST_REQUESTS);
  const few = slowest.length < exchanges.length ? ` (the slowest of ${exchanges.length})` : '';
  await io.write(`\n${theme.strong('Requests, and how long each answer took')}${few}\n`);
  await io.write(exchangeTable(slowest, io.columns, io.color));
  await io.write(`\n${theme.strong('Next')}\n`);
  const program = programName();
  for (const [words, why] of nextOf(
    summary.session.slice(16),
    exchanges.some(({ asker, answerT }) => asker === 'client' && answerT === null),
  ))
    await io.write(`  ${theme.dim(why)}\n    ${program} ${words}\n`);
}

const MOST_REQUESTS = 6;

/** One that was never answered waited longest. */
function waitOf({ askedT, answerT }: Exchange): number {
  return (answerT ?? Number.MAX_VALUE) - askedT;
}

/** Commands that can be pasted as they stand. */
function nextOf(session: string, isHung: boolean): [words: string, why: string][] {
  return [
    ...(isHung ? [[`why ${session}`, 'who owes whom an answer'] satisfies [string, string]] : []),
    [`show ${session}`, 'the timeline: turns, tools, approvals'],
    [`approvals ${session}`, 'what was asked, decided and run'],
    [`stats ${session}`, 'times, waits, tools and tokens'],
    [`show ${session}#f2`, 'one frame with its content'],
    ['help record', 'how to record your own agent'],
  ];
}

/** A clone may not be on the PATH, and its path may have blanks. */
function programName(): string {
  if (resolveExecutable('wiretape')) return 'wiretape';
  const path = relative('', PROGRAM);
  return `node ${/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`}`;
}

function shortPath(word: string): string {
  return word.replace(/^.*\/(samples\/|(?=node$))/, '$1');
}

type Asked = Exchange & { what: string };

/** The requests, and the number of lines of each stream. */
class DemoCounts {
  readonly frames: Record<string, number> = { client: 0, agent: 0, stderr: 0, proc: 0 };
  readonly #what = new Map<Exchange, string>();

  take({ frame, message, pairing, events }: ReadFrame): void {
    if (frame.form !== 'event') this.frames[frame.from]!++;
    // Frames that a `replay` sends again are not new requests.
    const isReplayed = events.some(({ flags }) => flags?.includes('replayed'));
    if (pairing?.role !== 'asks' || isReplayed) return;
    // Kimi Wire sends the type of a request in its params.
    const { method } = pairing.exchange!;
    this.#what.set(pairing.exchange!, message.type === null ? method : `${method} ${message.type}`);
  }

  get exchanges(): Asked[] {
    return [...this.#what].map(([exchange, what]) => ({ ...exchange, what }));
  }
}

function exchangeTable(exchanges: readonly Asked[], columns: number, color: boolean): string {
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
