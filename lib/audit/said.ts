/** Answers of the client, of every kind, in the words of approvals: what was decided, or why nothing was (rules A2, A3). */
import type { Decision, Event } from '../core/event.ts';
import { isObject } from '../core/message.ts';
import type { ReadFrame } from '../dialects/read.ts';
import type { Said } from './case.ts';

export type HookSaid = Event & { kind: 'hook-answer' | 'hook-resolved' };

export type Answering = (Event & { kind: 'approval-answer' | 'question-answer' | 'client-call-answer' }) | HookSaid;

export function readAnswer({ frame, message }: ReadFrame, event: Answering): Said {
  const flags = event.flags ?? [];
  const failed = message.envelope === 'error' || flags.includes('client-error');
  const said: Said = {
    ...{ f: frame.f, t: frame.t, decision: failed ? null : decisionOf(event), failed, ok: true },
    ...{ option: null, feedback: null, answers: null, flags },
  };
  if (event.kind === 'approval-answer') {
    said.option = event.option;
    said.feedback = event.feedback;
    if (event.edited !== undefined) said.edited = event.edited;
  } else if (event.kind === 'question-answer') said.answers = event.answers;
  else if (event.kind === 'client-call-answer') said.ok = event.ok;
  else said.feedback = event.reason;
  if (failed) said.feedback ??= event.text ?? null;
  return said;
}

function decisionOf(event: Answering): Decision | null {
  switch (event.kind) {
    case 'question-answer':
      return questionDecision(event);
    case 'client-call-answer':
      return event.flags?.includes('bad-shape') ? null : 'allow';
    default:
      return event.decision;
  }
}

/** An elicitation is accepted, declined or cancelled; a question without answers was dismissed. */
function questionDecision({ ok, answers, text }: Event & { kind: 'question-answer' }): Decision | null {
  if (!ok) return text === 'decline' ? 'deny' : text === 'cancel' ? 'cancelled' : null;
  const isDismissed = isObject(answers) && Object.keys(answers).length === 0 && text !== 'accept';
  return isDismissed ? 'cancelled' : 'allow';
}
