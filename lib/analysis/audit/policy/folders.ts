/** The folders in which the commands of a line may run: `cd` in it goes to others. */
import { folderAt } from './path.ts';
import { isExpanded, type SimpleCommand } from './shell.ts';

const MAX_FOLDERS = 16;

/** Each that the line may be in; null stands for one that nobody knows. A `cd` may fail, or be in another branch. */
export function foldersOf(commands: readonly Pick<SimpleCommand, 'words'>[], first: string): (string | null)[] {
  const folders = new Set<string | null>([first]);
  for (const { words } of commands) {
    const [program = '', ...more] = words[0] === 'builtin' || words[0] === 'command' ? words.slice(1) : words;
    if (!/^(?:cd|pushd|popd)$/.test(program)) continue;
    for (const folder of [...folders]) folders.add(nextFolder(program, more, folder));
    if (folders.size > MAX_FOLDERS) return [null];
  }
  return [...folders];
}

function nextFolder(program: string, more: readonly string[], folder: string | null): string | null {
  const [target, ...others] = more.filter((word) => !/^-./.test(word));
  if (target === undefined) return program === 'cd' ? '~' : null;
  const isHome = /^~(?:\/|$)/.test(target);
  if (others.length > 0 || target === '-' || (isExpanded(target) && !isHome)) return null;
  return folder === null && !isHome && !target.startsWith('/') ? null : folderAt(target, folder ?? '');
}
