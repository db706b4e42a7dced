/** What the agent asks its client, by type, and the kind of the answer. */
import type { ClientQuestion, Event } from '../../model/event.ts';
import { parseJson } from '../../model/message.ts';
import { listOf, objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { displayBlock } from './content.ts';
import { OPTIONS } from './decisions.ts';
import type { AnswerKind } from './sent-requests.ts';

interface WireRequestType {
  answer: AnswerKind;
  read: (payload: JsonObject) => Event;
}

export const LEGACY_APPROVAL = 'approval';

export const REQUESTS: ReadonlyMap<unknown, WireRequestType> = new Map<unknown, WireRequestType>([
  ['ApprovalRequest', { answer: 'approval-answer', read: readApproval }],
  [LEGACY_APPROVAL, { answer: 'approval-answer', read: readApproval }],
  ['ToolCallRequest', { answer: 'client-call-answer', read: readClientCall }],
  ['QuestionRequest', { answer: 'question-answer', read: readQuestion }],
  ['HookRequest', { answer: 'hook-answer', read: readHook }],
]);

function readApproval({ id, tool_call_id, sender, action, description, display, source_kind }: JsonObject): Event {
  const text = stringOf(description);
  const tool = stringOf(sender);
  const event: Event = {
    kind: 'approval',
    request: stringOf(id),
    call: stringOf(tool_call_id),
    tool,
    action: stringOf(action),
    description: text,
    arguments: null,
    options: OPTIONS,
    displays: listOf(display).map(displayBlock),
  };
  if (source_kind === 'background_agent') event.flags = ['background'];
  const command = text?.match(COMMAND)?.[1] ?? null;
  const path = text?.match(FILE)?.[1] ?? null;
  if (command !== null || path !== null)
    event.subject = { name: tool, command, title: null, paths: path === null ? [] : [path] };
  return withText(event, text);
}

/** The words of kimi-cli. The call of a subagent may not be on the tape, and old versions display nothing. */
const COMMAND = /^Run (?:background )?command `([\s\S]+)`$/;
const FILE = /^(?:Write|Edit) file `([\s\S]+)`$/;

/** A tool that the client provides. A ToolCall with the same id has announced the call. */
function readClientCall({ id, name, arguments: args }: JsonObject): Event {
  const tool = stringOf(name);
  return {
    kind: 'client-call',
    request: stringOf(id),
    call: stringOf(id),
    tool,
    what: tool ?? '',
    arguments: typeof args === 'string' ? (parseJson(args) ?? args) : args,
    restates: true,
  };
}

function readQuestion({ id, tool_call_id, questions }: JsonObject): Event {
  const items = listOf(questions).map(objectOf);
  const text = items.flatMap(({ question, body }) => [stringOf(question), stringOf(body)]).filter((part) => part);
  return {
    kind: 'question',
    request: stringOf(id),
    call: stringOf(tool_call_id),
    questions: items.map(readQuestionItem),
    text: text.join('\n'),
  };
}

/** Answers refer to a question by its text. */
function readQuestionItem({ question, options, multi_select }: JsonObject): ClientQuestion {
  return {
    id: null,
    text: stringOf(question) ?? '',
    options: listOf(options)
      .map(objectOf)
      .map(({ label, description }) => ({ label: stringOf(label) ?? '', description: stringOf(description) || null })),
    multiple: multi_select === true,
  };
}

/** Hooks around a tool name its call in their input. */
function readHook({ id, event, target, input_data }: JsonObject): Event {
  const read: Event = {
    kind: 'hook',
    request: stringOf(id),
    event: stringOf(event) ?? '',
    target: stringOf(target) || null,
  };
  const call = stringOf(objectOf(input_data).tool_call_id);
  if (call !== null) read.call = call;
  return read;
}
