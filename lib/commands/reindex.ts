import { visible } from '../core/text.ts';
import { Exit, Failure } from '../failure.ts';
import { talkOn } from '../io.ts';
import { reindex } from '../record/catch-up.ts';
import { storeHome } from '../store/home.ts';
import { indexPath } from '../store/index-file.ts';
import { readIds } from '../store/sessions.ts';
import { IndexUnavailable } from '../store/sqlite.ts';
import type { Define } from './index.ts';

const HELP = `
The index is made from the tapes alone and repairs itself; this makes a new one, of which every row is made anew, and
puts it in the place of the old one, of which nothing is read.
  $ wiretape reindex
  $ wiretape reindex --json
Exit codes: 0 done, 1 some tapes could not be read, 2 there is no index to be had.`;

export const define: Define = (command, { io, exit }) => {
  command
    .option('--json', 'one object: index, sessions, frames, unreadable')
    .addHelpText('after', HELP)
    .action(async (options: { json?: boolean }) => {
      const home = storeHome(io.env);
      if (readIds(home).length === 0)
        throw new Failure(`no sessions in ${home}`, 'record one: wiretape record -- AGENT');
      const { sessions, unreadable } = anew(home, talkOn(io, 'indexing sessions'));
      const frames = sessions.reduce((sum, session) => sum + session.frames, 0);
      for (const { session, message } of unreadable) io.say(`wiretape: ${session}: ${visible(message)}`);
      const answer = { index: indexPath(home), sessions: sessions.length, frames, unreadable: unreadable.length };
      if (options.json) await io.json(answer);
      else await io.write(`indexed ${sessions.length} sessions with ${frames} frames in ${visible(answer.index)}\n`);
      exit(unreadable.length > 0 ? Exit.no : Exit.ok);
    });
};

function anew(home: string, talk: Parameters<typeof reindex>[1]): ReturnType<typeof reindex> {
  try {
    return reindex(home, talk);
  } catch (error) {
    if (error instanceof IndexUnavailable) throw new Failure(error.message, error.hint);
    throw error;
  }
}
