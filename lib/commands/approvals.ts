import { GROUP_KEYS, type GroupKey } from '../analysis/audit/groups.ts';
import type { ListedSession } from '../analysis/audit/listed-approval.ts';
import { readWhen } from '../analysis/query/time.ts';
import { Exit, Failure } from '../model/failure.ts';
import { visible } from '../model/text/text.ts';
import { APPROVALS_HELP } from '../output/terminal/approvals-help.ts';
import { type ApprovalsReport, listing, type OutputLines } from '../output/terminal/approvals-listing.ts';
import { csvLines, groupLines, jsonLines, sumLines } from '../output/terminal/approvals-output.ts';
import { BufferedText, type Io, progressReporter } from '../output/terminal/io.ts';
import { LeftOut } from '../output/terminal/left-out.ts';
import { policyLines } from '../output/terminal/policy-view.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { IndexFallback } from '../storage/search/index-fallback.ts';
import { readAudits, withLinked } from '../storage/search/read-audits.ts';
import { SessionAudits } from '../storage/search/session-audits.ts';
import { type Target, targetsOf } from '../storage/search/targets.ts';
import { storeHome } from '../storage/store/home.ts';
import { collectGarbageSooner } from '../storage/tape/garbage-collection.ts';
import { readSmallFile } from '../storage/tape/small-file.ts';
import type { CommandContext, Define, Flags } from './index.ts';
import { cannotCombine, oneNamed, SHOW_SECRETS } from './shared/options.ts';
import { noteOtherTapes } from './shared/other-tapes.ts';

interface ApprovalsOptions extends Flags<'all' | 'full' | 'summary' | 'json' | 'csv' | 'chain' | 'showSecrets'> {
  query?: string;
  since?: number;
  by?: GroupKey[];
  policy?: string;
}

export const define: Define = (command, context) => {
  command
    .argument('[sessions...]', 'sessions or tapes (default: the whole store)')
    .option('-q, --query <query>', 'only requests that match this query')
    .option('--since <time>', 'only from this time on: 7d, 2h, today, 2026-11-16', parseSince)
    .option('--all', 'include questions, client calls and hooks')
    .option('--full', 'show commands, changes, answers, and what ran instead')
    .option('--summary', 'only totals for each session')
    .option('--by <keys>', `totals by ${GROUP_KEYS.join(', ')}, or several of them`, parseGroupKeys)
    .option('--chain', 'link sessions that continue one conversation')
    .option('--policy <file>', 'compare with what these rules would have decided')
    .option(...SHOW_SECRETS)
    .option('--json', 'print one JSON object per row')
    .option('--csv', 'print CSV')
    .addHelpText('after', APPROVALS_HELP)
    .action((words: string[], options: ApprovalsOptions) => run(words, options, context));
};

/** The sessions whose answers come from the index. */
function rowsOf(sessions: readonly Target[]): string[] {
  return sessions.flatMap(({ key, summary }) => (key === null ? [] : [summary.session]));
}

async function run(words: string[], options: ApprovalsOptions, { io, exit }: CommandContext): Promise<void> {
  const home = storeHome(io.env);
  refuseConflicts(options);
  const [query, judge] = await Promise.all([loadQuery(options), loadPolicy(options)]);
  const progress = progressReporter(io, 'reading tapes');
  collectGarbageSooner(words);
  const { sessions: named, unreadable } = await targetsOf(home, words, progress);
  for (const { session, message } of unreadable) io.say(`wiretape: ${session}: ${visible(message)}`);
  const isNarrowed = options.chain && words.length > 0;
  const sessions = isNarrowed ? withLinked(named, (await targetsOf(home, [], progress)).sessions) : named;
  const search = query && new query.Search(home, query.expr, sessions.length);
  const audits = new SessionAudits(home);
  const leftOut = new LeftOut();
  const readers = { fallback: new IndexFallback(home, progress), audits, search, onLeftOut: leftOut.add.bind(leftOut) };
  const { all = false, since = null, chain = false } = options;
  // A policy looks at commands as they are.
  const mask = !options.showSecrets && !options.json && !options.csv && !judge;
  try {
    const report: ApprovalsReport = { rows: 0, differ: 0, unread: 0, notes: new Map() };
    const audited = countUnread(readAudits(readers, sessions, { all, since, chain, mask }), report);
    noteOtherTapes(io, home, rowsOf(sessions));
    await write(io, renderOutput(io, audited, sessions.length, options, judge, report), options);
    reportNotes(io, report, sessions.length, options);
    // What was not understood cannot be judged.
    const isGood = judge ? report.differ + report.unread === 0 : report.rows > 0;
    if (leftOut.words) io.say(`wiretape: ${leftOut.words}\nhint: wiretape approvals -q by:mode lists them`);
    if (unreadable.length > 0) exit(Exit.failed);
    else if (!isGood) exit(Exit.no);
  } finally {
    audits.close();
    search?.close();
  }
}

