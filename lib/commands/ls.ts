import { humanSeconds, visible } from '../core/text.ts';
import { Exit, Failure } from '../failure.ts';
import type { Expr } from '../filter/ast.ts';
import { type Io, talkOn, writeAll } from '../io.ts';
import { plainWords } from '../plain-words.ts';
import type { Talk } from '../record/catch-up.ts';
import { listQuickly } from '../record/listing.ts';
import { storeHome } from '../store/home.ts';
import { type Listed, summaryOf } from '../store/rows.ts';
import type { Summary } from '../store/summary.ts';
import { type Line, list } from '../terminal/list.ts';
import { themeOf } from '../terminal/plain.ts';
import type { Theme } from '../terminal/theme.ts';
import type { Context, Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape ls
  $ wiretape ls -n 5
  $ wiretape ls --all
  $ wiretape ls 'client:zed* is:error'        sessions with an error, of one client
  $ wiretape ls 'kind:approval by:nobody NOT tool:Shell'
  $ wiretape ls --json | jq 'select(.state == "killed") | .session'

A session is named by its id, any unique prefix of it, the part after the dash, its --name, last, last~1,
or a path to a tape.

In a query the terms that speak of frames must hold on one and the same frame; a negated one means that the session
has no such frame. wiretape help query lists all qualifiers. Exit code 1: no session matches.`;

/** What a line of the list is made of. */
const SHOWN = [
  ...(['session', 'duration', 'dialect', 'protocol', 'client', 'agent', 'agent_version'] as const),
  ...(['turns', 'tools', 'approvals', 'errors', 'frames', 'state', 'exit', 'name', 'command'] as const),
] as const;

const HEAD = [
  ...['session', 'took', 'frames', 'dialect', 'client', 'agent'],
  ...['turns', 'tools', 'approvals', 'errors', 'state', 'name', 'command'],
];
/** On a narrow screen who the agent is says more than the start of its command. */
const NARROW_HEAD = [
  ...['session', 'took', 'frames', 'dialect', 'client'],
  ...['turns', 'tools', 'approvals', 'errors', 'state', 'name', 'agent'],
];
const NARROW = 140;
const NUMBERS = ['took', 'frames', 'turns', 'tools', 'approvals', 'errors'];
/** Where a line is narrow, these go, the first of them first. */
const SPARE = ['client', 'frames', 'took', 'approvals', 'agent', 'errors', 'name', 'dialect', 'tools', 'turns'];
const placesIn = (head: string[], names: string[]) =>
  names.map((name) => head.indexOf(name)).filter((at) => at >= 0 && at < head.length - 1);
/** Room for an agent's name and version. */
const AGENT_WIDTH = 19;
/** Below this, the version of the protocol is not worth its room. */
const TERSE = 100;

interface Options {
  json?: boolean;
  limit?: number;
  all?: boolean;
}

export const define: Define = (command, context) => {
  command
    .argument('[query...]', 'only sessions that match: wiretape help query')
    .option('--json', 'one object a line')
    .option('-n, --limit <count>', 'only the newest', wholeNumber)
    .option('-a, --all', 'with the probe sessions of editors, which only shake hands')
    .addHelpText('after', HELP)
    .action((words: string[], options: Options) => run(words, options, context));
};

const FLAGS = { '--json': 'json', '--all': 'all', '-a': 'all' } as const;
const COUNTS = { '--limit': 'limit', '-n': 'limit' } as const;

/** A plain `ls` starts without the argument parser, which would take as long as the list. */
export function startQuickly(argv: readonly string[], context: Context): Promise<void> | null {
  const plain = plainWords<Options>(argv, FLAGS, COUNTS);
  return plain && run(plain.words, plain.options, context);
}

async function run(words: string[], options: Options, { io, exit }: Context): Promise<void> {
  const home = storeHome(io.env);
  const query = await queryOf(words);
  const wanted = options.json || query ? undefined : SHOWN;
  const talk = talkOn(io, 'reading tapes');
  const { sessions, unreadable } = await listQuickly(home, talk, wanted);
  for (const { session, message } of unreadable) io.say(`wiretape: ${session}: ${visible(message)}`);
  const matching = query ? await matchingOf(home, sessions, query, talk) : sessions;
  const shown = matching.filter(({ probe }) => options.all || !probe);
  const newest = shown.slice(options.limit ? -options.limit : 0);
  const isEmpty = sessions.length + unreadable.length === 0;
  if (options.json) await printJson(io, newest);
  else if (newest.length > 0) await printList(io, newest);
  else if (isEmpty) sayEmpty(io, home);
  sayProbes(io, matching.length - shown.length);
  if (query && newest.length === 0) exit(noneFound(io, isEmpty));
}

/** What reads queries is loaded only where there is one. */
async function queryOf(words: string[]): Promise<Expr | null> {
  if (words.length === 0) return null;
  const { readQuery } = await import('../search/query.ts');
  return readQuery(words.join(' '));
}

async function matchingOf(home: string, sessions: Listed[], query: Expr, talk: Talk): Promise<Listed[]> {
  const [{ fitting }, { targetOf }, { loadFor }] = await Promise.all([
    import('../search/choose.ts'),
    import('../search/targets.ts'),
    import('../search/by-tape.ts'),
  ]);
  const targets = sessions.map(targetOf);
  await loadFor(targets);
  return (await fitting(home, targets, query, talk)).map(({ listed }) => listed);
}

async function printJson(io: Io, sessions: Listed[]): Promise<void> {
  await writeAll(
    io,
    sessions.map(({ summary }) => `${summary}\n`),
  );
}

async function printList(io: Io, sessions: Listed[]): Promise<void> {
  const theme = await themeOf(io);
  const narrow = io.columns < NARROW;
  const head = narrow ? NARROW_HEAD : HEAD;
  const rows = sessions.map((listed) => {
    const summary = summaryOf(listed) as Shown;
    if (!narrow) return row(summary, theme, Number.isFinite(io.columns));
    const cells = row(io.columns < TERSE ? { ...summary, protocol: null } : summary, theme, true);
    const [agent = ''] = cells.splice(HEAD.indexOf('agent'), 1);
    const command = cells.pop()!;
    return [...cells, agent === '' ? command : { text: agent as string, tail: visible(summary.agent_version ?? '') }];
  });
  io.page();
  const [right, spare] = [placesIn(head, NUMBERS), placesIn(head, SPARE)];
  await writeAll(io, list(head, rows, io.columns, theme, right, spare, narrow ? AGENT_WIDTH : undefined));
}

function noneFound(io: Io, isEmpty: boolean): number {
  if (!isEmpty) io.say('wiretape: no session matches');
  return Exit.no;
}

function sayProbes(io: Io, probes: number): void {
  if (probes > 0) io.say(`wiretape: ${probes} probe session${probes === 1 ? '' : 's'} not shown; --all shows all`);
}

function sayEmpty(io: Io, home: string): void {
  io.say(`wiretape: no sessions in ${visible(home)}`);
  io.say('hint: record one with: wiretape record -- AGENT, or try: wiretape demo');
}

function wholeNumber(word: string): number {
  if (!/^[1-9]\d*$/.test(word)) throw new Failure(`--limit ${JSON.stringify(word)} is no number of sessions`);
  return Number(word);
}

type Shown = Pick<Summary, (typeof SHOWN)[number]>;

/** `short`: the program's folder is not worth its room. */
function row(summary: Shown, theme: Theme, short: boolean): Line {
  const command = summary.command.join(' ');
  const { state, exit } = summary;
  const how = exit?.signal ?? (exit?.code ? `exit ${exit.code}` : null);
  const paint = state === 'ended' ? (how ? theme.warn : theme.dim) : state === 'running' ? theme.good : theme.bad;
  return [
    summary.session,
    summary.duration === null ? '' : humanSeconds(summary.duration),
    String(summary.frames),
    words(summary.dialect, summary.protocol),
    words(summary.client, null),
    words(summary.agent, summary.agent_version),
    count(summary.turns),
    count(summary.tools),
    count(summary.approvals),
    summary.errors ? { text: String(summary.errors), paint: theme.bad } : '',
    { text: how && state === 'ended' ? visible(how) : state, paint },
    words(summary.name, null),
    visible(short ? command.replace(/^\/\S*\/(?=\S)/, '') : command),
  ];
}

/** What is known of them. */
function words(what: string | null, more: string | null): string {
  if (!what) return more ? visible(more) : '';
  return visible(more ? `${what} ${more}` : what);
}

function count(n: number | null): string {
  return n === null ? '' : String(n);
}
