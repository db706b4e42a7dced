/** Whether a call is among those that a standing grant covers, where its dialect says which these are. */
import { changedPaths } from '../core/changed-paths.ts';
import type { Cover } from '../core/event.ts';
import { isObject } from '../core/message.ts';
import { hasOtherFields } from '../dialects/fields.ts';
import { splitCommand } from './policy/shell.ts';
import { commandIn } from './subject.ts';

/** `asked`: the arguments that the grant was given for; `ran`: those of the call. */
export function covers(cover: Cover, asked: unknown, ran: unknown): boolean {
  if (!isObject(asked) || !isObject(ran)) return false;
  return cover.is === 'same' ? isAgain(asked, ran) : beginsWith(cover.words, commandIn(ran.command));
}

type Arguments = Record<string, unknown>;

/** The same files, whatever changes in them, or the same command in the same folder. */
function isAgain(asked: Arguments, ran: Arguments): boolean {
  const files = changedPaths(asked.changes);
  if (files.length === 0) return !hasOtherFields(asked, ran);
  const changed = changedPaths(ran.changes);
  return changed.length > 0 && changed.every((path) => files.includes(path));
}

/** All commands of the line begin so, or the line itself does, which is the script of a shell. */
function beginsWith(prefix: readonly string[], command: string | null): boolean {
  if (command === null) return false;
  const { commands, unclear } = splitCommand(command);
  const [outer, ...inner] = commands;
  if (unclear || !outer) return false;
  const fits = ({ words }: { words: string[] }) => prefix.every((word, at) => words[at] === word);
  return inner.length > 0 && isScript(outer.words) ? fits(outer) || inner.every(fits) : commands.every(fits);
}

const isScript = ([program = '', option = '']: string[]): boolean =>
  /(?:^|\/)\w*sh$/.test(program) && /^-\w*c/.test(option);
