import type { QueryExpr } from '../analysis/query/ast.ts';
import { Exit } from '../model/failure.ts';
import { failureOf } from '../model/session-state.ts';
import { maskedText } from '../model/text/mask.ts';
import { humanSeconds, visible, wholeSeconds } from '../model/text/text.ts';
import { type Io, progressReporter, writeAll } from '../output/terminal/io.ts';
import { type ListRow, list } from '../output/terminal/list.ts';
import { loadTheme } from '../output/terminal/load-theme.ts';
import type { Theme } from '../output/terminal/theme.ts';
import type { Summary } from '../session/summary.ts';
import { formatCount, type ReadShare } from '../session/understanding.ts';
import type { IndexMessages } from '../storage/index/catch-up.ts';
import { listQuickly } from '../storage/index/listing.ts';
import { type SessionListEntry, summaryOf } from '../storage/index/session-rows.ts';
import type { SessionWaiting } from '../storage/search/session-waiting.ts';
import { storeHome } from '../storage/store/home.ts';
import type { CommandContext, Define, Flags } from './index.ts';
import { SHOW_SECRETS, wholeNumber } from './shared/options.ts';
import { noteOtherTapes } from './shared/other-tapes.ts';

const HELP = `
Examples:
  $ wiretape ls
  $ wiretape ls -n 5
  $ wiretape ls --all
  $ wiretape ls 'client:zed* is:error'  sessions of one client that have errors
  $ wiretape ls 'kind:approval by:nobody NOT tool:Shell'
  $ wiretape ls --json | jq 'select(.state == "killed") | .session'

Commands accept a session by its id, a unique prefix of the id, the part after
the dash, its name, last, last~1, or a path to a tape.

For a running session that waits for its client, the list shows for how long.
In a query, all frame terms must match the same frame. A negated frame term
means that the session has no such frame. See wiretape help query for all
qualifiers.
Exit codes: 0 sessions found, 1 no match, 2 invalid query.`;

/** The keys that a line of the list needs. */
const LIST_KEYS = [
  ...(['session', 'duration', 'dialect', 'protocol', 'client', 'agent', 'agent_version'] as const),
  ...(['turns', 'tools', 'approvals', 'errors', 'frames', 'state', 'exit', 'name', 'command', 'read'] as const),
] as const;

const HEAD = [
  ...['session', 'took', 'frames', 'dialect', 'client', 'agent'],
  ...['turns', 'tools', 'approvals', 'errors', 'state', 'name', 'command'],
];
/** On a narrow screen, the agent's name is more useful than the start of its command. */
const NARROW_HEAD = [
  ...['session', 'took', 'frames', 'dialect', 'client'],
  ...['turns', 'tools', 'approvals', 'errors', 'state', 'name', 'agent'],
];
const NARROW_WIDTH = 140;
const NUMBER_COLUMNS = ['took', 'frames', 'turns', 'tools', 'approvals', 'errors'];
/** Low-priority columns, dropped in this order when the line is too narrow. */
const DROPPABLE_COLUMNS = ['client', 'frames', 'approvals', 'agent', 'errors', 'tools', 'turns', 'dialect'];
/** These stay on any usual screen; a long name is shortened. */
const LAST_DROPPED_COLUMNS = ['took', 'name'];
const STANDARD_WIDTH = 80;
const placesIn = (head: string[], names: string[]) =>
  names.map((name) => head.indexOf(name)).filter((at) => at >= 0 && at < head.length - 1);
/** Enough for an agent's name and version. */
const AGENT_WIDTH = 19;
/** Below this width, the protocol version is left out. */
const PROTOCOL_VERSION_WIDTH = 100;

interface LsOptions extends Flags<'json' | 'all'> {
  limit?: number;
}

export const define: Define = (command, context) => {
  command
    .argument('[query...]', 'only sessions that match (see: wiretape help query)')
    .option('--json', 'print one JSON object per session')
    .option('-n, --limit <count>', 'only the newest', wholeNumber('--limit', 1))
    .option('-a, --all', 'all sessions, including probes, which have only a handshake')
    .option(...SHOW_SECRETS)
    .addHelpText('after', HELP)
    .action((words: string[], options: LsOptions) => run(words, options, context));
};

async function run(joinWords: string[], options: LsOptions, { io, exit }: CommandContext): Promise<void> {
  const home = storeHome(io.env);
  const query = await loadQuery(joinWords);
  const wanted = options.json || query ? undefined : LIST_KEYS;
  const progress = progressReporter(io, 'reading tapes');
  const { sessions, unreadable } = await listQuickly(home, progress, wanted);
  for (const { session, message } of unreadable) io.say(`wiretape: ${session}: ${visible(message)}`);
  const matching = query ? await findMatching(home, sessions, query, progress) : sessions;
  const shown = matching.filter(({ probe }) => options.all || !probe);
  const newest = shown.slice(options.limit ? -options.limit : 0);
  const isEmpty = sessions.length + unreadable.length === 0;
  const waits = newest.some(isRunning) ? await findWaits(home, newest.filter(isRunning)) : NO_WAITS;
  if (options.json) await printJson(io, newest, waits);
  else if (newest.length > 0) await printList(io, newest, waits);
  else if (isEmpty) noteEmptyStore(io, home);
  noteOtherTapes(
    io,
    home,
    newest.map(({ session }) => session),
  );
  noteHiddenProbes(io, matching.length - shown.length);
  if (!query || newest.length > 0) return;
  if (!isEmpty) io.say('wiretape: no session matches');
  exit(Exit.no);
}

