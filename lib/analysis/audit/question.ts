/**
 * Questions (rule A8). They are answered or dismissed, never allowed or denied. A question that asks for leave to go on, such
 * as the approval of a plan, is an approval: a free text asks for a revision, which is a denial with feedback.
 */

import type { Decision, Option } from '../../model/event.ts';
import type { Ask } from '../../model/ledger/records.ts';
import { isObject, parseJson } from '../../model/message.ts';
import { choiceOf } from '../../model/question-choice.ts';
import { leavesPlan } from './bypass.ts';
import type { ApprovalRow, RowDecision } from './row.ts';

/** What the approval of a plan is for. */
export const LEAVE_PLAN = 'leave plan mode';

const NEGATIVE_LABEL = /^(?:reject|revise|deny|no\b|stay|keep planning)/i;

export function isPlan({ kind, call, tool, questions }: Ask): boolean {
  if (kind !== 'question' || questions.length !== 1) return false;
  if ((call?.tool ?? tool) === 'ExitPlanMode') return true;
  const labels = questions[0]!.options.map(({ label }) => label);
  return labels.includes('Approve') && labels.some((label) => NEGATIVE_LABEL.test(label));
}

/** The decision on a question. `answered`: what the ledger makes of the answer, where `allow` is any answer. */
export function decideQuestion(ask: Ask, answered: RowDecision): RowDecision {
  const isRecorded = answered === 'unknown';
  if (isPlan(ask)) return isRecorded ? recordedPlan(ask) : planDecision(ask, answered);
  if (isRecorded && recordedAnswers(ask)) return isEmpty(recordedAnswers(ask)!) ? 'dismissed' : 'answered';
  if (answered === 'allow') return 'answered';
  return answered === 'deny' || answered === 'cancelled' ? 'dismissed' : answered;
}

function planDecision(ask: Ask, answered: RowDecision): RowDecision {
  if (answered !== 'allow') return answered;
  const choice = choiceOf(ask.questions[0]!, ask.decided?.answers);
  if (!choice || choice.chosen.length + choice.other.length === 0) return 'cancelled';
  return choice.other.length > 0 ? 'deny' : decisionOf(choice.chosen[0]!);
}

/** What a log without the client's side says in the result of the call (rule A10). */
function recordedPlan({ call }: Ask): RowDecision {
  const text = call?.result?.text ?? '';
  if (/^plan approved/i.test(text)) return 'allow';
  if (/^plan rejected|^plan needs revision|wants to revise/i.test(text)) return 'deny';
  return /^user dismissed/i.test(text) ? 'cancelled' : 'unknown';
}

function recordedAnswers({ hasClientSide: heard, first, call }: Ask): Record<string, unknown> | null {
  if (heard || first || !call?.result) return null;
  const parsed = parseJson(call.result.text.split('\n', 1)[0]!);
  return isObject(parsed) && isObject(parsed.answers) ? parsed.answers : null;
}

const isEmpty = (answers: Record<string, unknown>) => Object.keys(answers).length === 0;

const decisionOf = (label: string): Decision => (NEGATIVE_LABEL.test(label) ? 'deny' : 'allow');

/** Describes a question in its row: what was asked, the options, and what was chosen. */
export function describeQuestion(row: ApprovalRow, ask: Ask): void {
  const { questions, text } = ask;
  const plan = isPlan(ask);
  const options = questions.length === 1 ? questions[0]!.options : [];
  row.description = text ?? questions.map((question) => question.text).join('\n');
  row.options = options.map(({ label }): Option => ({ id: label, decision: plan ? decisionOf(label) : null, label }));
  if (plan) row.action = LEAVE_PLAN;
  else row.arguments = { questions };
  row.answers ??= recordedAnswers(ask);
  const choices = questions
    .filter((question) => question.options.length > 0)
    .flatMap((question) => choiceOf(question, row.answers) ?? []);
  const chosen = choices.flatMap((choice) => choice.chosen);
  const other = choices.flatMap((choice) => choice.other).filter((one) => typeof one === 'string');
  row.option = chosen.length === 1 ? chosen[0]! : (ask.decided?.option ?? null);
  row.feedback = other.length > 0 ? other.join('\n') : null;
}

/** A plan was carried out if plan mode was left, whatever the result of the tool. */
export function planLeft({ call }: Ask): ApprovalRow['executed'] {
  const result = call?.result ?? null;
  if (result === null) return 'unknown';
  return leavesPlan(result.text) ? 'yes' : 'no';
}
