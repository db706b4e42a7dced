import { existsSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { Exit, Failure } from '../model/failure.ts';
import { visible } from '../model/text/text.ts';
import type { Io } from '../output/terminal/io.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { plural } from '../output/terminal/words.ts';
import type { SessionNames } from '../session/session.ts';
import { SESSION_ID, sessionsDir, storeHome } from '../storage/store/home.ts';
import { ImportBatch } from '../storage/store/import-batch.ts';
import { importsByPath } from '../storage/store/imports.ts';
import { readNames } from '../storage/store/names.ts';
import { findSources, type ImportCandidate } from '../storage/tape/import/find-sources.ts';
import type { ImportSource } from '../storage/tape/import/source.ts';
import { surveySource } from '../storage/tape/import/survey.ts';
import type { Define, Flags } from './index.ts';
import { collectValues, tagsOf } from './shared/options.ts';

const HELP = `
Searches folders for sessions. The format of a file is recognised by its
content, not by its name.
  $ wiretape import ~/.kimi/sessions            all sessions of kimi-cli
  $ wiretape import ~/.kimi-code/sessions       all sessions of kimi-code
  $ wiretape import tapes/ --tag from=lab       logs of {"t","dir","line"}
  $ wiretape import run.jsonl other/wire.jsonl  tapes or JSON Lines files
  $ wiretape import ~/.kimi/sessions --dry-run  show what would be imported

What a file does not contain (the client's side, approvals, exact times) is
listed in notes and never invented.
Exit codes: 0 at least one session imported, 1 none imported, 2 usage error.`;

interface ImportCommandOptions extends Flags<'json' | 'dryRun'> {
  name?: string;
  tag?: string[];
  dialect?: string;
}

/** A line of `--json`. */
interface ImportRow {
  session: string | null;
  source_path: string;
  frames: number | null;
  /** The number of unreadable lines of the file; they are kept as events. */
  skipped: number | null;
  notes: string[];
  format: string | null;
  /** Why nothing was imported. */
  error: string | null;
  /** Sessions imported from the same file before. */
  before: string[];
}

/** Earlier imports are listed one by one up to this number. */
const MAX_LISTED = 3;

export const define: Define = (command, { io, exit }) => {
  command
    .argument('<paths...>', 'files and folders')
    .option('--name <name>', 'name the sessions')
    .option('--tag <key=value>', 'add a tag; may be repeated', collectValues)
    .option('--dialect <dialect>', 'the protocol, if detection is wrong')
    .option('--dry-run', 'show what would be imported, but import nothing')
    .option('--json', 'print one JSON object per session: session, source_path, frames, skipped, notes')
    .addHelpText('after', HELP)
    .action(async (paths: string[], options: ImportCommandOptions) => {
      const home = storeHome(io.env);
      const names = namesOf(options);
      const inStore = storeFolder(home) + sep;
      const found = findSources(paths, (path) => path.startsWith(inStore));
      const noteCounts = new Map<string, number>();
      const before = importsByPath(home);
      const rows: ImportRow[] = [];
      const batch = new ImportBatch({ home, dialect: options.dialect ?? null });
      try {
        for (const one of found) {
          io.progress('importing', rows.length, found.length);
          const row = {
            ...importFile(one, batch, names, options, noteCounts),
            before: one.is === 'refused' ? [] : (before.get(one.source.path) ?? []),
          };
          rows.push(row);
          if (!(await print(io, row, options))) break;
        }
      } finally {
        batch.settle();
      }
      io.progress('', 0, 0);
      exit(printTotals(io, rows, noteCounts, options));
    });
};

/** The sessions folder of the store, with links resolved. */
function storeFolder(home: string): string {
  const folder = resolve(sessionsDir(home));
  return existsSync(folder) ? realpathSync(folder) : folder;
}

function namesOf({ name, tag }: ImportCommandOptions): SessionNames {
  if (name === '') throw new Failure('the name is empty');
  return { name: name ?? null, tags: tagsOf(tag) };
}

type ImportResult = Omit<ImportRow, 'before'>;

function importFile(
  found: ImportCandidate,
  batch: ImportBatch,
  names: SessionNames,
  options: ImportCommandOptions,
  noteCounts: Map<string, number>,
): ImportResult {
  if (found.is === 'refused') return refused(found.path, null, found.why);
  const { source } = found;
  try {
    const seen = surveySource(source);
    if (seen.frames === 0) return refused(source.path, source.format, 'it contains no messages');
    for (const note of seen.findings.notes) noteCounts.set(note, (noteCounts.get(note) ?? 0) + 1);
    const { frames, notes, findings } = seen;
    const about = { source_path: source.path, frames, skipped: findings.unread, notes, format: source.format };
    if (options.dryRun) return { session: null, ...about, error: null };
    const session = batch.add(source, seen, withOriginalNames(names, source));
    return { session, ...about, error: null };
  } catch (error) {
    return refused(source.path, source.format, (error as Error).message);
  }
}

/** A session from another store keeps its name and tags. */
function withOriginalNames({ name, tags }: SessionNames, { format, path }: ImportSource): SessionNames {
  const folder = dirname(path);
  if (format !== 'wiretape' || !SESSION_ID.test(folder.slice(folder.lastIndexOf(sep) + 1))) return { name, tags };
  const original = readNames(folder);
  return { name: name ?? original.name, tags: { ...original.tags, ...tags } };
}

function refused(source_path: string, format: string | null, error: string): ImportResult {
  return { session: null, source_path, frames: null, skipped: null, notes: [], format, error };
}

async function print(io: Io, row: ImportRow, options: ImportCommandOptions): Promise<boolean> {
  if (options.json) return io.json(row);
  const path = visible(shortPath(row.source_path));
  if (row.error !== null) {
    io.say(`wiretape: not imported: ${path}: ${visible(row.error)}`);
    return true;
  }
  const theme = themeFor(io.color);
  const unread = row.skipped ? theme.warn(`  ${row.skipped} unreadable`) : '';
  const session = row.session ?? '(dry run)';
  return io.write(`${session}  ${String(row.frames).padStart(6)} frames${unread}  ${row.format}  ${path}\n`);
}

function shortPath(path: string): string {
  const from = relative(process.cwd(), path);
  return from.startsWith('..') || from === '' ? path : from;
}

/** Prints each note once, then the totals. */
function printTotals(
  io: Io,
  rows: ImportRow[],
  noteCounts: Map<string, number>,
  options: ImportCommandOptions,
): number {
  const done = rows.filter(({ error }) => error === null);
  for (const [note, times] of noteCounts)
    io.say(`wiretape: note: ${visible(note)}${times > 1 ? ` (${times} sessions)` : ''}`);
  noteEarlierImports(io, done);
  const frames = done.reduce((sum, row) => sum + (row.frames ?? 0), 0);
  const left = rows.length - done.length;
  const verb = options.dryRun ? 'would import' : 'imported';
  const others = left > 0 ? `, skipped ${left}` : '';
  if (rows.length === 0) io.say('wiretape: nothing to import');
  else io.say(`wiretape: ${verb} ${plural(done.length, 'session')} with ${plural(frames, 'frame')}${others}`);
  return done.length > 0 ? Exit.ok : Exit.no;
}

/** The same file may have grown, so it is imported again. The note explains why there are two sessions. */
function noteEarlierImports(io: Io, done: ImportRow[]): void {
  const again = done.filter(({ before }) => before.length > 0);
  for (const { source_path, before } of again.length > MAX_LISTED ? [] : again) {
    const last = before.at(-1)!;
    io.say(`wiretape: note: ${visible(shortPath(source_path))} was imported before, as ${visible(last)}`);
  }
  if (again.length > MAX_LISTED)
    io.say(`wiretape: note: ${again.length} of these files were imported before; the earlier sessions are kept`);
  if (again.length > 0) io.say('hint: remove a session with: wiretape rm SESSION');
}
