import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Exchange } from '../model/exchange.ts';
import { Exit } from '../model/failure.ts';
import type { ReadFrame } from '../model/read-frame.ts';
import { shellWord } from '../model/text/shell.ts';
import { clip, humanBytes, humanSeconds, visible } from '../model/text/text.ts';
import { htmlPage } from '../output/export/html.ts';
import { writePieces } from '../output/export/write-pieces.ts';
import type { Io } from '../output/terminal/io.ts';
import { table } from '../output/terminal/table.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { resolveExecutable } from '../recording/proxy/executable.ts';
import { replayToSameClient } from '../replay/demo/replay-step.ts';
import { runSampleClient, type SampleClientRun, sampleAgent } from '../replay/demo/sample-client.ts';
import { Pass } from '../session/pass.ts';
import { summarise, toSummary } from '../session/summary.ts';
import { SessionTally } from '../session/tally.ts';
import { storeHome } from '../storage/store/home.ts';
import { type OpenSession, withSession } from '../storage/store/open.ts';
import { PROGRAM } from '../storage/system/installation.ts';
import { verifyTape } from '../storage/tape/verify.ts';
import type { Define } from './index.ts';

const HELP = `
Records a sample client and a sample agent that speaks Kimi Wire, and shows
what was recorded. Then the recording takes the place of the agent: the
client should get the same answers. It needs no agent, no model and no network.
At the end it writes a page that shows the session in a browser.
  $ wiretape demo
  $ wiretape demo --scenario everything
  $ wiretape demo --scenario hang        a client that never answers

Exit codes: 0 success, 1 the replay went differently, 2 error.`;

export const define: Define = (command, { io, exit }) => {
  command
    .option('--scenario <name>', 'the conversation to play', 'tour')
    .option('--json', 'print only the recorded session, as in ls --json')
    .addHelpText('after', HELP)
    .action(async (options: { scenario: string; json?: boolean }) => {
      const { scenario, json = false } = options;
      const name = `demo-${Math.random().toString(36).slice(2, 8)}`;
      const recorded = await record(io, name, scenario, json);
      await withSession(storeHome(io.env), name, async (session) => {
        if (json) return await io.json(summarise(session));
        const isHung = await showFindings(io, session);
        const { isSame, text } = await replayToSameClient(name, scenario, recorded);
        const { strong, bad } = themeFor(io.color);
        await io.write(`\n${strong('The same client, with the tape as its agent')}\n`);
        await io.write(`  ${isSame ? text : bad(text)}\n`);
        await io.write(`\n${strong('The session as a page, for a browser')}\n`);
        await io.write(`  ${await writePage(session)}\n`);
        await showNext(io, session.id.slice(16), scenario, isHung);
        if (!isSame) exit(Exit.no);
      });
    });
};

/** Writes the page of the session and returns its path. */
async function writePage(session: OpenSession): Promise<string> {
  const path = join(tmpdir(), `wiretape-demo-${session.id.slice(16)}.html`);
  await writePieces(path, true, htmlPage([session]));
  return path;
}

/** Records one conversation under this name. */
async function record(io: Io, name: string, scenario: string, quiet: boolean): Promise<SampleClientRun> {
  const sample = sampleAgent(scenario);
  const agent = [PROGRAM, 'record', '--name', name, '--tag', 'demo=yes', '--', process.execPath, ...sample];
  if (quiet) return await runSampleClient({ scenario, agent, stderr: 'inherit' });
  await io.write(`recording: wiretape record -- node samples/agent.mjs --wire --scenario ${scenario}\n\n`);
  let shown = 0;
  let more = 0;
  const onLine = async (line: string, isTalk: boolean) => {
    if (isTalk && shown++ < MAX_SHOWN_LINES) await io.write(`${clip(visible(line), io.columns)}\n`);
    else if (line !== '') more++;
  };
  const run = await runSampleClient({ scenario, agent, stderr: 'inherit', onLine });
  await io.write(`… and ${more} more lines, all of them recorded\n`);
  if (run.code !== 0) io.say(`wiretape: the sample client exited with ${run.code}`);
  return run;
}

const MAX_SHOWN_LINES = 16;

/** Whether the agent never answered the client. */
async function showFindings(io: Io, session: OpenSession): Promise<boolean> {
  const { tape } = session;
  const theme = themeFor(io.color);
  const tally = new SessionTally();
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
  const slowest = exchanges.toSorted((a, b) => waitOf(b) - waitOf(a)).slice(0, MAX_SHOWN_REQUESTS);
  const few = slowest.length < exchanges.length ? ` (the slowest of ${exchanges.length})` : '';
  await io.write(`\n${theme.strong('Requests, and how long each answer took')}${few}\n`);
  await io.write(exchangeTable(slowest, io.columns, io.color));
  return exchanges.some(({ asker, answerT }) => asker === 'client' && answerT === null);
}

const MAX_SHOWN_REQUESTS = 6;

/** A request that was never answered counts as the longest wait. */
function waitOf({ askedT, answerT }: Exchange): number {
  return (answerT ?? Number.MAX_VALUE) - askedT;
}

/** Commands that can be pasted as they stand. */
async function showNext(io: Io, session: string, scenario: string, isHung: boolean): Promise<void> {
  const theme = themeFor(io.color);
  const [script, ...options] = sampleAgent(scenario);
  const agent = ['node', fromHere(script!), ...options].join(' ');
  const next: [words: string, why: string][] = [
    ...(isHung ? [[`why ${session}`, 'who owes whom an answer'] satisfies [string, string]] : []),
    [`show ${session}`, 'the timeline: turns, tools, approvals'],
    [`approvals ${session}`, 'what was asked, decided and run'],
    [`stats ${session}`, 'times, waits, tools and tokens'],
    [`show ${session}#f2`, 'one frame with its content'],
    [`replay ${session} --instant -- ${agent}`, 'the tape as the client of a live agent, recorded again'],
    [`diff ${session} last`, 'what differs between the two recordings'],
    ['help record', 'how to record your own agent'],
  ];
  // A clone may not be on the PATH.
  const program = resolveExecutable('wiretape') ? 'wiretape' : `node ${fromHere(PROGRAM)}`;
  await io.write(`\n${theme.strong('Next')}\n`);
  for (const [words, why] of next) await io.write(`  ${theme.dim(why)}\n    ${program} ${words}\n`);
}

function fromHere(path: string): string {
  return shellWord(relative('', path));
}

function shortPath(word: string): string {
  return word.replace(/^.*\/(samples\/|(?=node$))/, '$1');
}

type DemoRequest = Exchange & { what: string };

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

  get exchanges(): DemoRequest[] {
    return [...this.#what].map(([exchange, what]) => ({ ...exchange, what }));
  }
}

function exchangeTable(exchanges: readonly DemoRequest[], columns: number, color: boolean): string {
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
