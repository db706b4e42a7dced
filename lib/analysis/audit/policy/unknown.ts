/** What a policy would have to know about a call, but the tape does not show. */
import { isEditor, isShell } from '../../../model/subject.ts';
import { isEdit } from '../ran.ts';
import type { ApprovalRow } from '../row.ts';
import { toolName } from '../subject.ts';

/** `call`: neither its tool nor what it does. */
export type Unknown = 'command' | 'path' | 'call';

/** What kinds and actions of agents say: `execute`, `shell`, `run command`; `edit`, `write`, `edit file`. */
const EXECUTES = /^(?:execute|shell|run (?:\w+ )*command)$/i;
const EDITS = /^(?:edit|write|create|delete|move)(?: files?)?\b/i;
/** Kinds of ACP that neither run nor change anything. One without a kind, or of kind `other`, may do both. */
const HARMLESS = /^(?:read|search|think|fetch|switch_mode)$/;

/** Null if its command or its path is known, or if it has neither. */
export function unknownOf(row: ApprovalRow, command: string | null, paths: readonly string[]): Unknown | null {
  const { action, subject } = row;
  const name = toolName(row);
  if (subject?.cut) return 'path';
  if (EXECUTES.test(action ?? '') || (name !== null && isShell(name))) return hasText(command) ? null : 'command';
  const edits = isEdit(row) || EDITS.test(action ?? '') || (name !== null && isEditor(name));
  if (edits) return paths.length > 0 ? null : 'path';
  if (name !== null || command !== null || paths.length > 0) return null;
  return row.arguments === null || !HARMLESS.test(action ?? '') ? 'call' : null;
}

const hasText = (command: string | null): boolean => command !== null && command.trim() !== '';
