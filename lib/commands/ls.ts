import { humanBytes, humanSeconds, visible } from '../core/text.ts';
import { Failure } from '../failure.ts';
import { withPlace } from '../record/open.ts';
import { storeHome } from '../store/home.ts';
import { listIds, placeOf } from '../store/sessions.ts';
import { type Summary, summarise } from '../store/summary.ts';
import { type Cell, table } from '../terminal/table.ts';
import { type Theme, themeFor } from '../terminal/theme.ts';
import type { Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape ls
  $ wiretape ls -n 5
  $ wiretape ls --json | jq 'select(.state == "killed") | .session'

A session is named by its id, any unique prefix of it, the part after the dash, its --name, last, last~1,
or a path to a tape.`;

export const define: Define = (command, { io }) => {
  command
    .option('--json', 'one object a line')
    .option('-n, --limit <count>', 'only the newest', wholeNumber)
    .addHelpText('after', HELP)
    .action(async (options: { json?: boolean; limit?: number }) => {
      const home = storeHome(io.env);
      const ids = listIds(home).slice(options.limit ? -options.limit : 0);
      const theme = themeFor(io.color);
      const rows: Cell[][] = [];
      for (const id of ids) {
        const summary = await withPlace(placeOf(home, id), async (session) => tryToSummarise(session)).catch(String);
        if (typeof summary === 'string') io.say(`wiretape: ${id}: ${visible(summary)}`);
        else if (!options.json) rows.push(row(summary, theme));
        else if (!(await io.json(summary))) return;
      }
      if (options.json) return;
      if (rows.length === 0) {
        io.say(`wiretape: no sessions in ${home}`);
        io.say('hint: record one with: wiretape record -- AGENT, or try: wiretape demo');
        return;
      }
      const head = ['session', 'took', 'frames', 'bytes', 'state', 'name', 'command'];
      io.page();
      await io.write(table(head, rows, io.columns, theme, [1, 2, 3]));
    });
};

function wholeNumber(word: string): number {
  if (!/^[1-9]\d*$/.test(word)) throw new Failure(`--limit ${JSON.stringify(word)} is no number of sessions`);
  return Number(word);
}

function tryToSummarise(session: { dir: string | null; tape: string; running: boolean }): Summary | string {
  try {
    return summarise(session);
  } catch (error) {
    return session.running ? 'has just begun' : (error as Error).message;
  }
}

function row(summary: Summary, theme: Theme): Cell[] {
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