/** Loads the query reader only if there is a query. */
async function loadQuery(joinWords: string[]): Promise<QueryExpr | null> {
  if (joinWords.length === 0) return null;
  const { readQuery } = await import('../storage/search/query.ts');
  return readQuery(joinWords.join(' '));
}

async function findMatching(
  home: string,
  sessions: SessionListEntry[],
  query: QueryExpr,
  progress: IndexMessages,
): Promise<SessionListEntry[]> {
  const [{ matchingSessions: fitting }, { targetOf }, { loadTapeReadersFor: loadFor }] = await Promise.all([
    import('../storage/search/choose-sessions.ts'),
    import('../storage/search/targets.ts'),
    import('../storage/search/tape-readers.ts'),
  ]);
  const targets = sessions.map(targetOf);
  await loadFor(targets);
  return (await fitting(home, targets, query, progress)).map(({ listed }) => listed);
}

type Waits = ReadonlyMap<string, SessionWaiting>;
const NO_WAITS: Waits = new Map();

/** Quicker than to parse every summary. */
function isRunning({ summary }: SessionListEntry): boolean {
  return summary.includes('"state":"running"');
}

/** Loads what reads a session only if one runs. */
async function findWaits(home: string, running: SessionListEntry[]): Promise<Waits> {
  const { waitingIn } = await import('../storage/search/session-waiting.ts');
  const found = new Map<string, SessionWaiting>();
  for (const { session } of running) {
    const waiting = waitingIn(home, session);
    if (waiting) found.set(session, waiting);
  }
  return found;
}

async function printJson(io: Io, sessions: SessionListEntry[], waits: Waits): Promise<void> {
  await writeAll(
    io,
    sessions.map((listed) => {
      const waiting = waits.get(listed.session);
      return waiting ? `${JSON.stringify({ ...summaryOf(listed), waiting })}\n` : `${listed.summary}\n`;
    }),
  );
}

async function printList(io: Io, sessions: SessionListEntry[], waits: Waits): Promise<void> {
  const theme = await loadTheme(io);
  const narrow = io.columns < NARROW_WIDTH;
  const head = narrow ? NARROW_HEAD : HEAD;
  const rows = sessions.map((listed) => {
    const summary = summaryOf(listed) as ListedSummary;
    const waiting = waits.get(listed.session) ?? null;
    const isShort = Number.isFinite(io.columns);
    if (!narrow) return sessionRow(summary, theme, isShort, waiting && `running, ${waitingWords(waiting)}`);
    const shortWait = waiting && waitingWords(waiting).replace(' for the client', '');
    const cells = sessionRow(
      io.columns < PROTOCOL_VERSION_WIDTH ? { ...summary, protocol: null } : summary,
      theme,
      true,
      shortWait,
    );
    const [agent = ''] = cells.splice(HEAD.indexOf('agent'), 1);
    const command = cells.pop()!;
    return [...cells, agent === '' ? command : { text: agent as string, tail: visible(summary.agent_version ?? '') }];
  });
  io.page();
  const spare = placesIn(
    head,
    io.columns < STANDARD_WIDTH ? [...DROPPABLE_COLUMNS, ...LAST_DROPPED_COLUMNS] : DROPPABLE_COLUMNS,
  );
  const right = placesIn(head, NUMBER_COLUMNS);
  await writeAll(io, list(head, rows, io.columns, theme, right, spare, narrow ? AGENT_WIDTH : undefined));
}

function noteHiddenProbes(io: Io, probes: number): void {
  if (probes > 0) io.say(`wiretape: ${probes} probe session${probes === 1 ? '' : 's'} hidden; show with --all`);
}

function noteEmptyStore(io: Io, home: string): void {
  io.say(`wiretape: no sessions in ${visible(home)}`);
  io.say('hint: record one: wiretape record -- AGENT, or try: wiretape demo');
}

type ListedSummary = Pick<Summary, (typeof LIST_KEYS)[number]>;

function waitingWords({ for: whom, seconds }: SessionWaiting): string {
  return `waiting ${wholeSeconds(seconds)} for the ${whom}`;
}

/**
 * `short`: without the folder of the program. `waiting`: the text for a session that waits for its client.
 */
function sessionRow(summary: ListedSummary, theme: Theme, short: boolean, waiting: string | null): ListRow {
  const command = maskedText(summary.command.join(' '));
  const { state } = summary;
  const how = failureOf(summary);
  const colour = state === 'ended' ? (how ? theme.warn : theme.dim) : state === 'running' ? theme.good : theme.bad;
  return [
    summary.session,
    summary.duration === null ? '' : humanSeconds(summary.duration),
    String(summary.frames),
    words(summary.dialect, summary.protocol),
    words(summary.client, null),
    words(summary.agent, summary.agent_version),
    countText(summary.turns, summary.read),
    countText(summary.tools, summary.read),
    countText(summary.approvals, summary.read),
    summary.errors ? { text: String(summary.errors), paint: theme.bad } : '',
    waiting ? { text: waiting, paint: theme.warn } : { text: how === null ? state : visible(how), paint: colour },
    words(summary.name, null),
    visible(short ? command.replace(/^\/\S*\/(?=\S)/, '') : command),
  ];
}

/** The words that are known. */
function words(what: string | null, more: string | null): string {
  if (!what) return more ? visible(more) : '';
  return visible(more ? `${what} ${more}` : what);
}

const countText = (n: number | null, read: ReadShare | null): string => (n === null ? '' : formatCount(n, read));
