/** `elicitation/create`, in MCP and in ACP: a form to fill in, or a page to open. */
import type { ClientQuestion, Event } from '../../model/event.ts';
import { toJson } from '../../model/message.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';
import { errorText, objectOf, objectsOf, stringOf } from './fields.ts';

export function readElicitation(params: JsonObject): Event {
  const text = stringOf(params.message) ?? '';
  const fields = Object.entries(objectOf(objectOf(params.requestedSchema).properties));
  const questions = fields.map(([id, schema]) => readQuestion(id, objectOf(schema)));
  const page = stringOf(params.url);
  const shownQuestions =
    questions.length > 0 ? questions : [{ id: null, text: page ?? text, options: [], multiple: false }];
  return { kind: 'question', call: null, request: stringOf(params.elicitationId), questions: shownQuestions, text };
}

export function readElicitationAnswer({ message }: DialectLine): Event {
  if (message.envelope === 'error') {
    return { kind: 'question-answer', request: null, answers: null, ok: false, text: errorText(message.body) ?? '' };
  }
  const { action, content } = objectOf(message.body);
  const word = stringOf(action) ?? stringOf(objectOf(action).action) ?? '';
  return { kind: 'question-answer', request: null, answers: content ?? null, ok: word === 'accept', text: word };
}

function readQuestion(id: string, schema: JsonObject): ClientQuestion {
  const items = objectOf(schema.items);
  const text = stringOf(schema.title) ?? stringOf(schema.description) ?? id;
  return { id, text, options: [...readOptions(schema), ...readOptions(items)], multiple: schema.type === 'array' };
}

/** Choices are an `enum`, with or without names for them, or constants with titles. */
function readOptions(schema: JsonObject): ClientQuestion['options'] {
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  const plain = Array.isArray(schema.enum) ? schema.enum : [];
  return [
    ...plain.map((value, i) => ({ label: labelOf(value), description: stringOf(names[i]) })),
    ...[...objectsOf(schema.oneOf), ...objectsOf(schema.anyOf)].map((choice) => {
      return { label: labelOf(choice.const), description: stringOf(choice.title) };
    }),
  ];
}

function labelOf(value: unknown): string {
  return stringOf(value) ?? toJson(value);
}
