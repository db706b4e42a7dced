import { rowJson } from '../audit/row-json.ts';
import { addSum, emptySum, grantsIn, type Sum, sumOf, unknowns } from '../audit/sum.ts';
import { type CsvCell, csvLine } from '../core/csv.ts';
import { microsOf } from '../core/frame.ts';
import { toJson } from '../core/message.ts';
import { visible } from '../core/text.ts';
import { Exit } from '../failure.ts';
import type { FrameSet } from '../index/frame-set.ts';
import { type Io, talkOn, writeAll } from '../io.ts';
import { cannotCombine } from '../options.ts';
import { Audits, type SessionAudit } from '../search/approvals.ts';
import type { Search } from '../search/search.ts';
import { Sound } from '../search/sound.ts';
import { type Target, targetsOf } from '../search/targets.ts';
import { storeHome } from '../store/home.ts';
import { collectSooner } from '../tape/heap.ts';
import {
  ApprovalTable,
  approvalsInFull,
  type Listed,
  type Summed,
  sessionSum,
  wholeSum,
} from '../terminal/approvals-view.ts';
import { LeftOut } from '../terminal/left-out.ts';
import { themeFor } from '../terminal/theme.ts';
import type { Define, Flags } from './index.ts';

const HELP = `
Examples:
  $ wiretape approvals                        all sessions, oldest first
  $ wiretape approvals last --full            with commands and changes
  $ wiretape approvals -q 'approval:unasked'  calls that ran without asking
  $ wiretape approvals -q 'by:mode'           calls that a mode allowed
  $ wiretape approvals -q 'by:grant'          calls under a standing grant
  $ wiretape approvals -q 'wait:60s..*' --csv > slow.csv
  $ wiretape approvals --json | jq 'select(.by == "nobody")'

decision: allow, allow-always (a standing grant), deny, cancelled, none (never
decided), unasked (a tool that writes or executes ran without a request), or
unknown (the client's side is not on the tape). Questions are answered or
dismissed.
by says who decided: the client, a client-error, an invalid answer, a standing
grant, a mode (yolo, acceptEdits, ...), a hook, the agent, or nobody. The
protocol does not say whether a person or a program gave the client's answer.
Times are in UTC. wait is how long the client took to answer, run how long the
tool ran.
A query selects rows by the frame of the request. See wiretape help query for
all qualifiers.
Exit codes: 0 rows found, 1 no rows, 2 invalid query or unreadable session.`;

interface Options extends Flags<'all' | 'full' | 'summary' | 'json' | 'csv'> {
  query?: string;
}

export const define: Define = (command, { io, exit }) => {
  command
    .argument('[sessions...]', 'sessions or tapes (default: the whole store)')
    .option('-q, --query <query>', 'only requests that match this query')
    .option('--all', 'include questions, client calls and hooks')
    .option('--full', 'show commands, changes, answers, and what ran instead')
    .option('--summary', 'only totals for each session')
    .option('--json', 'print one JSON object per row')
    .option('--csv', 'print CSV')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: Options) => {
      const home = storeHome(io.env);
      refuseBoth(options);
      const query = await queryOf(options);
      const talk = talkOn(io, 'reading tapes');
      collectSooner(words);
      const { sessions, unreadable } = await targetsOf(home, words, talk);
      for (const { session, message } of unreadable) io.say(`wiretape: ${session}: ${visible(message)}`);
      const search = query && new query.Search(home, query.expr, sessions.length);
      const audits = new Audits(home);
      const sound = new Sound(home, talk);
      const leftOut = new LeftOut();
      try {
        const all = readAll({ sound, audits, search, leftOut }, sessions, options);
        const found = await print(io, all, sessions.length, options);
        if (leftOut.words) io.say(`wiretape: ${leftOut.words}\nhint: wiretape approvals -q by:mode lists them`);
        if (unreadable.length > 0) exit(Exit.failed);
        else if (found === 0) exit(Exit.no);
      } finally {
        audits.close();
        search?.close();
      }
    });
};

function refuseBoth({ json, csv, full, summary }: Options): void {
  if (json && csv) throw cannotCombine('--json', '--csv');
  if (summary && (csv || full)) throw cannotCombine('--summary', csv ? '--csv' : '--full');
}

/** Loads the query reader only if there is a query. */
async function queryOf({ query }: Options) {
  if (query === undefined) return null;
  const [{ readQuery }, { Search }] = await Promise.all([import('../search/query.ts'), import('../search/search.ts')]);
  return { expr: readQuery(query), Search };
}

interface Audited extends Summed {
  rows: Listed[];
}

interface Readers {
  sound: Sound;
  audits: Audits;
  search: Search | null;
  leftOut: LeftOut;
}

/** One session at a time; with a query, only sessions with matching frames. */
async function* readAll(readers: Readers, targets: Target[], options: Options): AsyncGenerator<Audited> {
  const { sound, audits, search, leftOut } = readers;
  for (const target of targets) {
    const [one, byMode] = await sound.ask(target, (asked): [Audited | null, Record<string, number>] => {
      const matching = search?.numbers(asked) ?? null;
      const found = matching?.size === 0 ? null : audited(asked, audits.of(asked), matching, options);
      const isLeftOut = search?.concerns(asked) && !found?.rows.length;
      return [found, isLeftOut ? audits.byMode(asked) : {}];
    });
    leftOut.add(byMode);
    if (one) yield one;
  }
}

