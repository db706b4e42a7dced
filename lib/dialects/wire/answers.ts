/**
 * What a client answers, and whether it is valid. What the agent makes of an invalid answer (a reject, a dismissal, an
 * allow) is not the client's decision. Flags say what is wrong with the answer.
 */
import type { Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { errorText, objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { readToolReturn, type ToolReturn } from './content.ts';
import { decisionOf } from './decisions.ts';
import { LEGACY_APPROVAL } from './requests.ts';
import type { AnswerKind, SentRequest } from './sent-requests.ts';

export interface WireAnswer {
  /** The whole line, because it may have both an error and a result. */
  value: JsonObject;
  isError: boolean;
  /** What it answers; undefined if it matches no request, or one that is too old. */
  question: SentRequest | undefined;
  isLegacy: boolean;
}

/** The kind of an answer that matches no request, by its shape. */
export function kindByShape(result: unknown): AnswerKind | 'control' {
  if (!isObject(result)) return 'control';
  if ('response' in result || 'outcome' in result) return 'approval-answer';
  if ('answers' in result) return 'question-answer';
  if ('return_value' in result) return 'client-call-answer';
  return 'action' in result ? 'hook-answer' : 'control';
}

export function readAnswer(kind: AnswerKind | 'control', answer: WireAnswer): Event {
  const event = readUnflagged(kind, answer);
  const flags = flagsOf(kind, answer);
  if (flags.length > 0) event.flags = flags;
  return event;
}

function readUnflagged(kind: AnswerKind | 'control', answer: WireAnswer): Event {
  const { value, isError, question } = answer;
  const result = objectOf(isError ? null : value.result);
  const event = readKind(kind, answer, result, question ? question.request : stringOf(result.request_id));
  return withText(event, isError ? errorText(value.error) : null);
}

function readKind(kind: AnswerKind | 'control', answer: WireAnswer, result: JsonObject, request: string | null): Event {
  const { question } = answer;
  switch (kind) {
    case 'approval-answer':
      return readApprovalAnswer(answer, result, request);
    case 'question-answer': {
      const ok = isObject(result.answers) && 'request_id' in result;
      return { kind, request, answers: result.answers ?? null, ok };
    }
    case 'client-call-answer': {
      const { ok, blocks, text } = readReturnValue(result);
      return { kind, request: question?.request ?? stringOf(result.tool_call_id), ok, blocks, text };
    }
    case 'hook-answer':
      return readHookAnswer(answer, result, request);
    default:
      return { kind, name: question?.type ?? null };
  }
}

/** Valid: no error, an object with any `request_id` (optional until 0.58), and one of three words. */
function readApprovalAnswer(answer: WireAnswer, result: JsonObject, request: string | null): Event {
  const option = stringOf(result.response);
  const decision = 'request_id' in result || !needsRequestId(answer) ? decisionOf(option) : null;
  const feedback = stringOf(result.feedback) || null;
  return withText({ kind: 'approval-answer', request, decision, option, feedback }, feedback);
}

function needsRequestId({ question, isLegacy }: WireAnswer): boolean {
  return question ? question.type !== LEGACY_APPROVAL : !isLegacy;
}

/** A missing action means allow. */
function readHookAnswer({ isError, question }: WireAnswer, result: JsonObject, request: string | null): Event {
  const { action, reason } = result;
  const isValid = !isError && 'request_id' in result;
  const word = action === undefined || action === 'allow' ? 'allow' : action === 'block' ? 'deny' : null;
  const why = stringOf(reason) || null;
  const event: Event = {
    kind: 'hook-answer',
    request,
    event: question?.event ?? null,
    target: question?.target ?? null,
    decision: isValid ? word : null,
    reason: why,
  };
  return withText(event, why);
}

const NOTHING_RETURNED: ToolReturn = { ok: false, blocks: [], displays: [], text: '' };

function readReturnValue({ return_value }: JsonObject): ToolReturn {
  return isObject(return_value) ? readToolReturn(return_value) : NOTHING_RETURNED;
}

/** What is wrong with an answer, as flags of the model. */
function flagsOf(kind: AnswerKind | 'control', answer: WireAnswer): string[] {
  const { value, isError } = answer;
  if (kind === 'control' || kind === 'other') return [];
  if (isError) return 'result' in value ? ['both', 'client-error'] : ['client-error'];
  const { result } = value;
  return isObject(result) ? [...idFlags(kind, answer, result), ...shapeFlags(kind, result)] : ['bad-shape'];
}

function idFlags(kind: AnswerKind, answer: WireAnswer, result: JsonObject): string[] {
  const { question } = answer;
  const named = kind === 'client-call-answer' ? result.tool_call_id : result.request_id;
  if (named === undefined) return kind !== 'approval-answer' || needsRequestId(answer) ? ['no-request-id'] : [];
  return question && named !== question.request ? ['wrong-request-id'] : [];
}

function shapeFlags(kind: AnswerKind, { response, action, answers, return_value }: JsonObject): string[] {
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