/** Counts the sessions of which too little was understood. */
async function* countUnread(
  sessions: AsyncIterable<ListedSession>,
  report: ApprovalsReport,
): AsyncGenerator<ListedSession> {
  for await (const one of sessions) {
    if (one.read?.enough === false) report.unread++;
    yield one;
  }
}

/** Pairs of options that ask for different outputs. */
const EXCLUSIVE_OPTIONS: [keyof ApprovalsOptions, keyof ApprovalsOptions][] = [
  ...([
    ['json', 'csv'],
    ['summary', 'csv'],
    ['summary', 'full'],
    ['by', 'policy'],
    ['policy', 'csv'],
  ] as const),
  ...(['full', 'summary', 'chain'] as const).flatMap(
    (other) =>
      [
        ['by', other],
        ['policy', other],
      ] as const,
  ),
].map(([one, other]) => [one, other]);

function refuseConflicts(options: ApprovalsOptions): void {
  for (const [one, other] of EXCLUSIVE_OPTIONS)
    if (options[one] !== undefined && options[other] !== undefined) throw cannotCombine(`--${one}`, `--${other}`);
}

function parseSince(word: string): number {
  const span = readWhen(word, Date.now() * 1000);
  if (span) return span.from;
  throw new Failure(
    `invalid value ${JSON.stringify(word)} for --since`,
    'write 7d, 12h, today, yesterday, or a UTC date such as 2026-11-16',
  );
}

function parseGroupKeys(words: string): GroupKey[] {
  const known = GROUP_KEYS.map((name) => ({ name }));
  return [...new Set(words.split(',').map((word) => oneNamed('key of --by', word.trim(), known).name))];
}

/** Loads the query reader only if there is a query. */
async function loadQuery({ query }: ApprovalsOptions) {
  if (query === undefined) return null;
  const [{ readQuery }, { Search }] = await Promise.all([
    import('../storage/search/query.ts'),
    import('../storage/search/search.ts'),
  ]);
  return { expr: readQuery(query), Search };
}

/** Compares rows with a policy, if there is one. */
async function loadPolicy({ policy }: ApprovalsOptions) {
  if (policy === undefined) return null;
  const { dryRun, parsePolicy } = await import('../storage/search/policy-dry-run.ts');
  const rules = parsePolicy(readPolicyFile(policy), policy);
  return (audited: ListedSession) => dryRun(rules, audited.rows);
}

function readPolicyFile(file: string): string {
  try {
    return readSmallFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(`cannot read the policy ${file}: ${code ?? message}`);
  }
}

type LoadedPolicy = Awaited<ReturnType<typeof loadPolicy>>;

function renderOutput(
  io: Io,
  sessions: AsyncIterable<ListedSession>,
  count: number,
  { by, full, summary, json, csv, chain, query, since, showSecrets }: ApprovalsOptions,
  judge: LoadedPolicy,
  report: ApprovalsReport,
): AsyncIterable<OutputLines> {
  const screen = { columns: io.columns, theme: themeFor(io.color) };
  if (judge)
    return policyLines(sessions, judge, report, json ? null : { ...screen, several: count > 1, mask: !showSecrets });
  if (by) return groupLines(sessions, by, report, json ? 'json' : csv ? 'csv' : screen);
  if (json) return summary ? sumLines(sessions, report) : jsonLines(sessions, report);
  if (csv) return csvLines(sessions, report, chain ?? false);
  return listing(sessions, report, {
    ...screen,
    count,
    full,
    summary,
    hasQuery: query !== undefined || since !== undefined,
  });
}

async function write(io: Io, output: AsyncIterable<OutputLines>, { json, csv }: ApprovalsOptions): Promise<void> {
  if (!json && !csv) io.page();
  const page = new BufferedText(io);
  for await (const lines of output) {
    for (const line of typeof lines === 'string' ? [lines] : lines) if (page.add(line) && !(await page.write())) return;
  }
  await page.write();
}

/** What is not part of the output: that there is none, and what tapes cannot show, for programs. */
function reportNotes(
  io: Io,
  { rows, notes, unread }: ApprovalsReport,
  count: number,
  { json, csv, query, since, policy }: ApprovalsOptions,
): void {
  for (const [note, n] of notes) io.say(`wiretape: in ${n === 1 ? 'one session' : `${n} sessions`}: ${visible(note)}`);
  const unreadSessions = unread === 1 ? 'one session' : `${unread} sessions`;
  if (unread > 0 && policy !== undefined) return io.say(`wiretape: cannot judge what ran in ${unreadSessions}`);
  if (rows > 0 || ((json || csv) && policy === undefined)) return;
  if (unread > 0 && query === undefined)
    return io.say(`wiretape: cannot tell what was asked or run in ${unreadSessions}`);
  const isNarrowed = query !== undefined || since !== undefined;
  const nothing = isNarrowed
    ? 'no matching requests'
    : 'no approvals were requested, and no call is known to have written or executed anything';
  io.say(`wiretape: ${count === 0 ? 'there are no sessions' : nothing}`);
}