/** `matching`: the frames that match the query. */
function audited(target: Target, audit: SessionAudit, matching: FrameSet | null, { all }: Options): Audited {
  const { session, started, cwd } = target.summary;
  const { rows, heard, bypass, unread } = audit;
  const startedAt = microsOf(started);
  const caveats = unknowns({ ...target.summary, heard, bypass, unread }, rows);
  const shown = rows
    .filter((row) => (row.kind === 'approval' || all) && (matching?.has(row.f) ?? true))
    .map((row): Listed => ({ session, startedAt, cwd, caveats, row }));
  const numbers = new Set(shown.map(({ row }) => row.f));
  const grants = grantsIn(rows).filter(({ f, covered }) => numbers.has(f) || covered.some((one) => numbers.has(one)));
  return {
    ...{ session, rows: shown, sum: sumOf(shown.map(({ row }) => row)), grants },
    bypass: matching ? [] : bypass,
    unknowns: caveats,
  };
}

/** Returns the number of rows. */
function print(io: Io, sessions: AsyncIterable<Audited>, count: number, options: Options): Promise<number> {
  if (options.summary && options.json) return printSums(io, sessions);
  if (options.json) return printRows(io, sessions, '', json);
  if (options.csv) return printRows(io, sessions, csvLine(CSV), csv);
  return printText(io, sessions, count, options);
}

async function printSums(io: Io, sessions: AsyncIterable<Audited>): Promise<number> {
  let found = 0;
  for await (const { rows, ...summed } of sessions) {
    found += rows.length;
    if (!(await io.json(summed))) break;
  }
  return found;
}

/** Output for programs. What the tapes cannot show is reported on stderr. */
async function printRows(io: Io, sessions: AsyncIterable<Audited>, head: string, line: (row: Listed) => string) {
  const notes = new Map<string, number>();
  let found = 0;
  let gathered = head;
  for await (const { rows, unknowns } of sessions) {
    for (const note of unknowns) notes.set(note, (notes.get(note) ?? 0) + 1);
    found += rows.length;
    for (const row of rows) gathered += line(row);
    if (gathered.length < 1 << 15) continue;
    if (!(await io.write(gathered))) return found;
    gathered = '';
  }
  await io.write(gathered);
  for (const [note, n] of notes) io.say(`wiretape: in ${n === 1 ? 'one session' : `${n} sessions`}: ${visible(note)}`);
  return found;
}

function json({ session, startedAt, caveats, row }: Listed): string {
  const value = { ...rowJson(session, startedAt, row), caveats };
  const text = toJson(value);
  // Nested too deeply for JSON.stringify.
  if (text === '…') return `${toJson({ ...value, arguments: null, executed_arguments: null, displays: [] })}\n`;
  return `${text}\n`;
}

const CSV = [
  ...['session', 'f', 'at', 'turn', 'subagent', 'kind', 'request_id', 'tool', 'tool_call_id', 'action', 'description'],
  ...[
    'arguments',
    'executed_arguments',
    'decision',
    'by',
    'mode',
    'deny_f',
    'feedback',
    'wait',
    'run',
    'answer_f',
    'resolved_f',
  ],
  ...['grant_f', 'executed', 'result', 'result_f', 'flags', 'caveats'],
];

function csv({ session, startedAt, caveats, row }: Listed): string {
  const words = { flags: row.flags.join(' '), caveats: caveats.join('; ') };
  const value: Record<string, unknown> = { ...rowJson(session, startedAt, row), ...words };
  return csvLine(CSV.map((key) => cell(value[key])));
}

function cell(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' || typeof value === 'number' ? value : toJson(value);
}

class Totals {
  readonly whole: Sum = emptySum();
  rows = 0;
  /** Sessions with nothing to report. */
  silent = 0;
  readonly reported: Summed[] = [];

  add({ rows, ...one }: Audited, hasQuery: boolean): void {
    this.rows += rows.length;
    addSum(this.whole, one.sum);
    if (rows.length + one.bypass.length + one.unknowns.length === 0) this.silent++;
    else if (rows.length > 0 || !hasQuery) this.reported.push(one);
  }
}

async function printText(io: Io, sessions: AsyncIterable<Audited>, count: number, options: Options): Promise<number> {
  const theme = themeFor(io.color);
  const hasQuery = options.query !== undefined;
  const several = count > 1;
  const totals = new Totals();
  const table = new ApprovalTable(io.columns, theme);
  io.page();
  for await (const one of sessions) {
    totals.add(one, hasQuery);
    if (options.full) await writeAll(io, approvalsInFull(one.rows, several, io.columns, theme));
    else if (!options.summary) for (const row of one.rows) table.add(row);
  }
  if (totals.rows === 0) sayNothing(io, count, hasQuery);
  await writeAll(io, conclusion());
  return totals.rows;

  function* conclusion(): Generator<string> {
    if (totals.rows > 0 && !options.summary) {
      if (!options.full) yield* table.print(several);
      yield '\n';
    }
    for (const one of totals.reported) yield* sessionSum(one, io.columns, theme);
    // A query's total covers only the sessions that it selects.
    const [all, quiet] = hasQuery ? [totals.reported.length, 0] : [count, totals.silent];
    if (several && all > 0) yield* wholeSum(totals.whole, all, quiet, io.columns, theme);
  }
}

function sayNothing(io: Io, count: number, hasQuery: boolean): void {
  io.say(
    `wiretape: ${count === 0 ? 'there are no sessions' : hasQuery ? 'no matching requests' : 'no approvals were requested, and no call that writes or executes ran'}`,
  );
}
