import { existsSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { visible } from '../core/text.ts';
import { Exit, Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { importSession } from '../record/import-session.ts';
import { SESSION_ID, sessionsDir, storeHome } from '../store/home.ts';
import { importsByPath } from '../store/imports.ts';
import { parseTag, readNames, type SessionNames } from '../store/names.ts';
import { type Found, search } from '../tape/import/search.ts';
import type { Source } from '../tape/import/source.ts';
import { survey } from '../tape/import/survey.ts';
import { themeFor } from '../terminal/theme.ts';
import type { Define } from './index.ts';

const HELP = `
Folders are searched for sessions; a file is told by what is in it, not by its name.
  $ wiretape import ~/.kimi/sessions              every session that kimi-cli kept
  $ wiretape import ~/.kimi-code/sessions         the same of kimi-code
  $ wiretape import tapes/ --tag from=lab         logs of lines {"t","dir","line"}, with NAME.meta.jsonl beside them
  $ wiretape import run.jsonl other/wire.jsonl    tapes of wiretape, or any file of JSON lines
  $ wiretape import ~/.kimi/sessions --dry-run    only tells what would be imported

What such a file cannot know (the client's side, approvals, true times) is said in notes, never made up.
Exit codes: 0 something was imported, 1 nothing could be, 2 usage.`;

interface Options {
  name?: string;
  tag?: string[];
  dialect?: string;
  json?: boolean;
  dryRun?: boolean;
}

/** What `--json` prints, a line each. */
interface Row {
  session: string | null;
  source_path: string;
  frames: number | null;
  /** Lines of the file that could not be read; they are kept as events. */
  skipped: number | null;
  notes: string[];
  format: string | null;
  /** Why nothing was imported. */
  error: string | null;
  /** Sessions that were made of the same file before. */
  before: string[];
}

/** So many of them are named. */
const NAMED = 3;

export const define: Define = (command, { io, exit }) => {
  command
    .argument('<paths...>', 'files and folders')
    .option('--name <name>', 'a name to find the sessions by')
    .option('--tag <key=value>', 'a tag; may be given again', (tag, tags: string[] = []) => [...tags, tag])
    .option('--dialect <dialect>', 'the protocol, where detection would be wrong')
    .option('--dry-run', 'import nothing, only tell what would be')
    .option('--json', 'one object a line: session, source_path, frames, skipped, notes')
    .addHelpText('after', HELP)
    .action(async (paths: string[], options: Options) => {
      const home = storeHome(io.env);
      const names = namesOf(options);
      const inStore = storeFolder(home) + sep;
      const found = search(paths, (path) => path.startsWith(inStore));
      const said = new Map<string, number>();
      const before = importsByPath(home);
      const rows: Row[] = [];
      for (const one of found) {
        io.progress('importing', rows.length, found.length);
        const row = { ...take(one, home, names, options, said), before: beforeOf(one, before) };
        rows.push(row);
        if (!(await print(io, row, options))) break;
      }
      io.progress('', 0, 0);
      exit(sumUp(io, rows, said, options));
    });
};

/** Where the store's sessions lie, links resolved. */
function storeFolder(home: string): string {
  const folder = resolve(sessionsDir(home));
  return existsSync(folder) ? realpathSync(folder) : folder;
}

function namesOf({ name, tag = [] }: Options): SessionNames {
  if (name === '') throw new Failure('a name has at least one character');
  const tags = tag.map((word) => {
    const parsed = parseTag(word);
    if (!parsed) throw new Failure(`--tag ${JSON.stringify(word)} has no value`, 'a tag is written key=value');
    return parsed;
  });
  return { name: name ?? null, tags: Object.fromEntries(tags) };
}

function beforeOf(found: Found, before: Map<string, string[]>): string[] {
  return found.is === 'refused' ? [] : (before.get(found.source.path) ?? []);
}

type Taken = Omit<Row, 'before'>;

function take(found: Found, home: string, names: SessionNames, options: Options, said: Map<string, number>): Taken {
  if (found.is === 'refused') return refused(found.path, null, found.why);
  const { source } = found;
  try {
    const seen = survey(source);
    if (seen.frames === 0) return refused(source.path, source.format, 'nothing is in it');
    for (const note of seen.findings.notes) said.set(note, (said.get(note) ?? 0) + 1);
    const { frames, notes, findings } = seen;
    const about = { source_path: source.path, frames, skipped: findings.unread, notes, format: source.format };
    if (options.dryRun) return { session: null, ...about, error: null };
    const { dialect = null } = options;
    const session = importSession(source, seen, { home, names: withTheirs(names, source), dialect });
    return { session, ...about, error: null };
  } catch (error) {
    return refused(source.path, source.format, (error as Error).message);
  }
}

/** A session of another store brings its name and tags along. */
function withTheirs({ name, tags }: SessionNames, { format, path }: Source): SessionNames {
  const folder = dirname(path);
  if (format !== 'wiretape' || !SESSION_ID.test(folder.slice(folder.lastIndexOf(sep) + 1))) return { name, tags };
  const theirs = readNames(folder);
  return { name: name ?? theirs.name, tags: { ...theirs.tags, ...tags } };
}

function refused(source_path: string, format: string | null, error: string): Taken {
  return { session: null, source_path, frames: null, skipped: null, notes: [], format, error };
}

async function print(io: Io, row: Row, options: Options): Promise<boolean> {
  if (options.json) return io.json(row);
  const path = visible(shorter(row.source_path));
  if (row.error !== null) {
    io.say(`wiretape: not imported: ${path}: ${visible(row.error)}`);
    return true;
  }
  const theme = themeFor(io.color);
  const unread = row.skipped ? theme.warn(`  ${row.skipped} unread`) : '';
  const session = row.session ?? '(dry run)';
  return io.write(`${session}  ${String(row.frames).padStart(6)} frames${unread}  ${row.format}  ${path}\n`);
}

function shorter(path: string): string {
  const from = relative(process.cwd(), path);
  return from.startsWith('..') || from === '' ? path : from;
}

/** What the files could not tell, once each, and the sum. */
function sumUp(io: Io, rows: Row[], said: Map<string, number>, options: Options): number {
  const done = rows.filter(({ error }) => error === null);
  for (const [note, times] of said)
    io.say(`wiretape: note: ${visible(note)}${times > 1 ? ` (${times} sessions)` : ''}`);
  sayBefore(io, done);
  const frames = done.reduce((sum, row) => sum + (row.frames ?? 0), 0);
  const left = rows.length - done.length;
  const verb = options.dryRun ? 'would be imported' : 'imported';
  const others = left > 0 ? `, ${left} left out` : '';
  if (rows.length === 0) io.say('wiretape: nothing to import was found');
  else io.say(`wiretape: ${count(done.length, 'session')} ${verb} with ${count(frames, 'frame')}${others}`);
  return done.length > 0 ? Exit.ok : Exit.no;
}

/** The same file may have grown, so it is taken again; but nobody should wonder why there are two. */
function sayBefore(io: Io, done: Row[]): void {
  const again = done.filter(({ before }) => before.length > 0);
  for (const { source_path, before } of again.length > NAMED ? [] : again) {
    const last = before.at(-1)!;
    io.say(`wiretape: note: ${visible(shorter(source_path))} was imported before, as ${visible(last)}`);
  }
  if (again.length > NAMED)
    io.say(`wiretape: note: ${again.length} of them were imported before; those sessions stay as they are`);
  if (again.length > 0) io.say('hint: wiretape rm SESSION removes one');
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
