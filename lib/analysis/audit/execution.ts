/**
 * Whether a call ran, as far as the tape shows (rules A6 and N2). A success does. An error may be the command's own, or come
 * before it: arguments that are not JSON, a hook or a rule that refused it. An edit that failed changed nothing. A call
 * that was begun and stopped ran partly.
 */
import { type Call, hadBegun, isStopped } from '../../model/ledger/records.ts';
import { parseJson } from '../../model/message.ts';
import { REFUSED_PHRASE, STARTED_PHRASE } from '../../model/text/outcome-phrases.ts';
import type { ApprovalRow } from './row.ts';

const EDIT_TOOLS = new Set([
  ...['write_file', 'edit', 'replace', 'notebook_edit', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
  ...['WriteFile', 'StrReplaceFile', 'PatchFile'],
]);

/** The kinds of ACP whose calls change files. */
const EDIT_KINDS = new Set(['edit', 'delete', 'move']);

/** Whether a call changes files, and runs nothing. `of`: actions that count as edits. */
export function isEdit({ tool, action }: Pick<Call, 'tool' | 'action'>, of: ReadonlySet<string> = EDIT_KINDS): boolean {
  return action === null ? EDIT_TOOLS.has(tool ?? '') : of.has(action);
}

/** How many characters of a result are read. */
const MAX_RESULT_CHARS_READ = 500;

export type Executed = ApprovalRow['executed'];

/** Whether a call ran that nobody was asked about, or of which the tape does not tell what was decided. */
export function ranOf(call: Call): Executed {
  const { result, args } = call;
  if (result === null) return ranSoFar(call, -1);
  if (isStopped(call)) return partlyOrUnknown(call, call.f);
  if (call.ran_f !== null || result.ok) return 'yes';
  if (isEdit(call) || isBlocked(call) || result.ruling?.decision === 'deny') return 'no';
  const text = result.text.slice(0, MAX_RESULT_CHARS_READ);
  if (STARTED_PHRASE.test(text)) return 'yes';
  const isBroken = args !== null && args !== '' && parseJson(args) === undefined;
  return isBroken || REFUSED_PHRASE.test(text) ? 'no' : 'unknown';
}

/** Whether a call ran that was allowed in frame `since` (rule A6). A result shows it, unless it says the contrary. */
export function ranOnceAllowed(call: Call, since: number): Executed {
  const { result } = call;
  if (result === null) return ranSoFar(call, since);
  if (isStopped(call, since)) return partlyOrUnknown(call, since);
  return !result.ok && result.ruling?.decision === 'deny' ? 'no' : 'yes';
}

/** Of a call without a result, only what was seen of it tells that it runs, or ran until it was stopped. */
function ranSoFar(call: Call, since: number): Executed {
  if (!isSeenRunning(call, since)) return 'unknown';
  return isStopped(call, since) ? 'partly' : 'yes';
}

const partlyOrUnknown = (call: Call, since: number): Executed => (hadBegun(call, since) ? 'partly' : 'unknown');

/** What is not known to have run to its end was stopped, and not before it was allowed in frame `since`. */
export function wasInterrupted(call: Call, since: number, { executed }: Pick<ApprovalRow, 'executed'>): boolean {
  const isSeen = call.result !== null || executed === 'partly';
  return isSeen && (executed === 'partly' || executed === 'unknown') && isStopped(call, since);
}

const isSeenRunning = ({ ran_f }: Call, since: number): boolean => (ran_f ?? -1) > since;

/** A hook of the client refused it. */
function isBlocked({ asks }: Call): boolean {
  return asks.some(({ kind, decision, resolved }) => kind === 'hook' && (resolved?.decision ?? decision) === 'deny');
}
