import { Failure } from '../model/failure.ts';
import { visible } from '../model/text/text.ts';
import type { Io } from '../output/terminal/io.ts';
import type { SessionNames } from '../session/session.ts';
import { storeHome } from '../storage/store/home.ts';
import { hasNames, parseTag, readNames, writeNames } from '../storage/store/names.ts';
import { locate } from '../storage/store/open.ts';
import type { Define, Flags } from './index.ts';
import { collectValues } from './shared/options.ts';

const HELP = `
Words with an = are tags to set. All other words are sessions. Without changes,
it shows their names and tags.
  $ wiretape tag last client=zed bug=1234
  $ wiretape tag k3f9 --name login-bug
  $ wiretape tag login-bug --delete bug
  $ wiretape tag last last~1`;

interface TagOptions extends Flags<'json'> {
  name?: string | false;
  delete?: string[];
}

export const define: Define = (command, { io }) => {
  command
    .argument('<words...>', 'sessions, and tags as key=value')
    .usage('[options] SESSION… [KEY=VALUE…]')
    .option('--name <name>', 'set the name')
    .option('--no-name', 'remove the name')
    .option('-d, --delete <key>', 'remove a tag; may be repeated', collectValues)
    .option('--json', 'print one JSON object per session: session, name, tags')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: TagOptions) => {
      const home = storeHome(io.env);
      const tags = Object.fromEntries(words.map(parseTag).filter((tag) => tag !== null));
      const sessions = words.filter((word) => parseTag(word) === null);
      if (sessions.length === 0) throw new Failure('no session given', 'wiretape tag SESSION… KEY=VALUE…');
      if (typeof options.name === 'string') checkName(options.name);
      const places = sessions.map((word) => inStore(home, word));
      for (const { id, dir } of places) {
        const before = readNames(dir);
        const after = changeNames(before, tags, options);
        if (JSON.stringify(after) !== JSON.stringify(before)) saveNames(id, dir, after);
        if (!(await print(io, id, after, options.json ?? false))) return;
      }
    });
};

/** A name must not be read as anything else. */
function checkName(name: string): void {
  if (name === '') throw new Failure('the name is empty');
  if (/^last(~\d+)?$|=/.test(name))
    throw new Failure(`invalid name ${JSON.stringify(name)}`, 'a name must not contain = and must not be last');
}

function inStore(home: string, word: string): { id: string; dir: string } {
  const { id, dir, ours } = locate(home, word);
  if (dir === null || !ours) throw new Failure(`${word} is not in the store`, 'only sessions in the store have names');
  return { id, dir };
}

function saveNames(id: string, dir: string, names: SessionNames): void {
  try {
    writeNames(dir, names);
  } catch (error) {
    throw new Failure(`cannot write the names of session ${id}: ${(error as Error).message}`);
  }
}

function changeNames({ name, tags }: SessionNames, set: Record<string, string>, options: TagOptions): SessionNames {
  const kept = Object.entries({ ...tags, ...set }).filter(([key]) => !options.delete?.includes(key));
  return {
    name: options.name === undefined ? name : options.name || null,
    tags: Object.fromEntries(kept),
  };
}

function print(io: Io, session: string, names: SessionNames, json: boolean): Promise<boolean> {
  if (json) return io.json({ session, ...names });
  const tags = Object.entries(names.tags).map(([key, value]) => ` ${visible(key)}=${visible(value)}`);
  const name = names.name === null ? '' : ` ${visible(names.name)}`;
  return io.write(`${session} ${hasNames(names) ? name + tags.join('') : ' no name, no tags'}\n`);
}
