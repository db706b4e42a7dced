import { visible } from '../core/text.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { locate } from '../record/open.ts';
import { storeHome } from '../store/home.ts';
import { hasNames, parseTag, readNames, type SessionNames, writeNames } from '../store/names.ts';
import type { Define } from './index.ts';

const HELP = `
Words with an = are tags to set, all others are sessions; without anything to change, it shows what they have.
  $ wiretape tag last client=zed bug=1234
  $ wiretape tag k3f9 --name login-bug
  $ wiretape tag login-bug --delete bug
  $ wiretape tag last last~1`;

interface Options {
  name?: string | false;
  delete?: string[];
  json?: boolean;
}

export const define: Define = (command, { io }) => {
  command
    .argument('<words...>', 'sessions, and tags as key=value')
    .usage('[options] SESSION… [KEY=VALUE…]')
    .option('--name <name>', 'a name to find the session by')
    .option('--no-name', 'take the name away')
    .option('-d, --delete <key>', 'take a tag away; may be given again', (key, keys: string[] = []) => [...keys, key])
    .option('--json', 'one object a line: session, name, tags')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: Options) => {
      const home = storeHome(io.env);
      const tags = Object.fromEntries(words.map(parseTag).filter((tag) => tag !== null));
      const sessions = words.filter((word) => parseTag(word) === null);
      if (sessions.length === 0) throw new Failure('no session is named', 'wiretape tag SESSION… KEY=VALUE…');
      if (typeof options.name === 'string') checkName(options.name);
      const places = sessions.map((word) => ours(home, word));
      for (const { id, dir } of places) {
        const before = readNames(dir);
        const after = change(before, tags, options);
        if (JSON.stringify(after) !== JSON.stringify(before)) write(id, dir, after);
        if (!(await print(io, id, after, options.json ?? false))) return;
      }
    });
};

/** A name must be something that finds the session again. */
function checkName(name: string): void {
  if (name === '') throw new Failure('a name has at least one character');
  if (/^last(~\d+)?$|=/.test(name))
    throw new Failure(`${JSON.stringify(name)} would not find the session again`, 'no = in a name, and not last');
}

function ours(home: string, word: string): { id: string; dir: string } {
  const { id, dir, ours } = locate(home, word);
  if (dir === null || !ours) throw new Failure(`${word} is not in the store`, 'only sessions of the store have names');
  return { id, dir };
}

function write(id: string, dir: string, names: SessionNames): void {
  try {
    writeNames(dir, names);
  } catch (error) {
    throw new Failure(`the names of session ${id} cannot be written (${(error as Error).message})`);
  }
}

function change({ name, tags }: SessionNames, set: Record<string, string>, options: Options): SessionNames {
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
