/** What the agent asks its client: the payload of each type as one event, and what kind its answer is. */
import type { Event, Question } from '../../core/event.ts';
import { parseJson } from '../../core/message.ts';
import type { AnswerKind } from './asked.ts';
import { displayBlock } from './content.ts';
import { type Loose, list, object, string } from './values.ts';
import { OPTIONS } from './words.ts';

interface Request {
  answer: AnswerKind;
  read: (payload: Loose) => Event;
}

export const LEGACY_APPROVAL = 'approval';

export const REQUESTS: ReadonlyMap<unknown, Request> = new Map<unknown, Request>([
  ['ApprovalRequest', { answer: 'approval-answer', read: approval }],
  [LEGACY_APPROVAL, { answer: 'approval-answer', read: approval }],
  ['ToolCallRequest', { answer: 'client-call-answer', read: clientCall }],
  ['QuestionRequest', { answer: 'question-answer', read: question }],
  ['HookRequest', { answer: 'hook-answer', read: hook }],
]);

function approval({ id, tool_call_id, sender, action, description, display, source_kind }: Loose): Event {
  const text = string(description);
  const event: Event = {
    kind: 'approval',
    request: string(id),
    call: string(tool_call_id),
    tool: string(sender),
    action: string(action),
    description: text,
    arguments: null,
    options: OPTIONS,
    displays: list(display).map(displayBlock),
  };
  if (text !== null) event.text = text;
  if (source_kind === 'background_agent') event.flags = ['background'];
  return event;
}

/** A tool of the client's own: the call was announced by a ToolCall with the same id. */
function clientCall({ id, name, arguments: args }: Loose): Event {
  const tool = string(name);
  return {
    kind: 'client-call',
    request: string(id),
    call: string(id),
    tool,
    what: tool ?? '',
    arguments: typeof args === 'string' ? (parseJson(args) ?? args) : args,
    restates: true,
  };
}

function question({ id, tool_call_id, questions }: Loose): Event {
  const items = list(questions).map(object);
  const text = items.flatMap(({ question, body }) => [string(question), string(body)]).filter((part) => part);
  return {
    kind: 'question',
    request: string(id),
    call: string(tool_call_id),
    questions: items.map(questionItem),
    text: text.join('\n'),
  };
}

/** Answers name a question by its text. */
function questionItem({ question, options, multi_select }: Loose): Question {
  return {
    id: null,
    text: string(question) ?? '',
    options: list(options)
      .map(object)
      .map(({ label, description }) => ({ label: string(label) ?? '', description: string(description) || null })),
    multiple: multi_select === true,
  };
}

/** Hooks around a tool name its call in their input. */
function hook({ id, event, target, input_data }: Loose): Event {
  const read: Event = {
    kind: 'hook',
    request: string(id),
    event: string(event) ?? '',
    target: string(target) || null,
  };
  const call = string(object(input_data).tool_call_id);
  if (call !== null) read.call = call;
  return read;
}
