import { rowJson } from '../audit/row-json.ts';
import { addRow, addSum, emptySum, grantsIn, type Sum, unknowns } from '../audit/sum.ts';
import { type CsvCell, csvLine } from '../core/csv.ts';
import { microsOf } from '../core/frame.ts';
import { toJson } from '../core/message.ts';
import { visible } from '../core/text.ts';
import { Exit, Failure } from '../failure.ts';
import { type Io, talkOn, writeAll } from '../io.ts';
import { Audits, type SessionAudit } from '../search/approvals.ts';
import type { Search } from '../search/search.ts';
import { Sound } from '../search/sound.ts';
import { type Target, targetsOf } from '../search/targets.ts';
import type { FrameSet } from '../store/frame-set.ts';
import { storeHome } from '../store/home.ts';
import {
  ApprovalTable,
  approvalsInFull,
  type Listed,
  type Summed,
  sessionSum,
  wholeSum,
} from '../terminal/approvals-view.ts';
import { themeFor } from '../terminal/theme.ts';
import type { Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape approvals                                    every session of the store, the newest last
  $ wiretape approvals last --full                        with the commands and changes that were asked about
  $ wiretape approvals -q 'approval:unasked tool:Shell'   commands that ran and nobody was asked about
  $ wiretape approvals -q 'by:grant'                      what a standing grant decided
  $ wiretape approvals -q 'wait:60s..*' --csv > slow.csv  for a spreadsheet
  $ wiretape approvals --json | jq 'select(.by == "nobody")'

decision: allow, allow-always (a standing grant), deny, cancelled; none: nobody decided; unasked: it writes or executes,
ran without a request, and no mode was on in which nobody has to be asked.
by: client; client-error and invalid: its answer was none; grant: an earlier allow-always; agent: it went on without an
answer, or by its own rules; nobody: it was never answered. What an answer of the client's comes from, a person or a
program, is not on the wire. Times are UTC; wait is the client's, run the tool's own.
A query selects rows by the frame that asked: wiretape help query lists all qualifiers.
Exit codes: 0 there are rows, 1 there are none, 2 the query or a session cannot be read.`;

interface Options {
  query?: string;
  all?: boolean;
  full?: boolean;
  summary?: boolean;
  json?: boolean;
  csv?: boolean;
}

export const define: Define = (command, { io, exit }) => {
  command
    .argument('[sessions...]', 'sessions or tapes (default: all of the store)')
    .option('-q, --query <query>', 'only what was asked in frames that match')
    .option('-a, --all', 'with questions, calls of the client, and hooks, which fail open')
    .option('--full', 'what was asked in full: commands, changes, answers, and what ran instead')
    .option('--summary', 'only what each session comes to')
    .option('--json', 'one object a row')
    .option('--csv', 'a table for spreadsheets')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: Options) => {
      const home = storeHome(io.env);
      refuseBoth(options);
      const query = await queryOf(options);
      const talk = talkOn(io, 'reading tapes');
      const { sessions, unreadable } = await targetsOf(home, words, talk);
      for (const { session, message } of unreadable) io.say(`wiretape: ${session}: ${visible(message)}`);
      const search = query && new query.Search(home, query.expr, sessions.length);
      const audits = new Audits(home);
      const sound = new Sound(home, talk);
      try {
        const found = await print(io, readAll(sound, audits, search, sessions, options), sessions.length, options);
        if (unreadable.length > 0) exit(Exit.failed);
        else if (found === 0) exit(Exit.no);
      } finally {
        audits.close();
        search?.close();
      }
    });
};

function refuseBoth({ json, csv, full, summary }: Options): void {
  if (json && csv) throw new Failure('--json and --csv are two different answers', 'say one of them');
  if (summary && (csv || full)) throw new Failure('--summary leaves out every row', 'leave it out, or the other one');
}

/** What reads queries is loaded only where there is one. */
async function queryOf({ query }: Options) {
  if (query === undefined) return null;
  const [{ readQuery }, { Search }] = await Promise.all([import('../search/query.ts'), import('../search/search.ts')]);
  return { expr: readQuery(query), Search };
}

interface Audited extends Summed {
  rows: Listed[];
}

/** Session by session; by a query, only those that have frames of it. */
async function* readAll(
  sound: Sound,
  audits: Audits,
  search: Search | null,
  targets: Target[],
  options: Options,
): AsyncGenerator<Audited> {
  for (const target of targets) {
    const one = await sound.ask(target, (asked) => {
      const matching = search?.numbers(asked) ?? null;
      return matching?.size === 0 ? null : audited(asked, audits.of(asked), matching, options);
    });
    if (one) yield one;
  }
}

/** `matching`: the frames that a query has. */
function audited(target: Target, audit: SessionAudit, matching: FrameSet | null, { all }: Options): Audited {
  const { session, started, cwd } = target.summary;
  const { rows, heard, bypass, unread } = audit;
  const startedAt = microsOf(started);
  const sum = emptySum();
  const shown: Listed[] = [];
  for (const row of rows) {
    if ((row.kind !== 'approval' && !all) || !(matching?.has(row.f) ?? true)) continue;
    addRow(sum, row);
    shown.push({ session, startedAt, cwd, row });
  }
  const numbers = new Set(shown.map(({ row }) => row.f));
  const grants = grantsIn(rows).filter(({ f, covered }) => numbers.has(f) || covered.some((one) => numbers.has(one)));
  return {
    ...{ session, rows: shown, sum, grants },
    bypass: matching ? [] : bypass,
    unknowns: unknowns({ ...target.summary, heard, bypass, unread }, rows),
  };
}

/** How many rows there were. */
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

/** For programs. What cannot be known is said aside. */
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

function json({ session, startedAt, row }: Listed): string {
  const value = rowJson(session, startedAt, row);
  const text = toJson(value);
  // Nested deeper than can be written.
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
    'feedback',
    'wait',
    'run',
    'answer_f',
    'resolved_f',
    'grant_f',
  ],
  ...['executed', 'result', 'result_f', 'flags'],
];

function csv({ session, startedAt, row }: Listed): string {
  const value = rowJson(session, startedAt, row);
  return csvLine(CSV.map((key) => (key === 'flags' ? row.flags.join(' ') : cell(value[key]))));
}

function cell(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' || typeof value === 'number' ? value : toJson(value);
}

/** What the sessions come to. */
class Sums {
  readonly whole: Sum = emptySum();
  rows = 0;
  silent = 0;
  /** Those that have anything to say. */
  readonly told: Summed[] = [];

  add({ rows, ...one }: Audited, hasQuery: boolean): void {
    this.rows += rows.length;
    addSum(this.whole, one.sum);
    if (rows.length + one.bypass.length + one.unknowns.length === 0) this.silent++;
    else if (rows.length > 0 || !hasQuery) this.told.push(one);
  }
}

async function printText(io: Io, sessions: AsyncIterable<Audited>, count: number, options: Options): Promise<number> {
  const theme = themeFor(io.color);
  const hasQuery = options.query !== undefined;
  const several = count > 1;
  const sums = new Sums();
  const table = new ApprovalTable(io.columns, theme);
  io.page();
  for await (const one of sessions) {
    sums.add(one, hasQuery);
    if (options.full) await writeAll(io, approvalsInFull(one.rows, several, io.columns, theme));
    else if (!options.summary) for (const row of one.rows) table.add(row);
  }
  if (sums.rows === 0) sayNothing(io, count, hasQuery);
  else if (!options.summary) {
    if (!options.full) await writeAll(io, table.print(several));
    await io.write('\n');
  }
  for (const one of sums.told) await writeAll(io, sessionSum(one, io.columns, theme));
  // Of what a query leaves out nobody asked.
  const [all, quiet] = hasQuery ? [sums.told.length, 0] : [count, sums.silent];
  if (several && all > 0) await writeAll(io, wholeSum(sums.whole, all, quiet, io.columns, theme));
  return sums.rows;
}

function sayNothing(io: Io, count: number, hasQuery: boolean): void {
  io.say(`wiretape: ${count === 0 ? 'there are no sessions' : hasQuery ? 'nothing matches' : 'nothing was asked'}`);
}
