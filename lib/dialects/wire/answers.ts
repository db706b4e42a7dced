/**
 * What a client answers, and whether it is valid: what the agent makes of an invalid answer (a reject, a dismissal, an
 * allow) is not the client's decision. Flags say what is wrong with it.
 */
import type { Event } from '../../core/event.ts';
import { isObject } from '../../core/message.ts';
import type { AnswerKind, Question } from './asked.ts';
import { type Returned, returned } from './content.ts';
import { LEGACY_APPROVAL } from './requests.ts';
import { type Loose, object, string } from './values.ts';
import { decisionOf } from './words.ts';

export interface Answer {
  /** The whole line: an error may stand beside a result. */
  value: Loose;
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
  const result = object(isError ? null : value.result);
  const request = question ? question.request : string(result.request_id);
  const why = isError ? errorText(value.error) : null;
  const said = why === null ? {} : { text: why };
  switch (kind) {
    case 'approval-answer':
      return approvalAnswer(answer, result, request, said);
    case 'question-answer': {
      const ok = isObject(result.answers) && 'request_id' in result;
      return { kind, request, answers: result.answers ?? null, ok, ...said };
    }
    case 'client-call-answer': {
      const { ok, blocks, text } = clientReturned(result);
      return { kind, request: question?.request ?? string(result.tool_call_id), ok, blocks, text: why ?? text };
    }
    case 'hook-answer':
      return hookAnswer(answer, result, request, said);
    default:
      return { kind, name: question?.type ?? null, ...said };
  }
}

type Text = { text?: string };

/** Valid: no error, an object, `request_id` present (whatever it says; not asked for until 0.58), one of three words. */
function approvalAnswer(answer: Answer, result: Loose, request: string | null, said: Text): Event {
  const option = string(result.response);
  const decision = 'request_id' in result || !needsRequestId(answer) ? decisionOf(option) : null;
  const feedback = string(result.feedback) || null;
  const text = feedback === null ? said : { text: feedback };
  return { kind: 'approval-answer', request, decision, option, feedback, ...text };
}

function needsRequestId({ question, isLegacy }: Answer): boolean {
  return question ? question.type !== LEGACY_APPROVAL : !isLegacy;
}

/** No action is an allow. */
function hookAnswer({ isError, question }: Answer, result: Loose, request: string | null, said: Text): Event {
  const { action, reason } = result;
  const isValid = !isError && 'request_id' in result;
  const word = action === undefined || action === 'allow' ? 'allow' : action === 'block' ? 'deny' : null;
  const about = { request, event: question?.event ?? null, target: question?.target ?? null };
  const why = string(reason) || null;
  return {
    ...{ kind: 'hook-answer', ...about, decision: isValid ? word : null, reason: why },
    ...(why === null ? said : { text: why }),
  };
}

const NOTHING_RETURNED: Returned = { ok: false, blocks: [], displays: [], text: '' };

function clientReturned({ return_value }: Loose): Returned {
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

function idFlags(kind: AnswerKind, answer: Answer, result: Loose): string[] {
  const { question } = answer;
  const named = kind === 'client-call-answer' ? result.tool_call_id : result.request_id;
  if (named === undefined) return kind !== 'approval-answer' || needsRequestId(answer) ? ['no-request-id'] : [];
  return question && named !== question.request ? ['wrong-request-id'] : [];
}

function shapeFlags(kind: AnswerKind, { response, action, answers, return_value }: Loose): string[] {
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

/** An error is an object with a message; some clients send a mere text. */
export function errorText(error: unknown): string | null {
  return string(error) ?? string(object(error).message);
}
