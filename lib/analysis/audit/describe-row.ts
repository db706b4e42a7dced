/**
 * What a row is about: what was asked, and what ran. A command stands alone, without the other arguments of its call, which
 * `--full` and the JSON have.
 */

import type { ClientQuestion } from '../../model/event.ts';
import { isObject, toJson } from '../../model/message.ts';
import { describeAnswers } from '../../model/question-choice.ts';
import { visible } from '../../model/text/text.ts';
import { describeValue } from '../../model/timeline/arguments.ts';
import { LEAVE_PLAN } from './question.ts';
import { type ApprovalRow, hasRun } from './row.ts';
import { isShellCommand, subjectIn, subjectShown } from './subject.ts';

/** The command or the path as it was recorded, else the other arguments or the agent's description; null if there is none. */
function whatAsked(row: ApprovalRow): string | null {
  const { kind, action, description } = row;
  if (kind === 'question') return description ?? action;
  if (kind === 'hook') return [action, description].filter((word) => word).join(' ') || null;
  const subject = subjectIn(row.arguments) ?? subjectShown(row) ?? describeOther(row.arguments);
  if (kind === 'client-call') return [action, subject].filter((word) => word).join('  ') || null;
  return subject ?? description ?? action;
}

/** The same, as the client was asked about it; null if the tape has no request for what ran. */
export function textAsked(row: ApprovalRow): string | null {
  return isUnasked(row) ? null : whatAsked(row);
}

/** The same of what ran, with the changes of the client or the agent; null if nothing is known to have run. */
export function whatRan(row: ApprovalRow): string | null {
  const ran = asItRan(row);
  return ran && whatAsked(ran);
}

/** The row with the arguments of what ran; null if nothing is known to have run. */
function asItRan(row: ApprovalRow): ApprovalRow | null {
  const { kind, executed_arguments: ran } = row;
  if (!hasRun(row) || kind === 'question' || kind === 'hook' || row.action === LEAVE_PLAN) return null;
  if (ran === null || ran === row.arguments) return row;
  // Some agents ask in other words than those of the call.
  if (subjectIn(ran) === null && !row.flags.includes('edited')) return row;
  return withArguments(row, ran);
}

/** The row with the arguments that the client changed it to, if nobody can tell whether they ran; else null. */
function asItMayHaveRun(row: ApprovalRow): ApprovalRow | null {
  const { executed, changed_arguments: changed, flags } = row;
  return executed === 'unknown' && changed !== null && flags.includes('edited') ? withArguments(row, changed) : null;
}

/** What the agent displays and describes is what was asked. Changed arguments without words of their own are shown as JSON. */
function withArguments(row: ApprovalRow, args: unknown): ApprovalRow {
  return { ...row, arguments: args, displays: [], subject: null, description: toJson(args) };
}

/**
 * On one line, and safe to print: a command after `$`, the question and its answer, what became of a plan. Empty if
 * the tape has no request for what ran.
 */
export function describeAsked(row: ApprovalRow): string {
  if (isUnasked(row)) return '';
  if (row.kind === 'question') return describeQuestionRow(row);
  if (row.action === LEAVE_PLAN) return describePlan(row);
  return lineOf(row);
}

/** The same of what ran; after `?` what may have run instead of what was asked; empty if nothing is known to have run. */
export function describeRan(row: ApprovalRow): string {
  const ran = asItRan(row);
  if (ran !== null) return lineOf(ran);
  const changed = asItMayHaveRun(row);
  return changed === null ? '' : `? ${lineOf(changed)}`;
}

/** What ran is what was asked, to the letter. A change of other arguments than the command or the path shows in `edited`. */
export function ranAsAsked(row: ApprovalRow): boolean {
  if (isUnasked(row) || row.flags.includes('edited')) return false;
  const ran = asItRan(row);
  return ran === row || (ran && whatAsked(ran)) === whatAsked(row);
}

/** It ran, and the tape has no request for it. */
const isUnasked = (row: ApprovalRow): boolean =>
  hasRun(row) && (row.decision === 'unasked' || (row.decision === 'unknown' && row.request_id === null));

function lineOf(row: ApprovalRow): string {
  const text = whatAsked(row);
  if (text === null) return '';
  return `${row.kind === 'approval' && isShellCommand(row) ? '$ ' : ''}${visible(text.trim())}`;
}

/** Arguments without a command or a path: `text: hi`. */
function describeOther(value: unknown): string | null {
  const { words, blocks } = isObject(value) ? describeValue(value, []) : { words: [], blocks: [] };
  const [block] = blocks;
  return words.join('  ') || (block?.type === 'diff' && block.path !== '' ? block.path : null);
}

/** The question, and what was answered. */
function describeQuestionRow({ description, action, arguments: args, answers, option }: ApprovalRow): string {
  const question = visible((description ?? action ?? '').trim());
  const chosen = describeAnswers((args as { questions?: ClientQuestion[] } | null)?.questions ?? [], answers);
  const answerText = chosen || visible(option ?? '');
  return answerText === '' ? question : `${question} → ${answerText}`;
}

/** What became of a plan, in the words of rule A8. */
function describePlan({ decision, option, feedback }: ApprovalRow): string {
  const [outcome] = [
    feedback === null ? null : `revise: ${visible(feedback.trim())}`,
    option && visible(option),
  ].filter((one) => one);
  return `plan → ${outcome ?? (decision === 'cancelled' ? 'dismissed' : decision === 'allow' ? 'approved' : decision)}`;
}
