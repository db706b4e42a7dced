/**
 * Whether a call that nobody was asked about ran, as far as its result shows (rule N2). A success does. An error may be the
 * command's own, or come before it: arguments that are not JSON, a hook or a rule that refused it. An edit that failed
 * changed nothing.
 */
import type { Call } from '../core/ledger/records.ts';
import { parseJson } from '../core/message.ts';
import { REFUSED, STARTED } from '../core/outcome-phrases.ts';
import type { ApprovalRow } from './row.ts';

const EDITORS = new Set([
  ...['write_file', 'edit', 'replace', 'notebook_edit', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
  ...['WriteFile', 'StrReplaceFile', 'PatchFile'],
]);

/** The kinds of ACP whose calls change files. */
const EDITS = new Set(['edit', 'delete', 'move']);

/** Whether a call changes files, and runs nothing. `of`: actions that count as edits. */
export function isEdit({ tool, action }: Pick<Call, 'tool' | 'action'>, of: ReadonlySet<string> = EDITS): boolean {
  return action === null ? EDITORS.has(tool ?? '') : of.has(action);
}

/** So much of a result is looked at. */
const GLANCE = 500;

export function ranOf(call: Call): ApprovalRow['executed'] {
  const { result, args } = call;
  if (call.ran_f !== null || result?.ok) return 'yes';
  if (result === null) return 'unknown';
  if (isEdit(call) || isBlocked(call) || result.ruling?.decision === 'deny') return 'no';
  const said = result.text.slice(0, GLANCE);
  if (STARTED.test(said)) return 'yes';
  const isBroken = args !== null && args !== '' && parseJson(args) === undefined;
  return isBroken || REFUSED.test(said) ? 'no' : 'unknown';
}

/** A hook of the client refused it. */
function isBlocked({ asks }: Call): boolean {
  return asks.some(({ kind, decision, resolved }) => kind === 'hook' && (resolved?.decision ?? decision) === 'deny');
}
