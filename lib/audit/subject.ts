/** What a row is about: the command, or the path of a file. */
import { changedPaths } from '../core/changed-paths.ts';
import { isObject } from '../core/message.ts';
import { shellWord } from '../core/shell.ts';
import type { ApprovalRow } from './row.ts';

/** Keys of arguments. */
export const COMMANDS = ['command', 'cmd'];
export const PATHS = ['path', 'file_path', 'filePath', 'absolute_path', 'notebook_path'];

type Subject = Pick<ApprovalRow, 'arguments' | 'executed_arguments' | 'displays'>;

/** As it was asked about, or as it ran; null if the row has neither a command nor a path. */
export function subjectOf({ arguments: asked, executed_arguments: ran, displays }: Subject): string | null {
  const said = subjectIn(ran) ?? subjectIn(asked);
  if (said !== null) return said;
  for (const block of displays) {
    if (block.type === 'shell') return block.command;
    if (block.type === 'diff') return block.path;
  }
  return null;
}

/** A tool may take both: what to do, and with which file. A patch has several. */
function subjectIn(value: unknown): string | null {
  if (!isObject(value)) return null;
  const changed = changedPaths(value.changes);
  if (changed.length > 0) return changed.join(' ');
  const parts = [COMMANDS, PATHS].flatMap((keys) => {
    const said = keys.map((key) => wordsOf(value[key])).find((one) => one !== null);
    return said === undefined ? [] : [said];
  });
  return parts.length === 0 ? null : parts.join(' ');
}

/** Some agents give a command as a list of words. */
function wordsOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(' ') : null;
}

/** A command as a shell would take it. */
export function commandIn(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return null;
  // The words of a command that needs no shell.
  return value.map(shellWord).join(' ');
}
