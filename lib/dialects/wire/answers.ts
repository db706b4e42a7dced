/**
 * What a client answers, and whether it is valid: what the agent makes of an invalid answer (a reject, a dismissal, an
 * allow) is not the client's decision. Flags say what is wrong with it.
 */
import type { Event } from '../../core/event.ts';
import { isObject } from '../../core/message.ts';
import type { Json } from '../dialect.ts';
import { errorText, objectOf, stringOf } from '../fields.ts';
import type { AnswerKind, Question } from './asked.ts';
import { type Returned, returned } from './content.ts';
import { LEGACY_APPROVAL } from './requests.ts';
import { decisionOf } from './words.ts';

export interface Answer {
  /** The whole line: an error may stand beside a result. */
  value: Json;
  isError: boolean;
  /** What it answers; undefined if nobody asked, or too long ago. */
  question: Question | undefined;
  isLegacy: boolean;
}

/** The kind of an answer to an id that nobody asked, by what it says. */
export function kindByShape(result: unknown): AnswerKind | 'control' {
  if (!isObject(result)) return 'control';
  if ('response' in result || 'outcome' in result) return 'approval-answer';
  if ('answers' in result) return 'question-answer';
  if ('return_value' in result) return 'client-call-answer';
  return 'action' in result ? 'hook-answer' : 'control';
}

export function readAnswer(kind: AnswerKind | 'control', answer: Answer): Event {
  const event = read(kind, answer);
  const flags = flagsOf(kind, answer);
  if (flags.length > 0) event.flags = flags;
  return event;
}

function read(kind: AnswerKind | 'control', answer: Answer): Event {
  const { value, isError, question } = answer;
  const result = objectOf(isError ? null : value.result);
  const event = byKind(kind, answer, result, question ? question.request : stringOf(result.request_id));
  const error = isError ? errorText(value.error) : null;
  if (error !== null) event.text = error;
  return event;
}

function byKind(kind: AnswerKind | 'control', answer: Answer, result: Json, request: string | null): Event {
  const { question } = answer;
  switch (kind) {
    case 'approval-answer':
      return approvalAnswer(answer, result, request);
    case 'question-answer': {
      const ok = isObject(result.answers) && 'request_id' in result;
      return { kind, request, answers: result.answers ?? null, ok };
    }
    case 'client-call-answer': {
      const { ok, blocks, text } = clientReturned(result);
      return { kind, request: question?.request ?? stringOf(result.tool_call_id), ok, blocks, text };
    }
    case 'hook-answer':
      return hookAnswer(answer, result, request);
    default:
      return { kind, name: question?.type ?? null };
  }
}

/** Valid: no error, an object, `request_id` present (whatever it says; not asked for until 0.58), one of three words. */
function approvalAnswer(answer: Answer, result: Json, request: string | null): Event {
  const option = stringOf(result.response);
  const decision = 'request_id' in result || !needsRequestId(answer) ? decisionOf(option) : null;
  const feedback = stringOf(result.feedback) || null;
  const event: Event = { kind: 'approval-answer', request, decision, option, feedback };
  if (feedback !== null) event.text = feedback;
  return event;
}

function needsRequestId({ question, isLegacy }: Answer): boolean {
  return question ? question.type !== LEGACY_APPROVAL : !isLegacy;
}

/** No action is an allow. */
function hookAnswer({ isError, question }: Answer, result: Json, request: string | null): Event {
  const { action, reason } = result;
  const isValid = !isError && 'request_id' in result;
  const word = action === undefined || action === 'allow' ? 'allow' : action === 'block' ? 'deny' : null;
  const event: Event = {
    kind: 'hook-answer',
    request,
    event: question?.event ?? null,
    target: question?.target ?? null,
    decision: isValid ? word : null,
    reason: stringOf(reason) || null,
  };
  if (event.reason !== null) event.text = event.reason;
  return event;
}

const NOTHING_RETURNED: Returned = { ok: false, blocks: [], displays: [], text: '' };

function clientReturned({ return_value }: Json): Returned {
  return isObject(return_value) ? returned(return_value) : NOTHING_RETURNED;
}

/** What is wrong with it, in the words of the model's rules. */
function flagsOf(kind: AnswerKind | 'control', answer: Answer): string[] {
  const { value, isError } = answer;
  if (kind === 'control' || kind === 'other') return [];
  if (isError) return 'result' in value ? ['both', 'client-error'] : ['client-error'];
  const { result } = value;
  return isObject(result) ? [...idFlags(kind, answer, result), ...shapeFlags(kind, result)] : ['bad-shape'];
}

function idFlags(kind: AnswerKind, answer: Answer, result: Json): string[] {
  const { question } = answer;
  const named = kind === 'client-call-answer' ? result.tool_call_id : result.request_id;
  if (named === undefined) return kind !== 'approval-answer' || needsRequestId(answer) ? ['no-request-id'] : [];
  return question && named !== question.request ? ['wrong-request-id'] : [];
}

function shapeFlags(kind: AnswerKind, { response, action, answers, return_value }: Json): string[] {
  switch (kind) {
    case 'approval-answer':
      return decisionOf(response) ? [] : [typeof response === 'string' ? 'bad-word' : 'bad-shape'];
    case 'hook-answer':
      if (action === undefined || action === 'allow' || action === 'block') return [];
      return [typeof action === 'string' ? 'bad-word' : 'bad-shape'];
    default:
      return isObject(kind === 'question-answer' ? answers : return_value) ? [] : ['bad-shape'];
  }
}
