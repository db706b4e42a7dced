/**
 * Finds the sessions to import: takes named files, and searches named folders. Every session is found once, however many
 * paths lead to it. Links to folders are not followed, to avoid cycles.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isPage } from '../page.ts';
import { recognise } from './index.ts';
import { mainFile, sessionFolder } from './kimi-code.ts';
import { metaOf } from './line-log.ts';
import { openPage } from './page.ts';
import type { ImportFormat, ImportSource } from './source.ts';

export type ImportCandidate = { is: 'source'; source: ImportSource } | { is: 'refused'; path: string; why: string };

/** `isOurs`: whether a path is already in the store. */
export function findSources(paths: readonly string[], isOurs: (path: string) => boolean): ImportCandidate[] {
  const seen = new Set<string>();
  const found: ImportCandidate[] = [];
  const refuse = (path: string, why: string) => found.push({ is: 'refused', path, why });

  function file(path: string, named: boolean): void {
    const main = mainOf(path);
    if (main === null) return void refuse(path, 'the log it belongs to is missing');
    const real = realpathSync(main);
    if (seen.has(real)) return;
    seen.add(real);
    if (isOurs(real)) return void refuse(main, 'it is already in the store');
    if (isPage(main)) {
      for (const source of openPage(main)) found.push({ is: 'source', source });
      return;
    }
    const known = recognise(main);
    if (known.is === 'unknown') return void refuse(main, known.why);
    if (!named && !hasOwnFormat(known.format)) {
      return void refuse(main, 'JSON lines of no known kind; name the file itself to import it');
    }
    found.push({ is: 'source', source: known.format.open(main) });
  }

  function visit(path: string, named: boolean, isLink = false): void {
    try {
      const stat = statSync(path);
      if (stat.isDirectory() && isLink) return;
      if (stat.isDirectory()) folder(path);
      else if (!stat.isFile()) refuse(path, 'neither a file nor a folder');
      else if (named || path.endsWith('.jsonl')) file(path, named);
    } catch (error) {
      refuse(path, reasonOf(error));
    }
  }

  function folder(path: string): void {
    const main = mainFile(path);
    if (main !== null) return file(main, false);
    const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    const isSession = entries.some(({ name }) => name === 'wire.jsonl');
    for (const entry of entries) {
      const inner = join(path, entry.name);
      // Other files beside a wire.jsonl belong to the same session.
      if (isSession && OTHER_SESSION_FILES.test(entry.name)) continue;
      visit(inner, false, entry.isSymbolicLink());
    }
  }

  for (const path of paths) visit(resolve(path), true);
  return found;
}

const OTHER_SESSION_FILES = /^(context.*\.jsonl|subagents)$/;

/** The main file of the session that a file belongs to; null if it is missing. */
function mainOf(path: string): string | null {
  const code = sessionFolder(path);
  if (code !== null) return mainFile(code);
  const log = join(dirname(path), basename(path).replace(/\.meta\.jsonl$/, '.jsonl'));
  if (log === path || metaOf(log) !== path) return path;
  return statSync(log, { throwIfNoEntry: false })?.isFile() ? log : null;
}

/** Every file of JSON lines matches `jsonl`, so a search in a folder ignores that format. */
function hasOwnFormat({ name }: ImportFormat): boolean {
  return name !== 'jsonl';
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file or folder';
  if (code === 'EACCES') return 'no permission to read it';
  if (code === 'ELOOP') return 'a broken symbolic link';
  return message;
}
