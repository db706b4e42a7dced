/** What a row is about: the tool, its command, and the paths of files, from wherever the protocol has them. */
import { commandIn, pathsIn } from '../../model/subject.ts';
import type { ApprovalRow } from './row.ts';

type RowSubject = Pick<
  ApprovalRow,
  'arguments' | 'executed_arguments' | 'changed_arguments' | 'displays' | 'subject' | 'flags'
>;

/** As it ran, or as it may have run with the client's changes, or else as it was asked about. */
export function lastArgumentsOf(
  row: Pick<RowSubject, 'arguments' | 'executed_arguments' | 'changed_arguments'>,
): unknown {
  return row.executed_arguments ?? row.changed_arguments ?? row.arguments;
}

/** What the agent displays, and what its lines say elsewhere, is about what was asked, and not about what was made of it. */
function shownOf({ displays, subject, flags }: RowSubject): Pick<RowSubject, 'displays' | 'subject'> {
  return flags.includes('edited') ? { displays: [], subject: null } : { displays, subject };
}

/** As it ran, or as it was asked about: in the arguments, in what the agent displays, or elsewhere in its lines. */
export function commandOf(row: RowSubject): string | null {
  const { displays, subject } = shownOf(row);
  const shown = displays.flatMap((block) => (block.type === 'shell' ? [block.command] : []));
  return commandIn(lastArgumentsOf(row)) ?? (shown.length > 0 ? shown.join('\n') : (subject?.command ?? null));
}

export function pathsOf(row: RowSubject): string[] {
  const { displays, subject } = shownOf(row);
  const shown = displays.flatMap((block) => (block.type === 'diff' ? [block.path] : []));
  return [...new Set([...pathsIn(lastArgumentsOf(row)), ...shown, ...(subject?.paths ?? [])])];
}

/** The name of the tool; null if the agent only has a title for the call, which says what it does. */
export function toolName({ tool, subject }: Pick<ApprovalRow, 'tool' | 'subject'>): string | null {
  return subject === null ? tool : subject.name;
}

/** The name of the tool, or else the kind of the call: never a title. */
export function toolOrKind(row: Pick<ApprovalRow, 'tool' | 'subject' | 'action'>): string | null {
  return toolName(row) ?? (row.subject && row.action);
}

/** As it was asked about, or as it ran; null if the row has neither a command nor a path. A tool may take both. */
export function subjectOf(row: RowSubject): string | null {
  const { arguments: requested, executed_arguments: ran } = row;
  const subject = subjectIn(ran) ?? subjectIn(requested);
  if (subject !== null) return subject;
  return commandOf(row) ?? pathsOf(row)[0] ?? null;
}

/** In arguments. A tool may take both: what to do, and with which file. A patch has several. */
export function subjectIn(value: unknown): string | null {
  const parts = [commandIn(value) ?? '', ...pathsIn(value)].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(' ');
}

/** What only the agent's display, a title or a location has: a command, or the file of a change. */
export function subjectShown({ displays, subject }: Pick<RowSubject, 'displays' | 'subject'>): string | null {
  for (const block of displays) {
    if (block.type === 'shell') return block.command;
    if (block.type === 'diff') return block.path;
  }
  return subject?.command ?? subject?.paths[0] ?? null;
}

/** It is a command line for a shell. */
export function isShellCommand({ arguments: requested, displays, subject }: RowSubject): boolean {
  const [command, paths] = [commandIn(requested), pathsIn(requested)];
  if (command !== null || paths.length > 0) return paths.length === 0;
  const shown = displays.find(({ type }) => type === 'shell' || type === 'diff');
  return shown === undefined ? typeof subject?.command === 'string' : shown.type === 'shell';
}
