import { join } from 'node:path';
import { humanBytes, visible } from '../core/text.ts';
import { Failure } from '../failure.ts';
import { talkOn } from '../io.ts';
import { forget } from '../record/catch-up.ts';
import { locate } from '../record/open.ts';
import { listStored, remove } from '../record/remove.ts';
import { holderOf } from '../store/holder.ts';
import { storeHome, TAPE } from '../store/home.ts';
import { placeOf, tapeOf } from '../store/sessions.ts';
import type { Define } from './index.ts';

const HELP = `
A session that is being recorded is never removed; a tape that record --tape put elsewhere stays where it is.
What was removed is noted in the store's log.jsonl.
  $ wiretape rm k3f9
  $ wiretape rm --dry-run last last~1
  $ wiretape rm --json demo`;

interface Options {
  dryRun?: boolean;
  force?: boolean;
  json?: boolean;
}

export const define: Define = (command, { io }) => {
  command
    .argument('<sessions...>', 'sessions of the store')
    .option('-n, --dry-run', 'only say what would be removed')
    .option('--force', 'even if its recorder may live on another machine')
    .option('--json', 'one object a line: session, name, bytes, removed')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: Options) => {
      const home = storeHome(io.env);
      const ids = new Set(words.map((word) => mayGo(home, word, options.force ?? false)));
      const chosen = listStored(home, talkOn(io, 'reading tapes')).filter(({ session }) => ids.has(session));
      for (const session of chosen) {
        const stays = stayingTape(placeOf(home, session.session).dir);
        const removed = !options.dryRun && remove(home, session, 'rm');
        const { name, size: bytes } = session;
        const done = options.dryRun ? 'would remove' : removed ? 'removed' : 'gone already:';
        if (options.json) await io.json({ session: session.session, name, bytes, removed });
        else await io.write(`${done} ${session.session}${named(name)}, ${humanBytes(bytes)}${stays}\n`);
      }
      if (!options.dryRun) forget(home, [...ids]);
    });
};

function mayGo(home: string, word: string, force: boolean): string {
  const { id, ours } = locate(home, word);
  if (!ours) throw new Failure(`${word} is not in the store`, 'only sessions of the store are removed');
  const holder = holderOf(home, id);
  if (holder === 'alive')
    throw new Failure(`session ${id} is being recorded; nothing was removed`, 'end its agent first');
  if (holder === 'unknown' && !force) {
    throw new Failure(`session ${id} may be recorded on another machine; nothing was removed`, '--force removes it');
  }
  return id;
}

/** Where `record --tape` put it. */
function stayingTape(dir: string): string {
  const tape = tapeOf(dir);
  return tape === join(dir, TAPE) ? '' : `; its tape stays at ${visible(tape)}`;
}

function named(name: string | null): string {
  return name === null ? '' : ` (${visible(name)})`;
}
