/** Paths as text: absolute, without `.`, `..` and double slashes. Links are not followed, because a tape has no files. */

/** `cwd`: the folder of the session, for a path that is not absolute. `~` is a folder that nobody knows. */
export function absolutePath(path: string, cwd: string): string {
  if (/^~(?:\/|$)/.test(path)) return normalPath(path, '');
  return normalPath(path.startsWith('/') ? path : `${cwd}/${path}`, '/');
}

function normalPath(path: string, root: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `${root}${parts.join('/')}`;
}

/** The pattern of a path. One that starts with `*` may match in any folder, and others are relative to `cwd`. */
export function absolutePattern(pattern: string, cwd: string): string {
  return pattern.startsWith('*') ? pattern : absolutePath(pattern, cwd);
}
