import { Exit, Failure } from '../model/failure.ts';
import { visible } from '../model/text/text.ts';
import { progressReporter } from '../output/terminal/io.ts';
import { reindex } from '../storage/index/catch-up.ts';
import { indexPath } from '../storage/index/file.ts';
import { IndexUnavailable } from '../storage/index/sqlite.ts';
import { storeHome } from '../storage/store/home.ts';
import { readIds } from '../storage/store/sessions.ts';
import type { Define, Flags } from './index.ts';
import { noSessions } from './shared/options.ts';

const HELP = `
The index is built from the tapes and repairs itself. This command builds a new
one from scratch and replaces the old one without reading it.
  $ wiretape reindex
  $ wiretape reindex --json
Exit codes: 0 success, 1 some tapes are unreadable, 2 no index could be built.`;

export const define: Define = (command, { io, exit }) => {
  command
    .option('--json', 'print one JSON object: index, sessions, frames, unreadable')
    .addHelpText('after', HELP)
    .action(async (options: Flags<'json'>) => {
      const home = storeHome(io.env);
      if (readIds(home).length === 0) throw noSessions(home);
      const { sessions, unreadable } = rebuild(home, progressReporter(io, 'indexing sessions'));
      const frames = sessions.reduce((sum, session) => sum + session.frames, 0);
      for (const { session, message } of unreadable) io.say(`wiretape: ${session}: ${visible(message)}`);
      const answer = { index: indexPath(home), sessions: sessions.length, frames, unreadable: unreadable.length };
      if (options.json) await io.json(answer);
      else await io.write(`indexed ${sessions.length} sessions with ${frames} frames in ${visible(answer.index)}\n`);
      exit(unreadable.length > 0 ? Exit.no : Exit.ok);
    });
};

function rebuild(home: string, progress: Parameters<typeof reindex>[1]): ReturnType<typeof reindex> {
  try {
    return reindex(home, progress);
  } catch (error) {
    if (error instanceof IndexUnavailable) throw new Failure(error.message, error.hint);
    throw error;
  }
}
