/** Home directories, whose name identifies a person, and the first folder below that shows what they work on. */
import { isLocalPartChar } from './email.ts';
import type { Hit } from './kinds.ts';
import { isIdentifying } from './machine-identity.ts';

const UNIX_HOME =
  /\/(?:home|Users|var\/mail|var\/spool\/mail|run\/media)\/(?!Shared\b)([\p{L}\p{N}_](?:[\p{L}\p{N}._-]{0,62}[\p{L}\p{N}_])?)/uy;
const WINDOWS_HOME =
  /\\{1,16}(?:Users|home)\\{1,16}(?!Public\b|Default\b)([\p{L}\p{N}_](?:[\p{L}\p{N}._-]{0,62}[\p{L}\p{N}_])?)/uy;
/** Where homes are, besides the root: on WSL, Cygwin, Git's bash, Fedora's Silverblue, Solaris, large disks and macOS. */
const HOME_PARENT =
  /(?<![A-Za-z0-9._+-])(?:\/mnt\/[a-z]|\/cygdrive\/[a-z]|\/[a-zA-Z]|\/var|\/Volumes\/[^/\s"']{1,40}|\/export|\/data\d{0,2}|\/nfs|\/net|\/host|\/System\/Volumes\/Data)$/;
/** Longer than any of these. */
const MAX_PARENT_CHARS = 56;

/** A folder, and the separator that shows that it is one. */
const FOLDER_NAME = /[/\\]{1,16}([\p{L}\p{N}_][\p{L}\p{N}._ -]{0,62})(?=[/\\])/uy;
/** At most this many folders are looked at. */
const MAX_FOLDERS = 4;

/** Where the first folder ends that reveals a project; folders of programs begin with a dot. */
function projectEnd(text: string, home: number): number {
  let end = home;
  for (let i = 0; i < MAX_FOLDERS; i++) {
    FOLDER_NAME.lastIndex = end;
    const found = FOLDER_NAME.exec(text);
    if (!found) return home;
    end = FOLDER_NAME.lastIndex;
    if (isIdentifying(found[1]!)) return end;
  }
  return home;
}

/** A home directory, without the slash before it, so that an absolute path stays one; and the project in it. */
export function homeHit(text: string, at: number): Hit | null {
  const form = text[at] === '/' ? UNIX_HOME : WINDOWS_HOME;
  const before = text.charCodeAt(at - 1);
  if (
    form === UNIX_HOME &&
    isLocalPartChar(before) &&
    before !== 45 &&
    !HOME_PARENT.test(text.slice(Math.max(0, at - MAX_PARENT_CHARS), at))
  )
    return null;
  form.lastIndex = at;
  if (!form.test(text)) return null;
  let start = at;
  while (text[start] === '/' || text[start] === '\\') start++;
  return { kind: 'path', start, end: projectEnd(text, form.lastIndex), from: at, strong: false };
}

/** A home as the name of a folder, as programs write it that keep one for each project. */
const DASHED_HOME = /\/-(?:home|Users)-([\p{L}\p{N}_]+)(?:-[\p{L}\p{N}._-]*)?/uy;

/** `/-home-name-project`, without the slash. */
export function dashedHomeHit(text: string, at: number): Hit | null {
  DASHED_HOME.lastIndex = at;
  const name = DASHED_HOME.exec(text)?.[1];
  if (name === undefined) return null;
  return { kind: 'path', start: at + 1, end: DASHED_HOME.lastIndex, from: at, strong: false };
}

const NAMED_HOME = /~([A-Za-z_][A-Za-z0-9._-]{1,31})(?=[/\\])/y;

/** `~name/`, where a word may begin. */
export function tildeHit(text: string, at: number): Hit | null {
  if (at > 0 && !/[\s"'`=:;,([{<>|&]/.test(text[at - 1]!)) return null;
  NAMED_HOME.lastIndex = at;
  const name = NAMED_HOME.exec(text)?.[1];
  if (name === undefined || !isIdentifying(name)) return null;
  return { kind: 'user', start: at + 1, end: at + 1 + name.length, from: at, strong: false };
}
