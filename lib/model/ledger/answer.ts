/** Answers of every kind as approvals describe them: the decision, or why there is none (rules A2, A3). */
import type { Decision, Event } from '../event.ts';
import { isObject } from '../message.ts';
import type { PairedFrame } from './paired-frame.ts';
import type { ClientAnswer } from './records.ts';

export type HookAnswerEvent = Event & { kind: 'hook-answer' | 'hook-resolved' };
export type AnswerEvent =
  | (Event & { kind: 'approval-answer' | 'question-answer' | 'client-call-answer' })
  | HookAnswerEvent;

export function readAnswer({ frame, message }: PairedFrame, event: AnswerEvent): ClientAnswer {
  const flags = event.flags ?? [];
  const failed = message.envelope === 'error' || flags.includes('client-error');
  const answer: ClientAnswer = {
    f: frame.f,
    t: frame.t,
    decision: failed ? null : decisionOf(event),
    failed,
    ok: true,
    option: null,
    feedback: null,
    answers: null,
    permits: 'permits' in event && event.permits === true,
    flags,
  };
  if (event.kind === 'approval-answer') {
    answer.option = event.option;
    answer.feedback = event.feedback;
    if (event.covers !== undefined) answer.covers = event.covers;
  } else if (event.kind === 'question-answer') {
    answer.answers = event.answers;
    // How a form was closed.
    if (!failed && !event.ok) answer.option = event.text ?? null;
  } else if (event.kind === 'client-call-answer') answer.ok = event.ok;
  else answer.feedback = event.reason;
  if ('edited' in event && event.edited !== undefined && !failed) answer.edited = event.edited;
  if (failed) answer.feedback ??= event.text ?? null;
  return answer;
}

function decisionOf(event: AnswerEvent): Decision | null {
  switch (event.kind) {
    case 'question-answer':
      return questionDecision(event);
    case 'client-call-answer':
      return event.flags?.includes('bad-shape') ? null : 'allow';
    default:
      return event.decision;
  }
}

/** An elicitation is accepted, declined or cancelled. A question without answers was dismissed. */
function questionDecision({ ok, answers, text }: Event & { kind: 'question-answer' }): Decision | null {
  if (!ok) return text === 'decline' ? 'deny' : text === 'cancel' ? 'cancelled' : null;
  const isDismissed = isObject(answers) && Object.keys(answers).length === 0 && text !== 'accept';
  return isDismissed ? 'cancelled' : 'allow';
}
