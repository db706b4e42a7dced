/** The identity of the machine and the user of a session, as texts to replace: directories, user and host names. */
import type { Metadata } from '../../model/frame.ts';
import type { Literal } from './detector.ts';

/** Names that identify nobody, or that are also words. */
const COMMON_NAMES = new Set(
  (
    'admin administrator user users root dev src app lib bin etc opt var usr tmp run sys mnt srv web www api git ubi devel develop developer test tester testing ubuntu debian fedora centos alpine ' +
    'linux windows macos node runner build builder guest docker podman vscode codespace codespaces github gitlab jenkins ' +
    'work worker workspace agent client server host home local localhost project default main system service data apps ' +
    'demo example sample desktop laptop computer machine kimi claude codex gemini qwen copilot cursor python java rust ' +
    'code source temp nobody daemon mail news backup public shared projects repos repositories workspaces packages ' +
    'documents desktop downloads library applications appdata roaming node_modules github.com gitlab.com share snap'
  ).split(' '),
);

export function isIdentifying(name: string): boolean {
  return name.length >= 4 && !COMMON_NAMES.has(name.toLowerCase()) && /\p{L}/u.test(name);
}

const HOME_FOLDER = /^(?:\/(?:home|Users)|[A-Za-z]:[\\/]+Users)[\\/]+([^\\/]+)/;

/** A directory of a session, its form in names of folders, and the user that its name tells. */
export function literalsOfDirectory(path: unknown): Literal[] {
  if (typeof path !== 'string') return [];
  const trimmed = path.replace(/[\\/]+$/, '');
  const names = trimmed.split(/[\\/]+/).filter((name) => name !== '' && !/^[A-Za-z]:$/.test(name));
  // A directory below the root is the same for many.
  if (names.length < 2) return [];
  const literals: Literal[] = [{ text: trimmed, kind: 'path', as: 'path' }];
  // Agents keep their logs in folders such as -home-alice-project.
  if (/^[/]/.test(trimmed)) literals.push({ text: trimmed.replace(/[^A-Za-z0-9]/g, '-'), kind: 'path', as: 'path' });
  literals.push(...literalsOfUser(HOME_FOLDER.exec(trimmed)?.[1]));
  return literals;
}

/** A name as short as a word counts as a name only in a path: `/opt/bob`. */
export function literalsOfUser(user: unknown): Literal[] {
  if (typeof user !== 'string') return [];
  if (isIdentifying(user)) return [{ text: user, kind: 'user', as: 'word' }];
  const isName = user.length >= 2 && /^\p{L}+$/u.test(user) && !COMMON_NAMES.has(user.toLowerCase());
  return isName ? [{ text: `/${user}`, kind: 'user', as: 'path' }] : [];
}

export function literalsOf(metadata: Metadata): Literal[] {
  const { cwd, user, host } = metadata;
  const literals = literalsOfDirectory(cwd);
  literals.push(...literalsOfUser(user));
  if (typeof host === 'string' && isIdentifying(host)) literals.push({ text: host, kind: 'host', as: 'word' });
  return literals;
}
