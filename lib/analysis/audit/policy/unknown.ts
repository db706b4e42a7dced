/** What a policy would have to know about a call, but the tape does not show. */
import { isObject } from '../../../model/message.ts';
import { isEditor, isInterpreter, isShell } from '../../../model/subject.ts';
import { isEdit } from '../execution.ts';
import type { ApprovalRow } from '../row.ts';
import { lastArgumentsOf, toolName } from '../subject.ts';

/** `call`: what it does, or with what arguments. */
export type UnknownPart = 'command' | 'path' | 'call';

/** What kinds and actions of agents say: `execute`, `shell`, `run command`; `edit`, `write`, `edit file`. */
const EXECUTE_ACTIONS = /^(?:execute|shell|run (?:\w+ )*command)$/i;
const EDIT_ACTIONS = /^(?:edit|write|create|delete|move)(?: files?)?\b/i;
/** Kinds of ACP that neither run nor change anything. One without a kind, or of kind `other`, may do both. */
const HARMLESS_KINDS = /^(?:read|search|think|fetch|switch_mode)$/;

/** Tools that take two paths, with a server before them, and tools that only change the agent's mode. */
const MOVERS = /^(?:.*(?:\.|__))?(?:move|rename|copy)(?:_?(?:files?|paths?|director(?:y|ies)))?$/i;
const MODES = /^(?:enter|exit)_?plan_?mode$/i;

/** Null if its command or its path is known, or if it has neither. */
export function findUnknown(row: ApprovalRow, command: string | null, paths: readonly string[]): UnknownPart | null {
  if (row.subject?.cut) return 'path';
  if (runs(row)) return hasText(command) ? null : 'command';
  const least = leastPaths(row);
  if (least > 0) return paths.length < least ? 'path' : null;
  return command !== null || paths.length > 0 || isHarmless(row) ? null : 'call';
}

function runs(row: ApprovalRow): boolean {
  const name = toolName(row) ?? '';
  // The code of an interpreter is no command that a pattern could match.
  return EXECUTE_ACTIONS.test(row.action ?? '') || isShell(name) || isInterpreter(name);
}

/** How many paths a call that changes files has at least. */
function leastPaths(row: ApprovalRow): number {
  const { action } = row;
  const name = toolName(row) ?? '';
  if (action === 'move' || MOVERS.test(name)) return 2;
  return isEdit(row) || EDIT_ACTIONS.test(action ?? '') || isEditor(name) ? 1 : 0;
}

/** A title may mean anything, and the name of a tool does not tell what it does with arguments that nobody knows. */
function isHarmless(row: ApprovalRow): boolean {
  const name = toolName(row);
  const isOfKind = HARMLESS_KINDS.test(row.action ?? '');
  const isHeard = isObject(lastArgumentsOf(row));
  return name === null ? isOfKind && isHeard : isOfKind || isHeard || MODES.test(name);
}

const hasText = (command: string | null): boolean => command !== null && command.trim() !== '';
