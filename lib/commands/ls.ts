import { humanBytes, humanSeconds, visible } from '../core/text.ts';
import { Failure } from '../failure.ts';
import { type Io, talkOn, writeAll } from '../io.ts';
import { type Listed, listRows } from '../record/catch-up.ts';
import { storeHome } from '../store/home.ts';
import { summaryOf } from '../store/rows.ts';
import type { Summary } from '../store/summary.ts';
import { list } from '../terminal/list.ts';
import type { Cell } from '../terminal/table.ts';
import { type Theme, themeFor } from '../terminal/theme.ts';
import type { Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape ls
  $ wiretape ls -n 5
  $ wiretape ls --all
  $ wiretape ls --json | jq 'select(.state == "killed") | .session'

A session is named by its id, any unique prefix of it, the part after the dash, its --name, last, last~1,
or a path to a tape.`;

/** What a line of the list is made of. */
const SHOWN = ['session', 'duration', 'frames', 'bytes', 'state', 'exit', 'name', 'command'] as const;

interface Options {
  json?: boolean;
  limit?: number;
  all?: boolean;
}

export const define: Define = (command, { io }) => {
  command
    .option('--json', 'one object a line')
    .option('-n, --limit <count>', 'only the newest', wholeNumber)
    .option('-a, --all', 'with the probe sessions of editors, which only shake hands')
    .addHelpText('after', HELP)
    .action(async (options: Options) => {
      const home = storeHome(io.env);
      const { sessions, unreadable } = listRows(home, talkOn(io, 'reading tapes'), options.json ? undefined : SHOWN);
      for (const { session, message } of unreadable) io.say(`wiretape: ${session}: ${visible(message)}`);
      const shown = sessions.filter(({ probe }) => options.all || !probe);
      const newest = shown.slice(options.limit ? -options.limit : 0);
      if (options.json) await printJson(io, newest);
      else if (newest.length > 0) await printList(io, newest);
      else if (sessions.length + unreadable.length === 0) sayEmpty(io, home);
      const probes = sessions.length - shown.length;
      if (probes > 0) io.say(`wiretape: ${probes} probe session${probes === 1 ? '' : 's'} not shown; --all shows all`);
    });
};

async function printJson(io: Io, sessions: Listed[]): Promise<void> {
  await writeAll(
    io,
    sessions.map(({ summary }) => `${summary}\n`),
  );
}

async function printList(io: Io, sessions: Listed[]): Promise<void> {
  const theme = themeFor(io.color);
  const head = ['session', 'took', 'frames', 'bytes', 'state', 'name', 'command'];
  const rows = sessions.map((listed) => row(summaryOf(listed) as Shown, theme));
  io.page();
  await writeAll(io, list(head, rows, io.columns, theme, [1, 2, 3]));
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

function row(summary: Shown, theme: Theme): Cell[] {
  const { state, exit } = summary;
  const how = exit?.signal ?? (exit?.code ? `exit ${exit.code}` : null);
  const paint = state === 'ended' ? (how ? theme.warn : theme.dim) : state === 'running' ? theme.good : theme.bad;
  return [
    { text: visible(summary.session) },
    { text: summary.duration === null ? '' : humanSeconds(summary.duration) },
    { text: String(summary.frames) },
    { text: humanBytes(summary.bytes) },
    { text: how && state === 'ended' ? visible(how) : state, paint },
    { text: visible(summary.name ?? '') },
    { text: visible(summary.command.join(' ')) },
  ];
}
