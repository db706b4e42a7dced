import { Failure } from '../model/failure.ts';
import { humanBytes, visible } from '../model/text/text.ts';
import { progressReporter } from '../output/terminal/io.ts';
import { forget } from '../storage/index/catch-up.ts';
import { listStored, removeStored } from '../storage/index/remove-sessions.ts';
import { activeRecorderOf } from '../storage/store/active-recorder.ts';
import { storeHome } from '../storage/store/home.ts';
import { locate } from '../storage/store/open.ts';
import { placeOf, tapeOf } from '../storage/store/sessions.ts';
import { isElsewhere, otherTapeIn, whoseTape } from '../storage/store/tape-owner.ts';
import type { Define, Flags } from './index.ts';

const HELP = `
Running sessions are never removed. A tape that record --tape wrote outside the
store is kept. Removals are logged in log.jsonl in the store.
  $ wiretape rm k3f9
  $ wiretape rm --dry-run last last~1
  $ wiretape rm --json demo`;

type RmOptions = Flags<'dryRun' | 'force' | 'json'>;

export const define: Define = (command, { io }) => {
  command
    .argument('<sessions...>', 'sessions in the store')
    .option('--dry-run', 'show what would be removed, but remove nothing')
    .option('--force', 'remove it even if another machine may be recording it')
    .option('--json', 'print one JSON object per session: session, name, bytes, removed')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: RmOptions) => {
      const home = storeHome(io.env);
      const ids = new Set(words.map((word) => checkRemovable(home, word, options.force ?? false)));
      const chosen = listStored(home, progressReporter(io, 'reading tapes')).filter(({ session }) => ids.has(session));
      for (const session of chosen) {
        const kept = keptTapeNote(placeOf(home, session.session).dir);
        const removed = !options.dryRun && removeStored(home, session, 'rm');
        const { name, size: bytes } = session;
        const done = options.dryRun ? 'would remove' : removed ? 'removed' : 'already removed:';
        if (options.json) await io.json({ session: session.session, name, bytes, removed });
        else
          await io.write(
            `${done} ${session.session}${name === null ? '' : ` (${visible(name)})`}, ${humanBytes(bytes)}${kept}\n`,
          );
      }
      if (!options.dryRun) forget(home, [...ids]);
    });
};

/** The id of a session that may be removed. */
function checkRemovable(home: string, word: string, force: boolean): string {
  const { id, ours } = locate(home, word);
  if (!ours) throw new Failure(`${word} is not in the store`, 'only sessions in the store can be removed');
  const holder = activeRecorderOf(home, id);
  if (holder === 'alive')
    throw new Failure(`session ${id} is being recorded; nothing was removed`, 'stop its agent first');
  if (holder === 'unknown' && !force) {
    throw new Failure(
      `session ${id} may be running on another machine; nothing was removed`,
      'use --force to remove it',
    );
  }
  return id;
}

/** The note about a tape that `record --tape` wrote elsewhere. */
function keptTapeNote(dir: string): string {
  const tape = tapeOf(dir);
  if (!isElsewhere(dir)) return '';
  const other = otherTapeIn(dir);
  return other === null
    ? `; kept its tape at ${visible(tape)}`
    : `; its tape was gone, and ${whoseTape(other)} stays at ${visible(tape)}`;
}
