/**
 * Paths as text: absolute, without `.`, `..` and double slashes. Links are not followed, because a tape has no files. Where a
 * folder is not known, a home (`~`) or the working directory, nobody can tell what many patterns match.
 */
import { globMatches } from '../../../model/text/glob.ts';

/** `root`: a home, the working directory if it is not known (`.`), or another folder that is not known (`?`). */
type RootedPath = { root: '/' | '~' | '.' | '?'; text: string };

/**
 * Whether the pattern matches; null if that depends on a folder that nobody knows. `cwd`: where patterns begin, empty if it is
 * not known; `folder`: where the path begins, null if nobody knows.
 */
export function pathMatches(pattern: string, path: string, cwd: string, folder: string | null = cwd): boolean | null {
  const found = rootedPath(path, folder);
  // It may match in any folder.
  const isAnywhere = pattern.startsWith('*');
  const wanted: RootedPath = isAnywhere ? { root: '/', text: pattern } : rootedPath(pattern, cwd);
  if (wanted.root === found.root || isAnywhere) {
    if (globMatches(wanted.text, found.text)) return true;
    return found.root === '/' || !isAnywhere ? false : mayEndWith(pattern, found.text);
  }
  if (found.root === '/') return globMatches(`*${wanted.text}`, found.text) ? null : false;
  return wanted.root === '/' ? mayEndWith(wanted.text, found.text) : null;
}

/** Null if some text before the path makes the pattern match, else false. */
function mayEndWith(pattern: string, path: string): null | false {
  for (let at = 0; at < pattern.length; at++) if (globMatches(pattern.slice(at), path)) return null;
  return false;
}

/** `text` begins with a slash, after the root. */
function rootedPath(path: string, cwd: string | null): RootedPath {
  const plain = withoutScheme(path);
  if (plain.startsWith('/')) return { root: '/', text: normalPath(plain) };
  if (/^~(?:\/|$)/.test(plain)) return { root: '~', text: normalPath(plain.slice(1)) };
  if (cwd) return rootedPath(`${withSlash(cwd)}${plain}`, '');
  return { root: cwd === null ? '?' : '.', text: normalPath(plain) };
}

const withSlash = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`);

/** `file:///etc/passwd` is a path too. */
function withoutScheme(path: string): string {
  const [, local] = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(path) ?? [];
  if (local === undefined) return path;
  try {
    return decodeURIComponent(local);
  } catch {
    return local;
  }
}

function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** A folder that a command goes to; empty if nobody knows which. */
export function folderAt(folder: string, cwd: string): string {
  const { root, text } = rootedPath(folder, cwd);
  if (root === '/') return text;
  return root === '~' ? `~${text}` : '';
}
