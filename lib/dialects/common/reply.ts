/**
 * The line that would answer a request: a suggestion for people, and an answer for a program that plays one side.
 * Each dialect has its own in `reply.ts`. A request of an unknown kind is refused, which answers it too.
 */
import { toJson } from '../../model/message.ts';
import type { JsonObject } from '../dialect.ts';
import { objectOf } from './fields.ts';

export interface ReplyLine {
  line: JsonObject;
  /** Values that could replace the chosen one: other decisions, other options. */
  or: readonly string[];
}

/** `request`: the whole line that asks. Null if nothing is known that answers it. */
export type ReplyTo = (request: JsonObject) => ReplyLine | null;

export const NO_REPLY: ReplyTo = () => null;

/**
 * The line that answers a request of the agent with a no: nothing runs, nothing is read, no question is answered. Null if
 * the protocol has no such answer, so that only an error is left.
 */
export type DeclineTo = (request: JsonObject) => JsonObject | null;

export const NO_DECLINE: DeclineTo = () => null;

/** The reason that agents and their users see. */
export const DECLINED = 'Rejected: the replayed session has no answer to this request';

/** A JSON-RPC answer. */
export function rpcReply({ id }: JsonObject, result: unknown, or: readonly string[] = []): ReplyLine {
  return { line: { jsonrpc: '2.0', id, result }, or };
}

/** A form is accepted with what it requires. */
export function elicitationReply(request: JsonObject): ReplyLine {
  const { requestedSchema, url } = objectOf(request.params);
  const { properties, required } = objectOf(requestedSchema);
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const content = Object.fromEntries(names.map((name) => [name, sampleOf(objectOf(objectOf(properties)[name]))]));
  const result = url === undefined ? { action: 'accept', content } : { action: 'accept' };
  return rpcReply(request, result, ['decline', 'cancel']);
}

export function elicitationDecline({ id }: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result: { action: 'decline' } };
}

/** A value that fits the schema of a field, as far as forms go. */
function sampleOf(schema: JsonObject): unknown {
  const { type, enum: values, oneOf, minimum } = schema;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(values) && values.length > 0) return values[0];
  if (Array.isArray(oneOf) && oneOf.length > 0) return objectOf(oneOf[0]).const;
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  return type === 'number' || type === 'integer' ? (minimum ?? 0) : '…';
}

/** Longer lines are not worth showing. */
const MAX_LINE_LENGTH = 4000;
// Everything that `visible` would replace, so the line is shown exactly as it must be sent.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}\p{Surrogate}]/gu;

/** A line as it is sent, without its line feed; null if it is too long. Characters that cannot be seen are escaped. */
export function formatLine(line: JsonObject): string | null {
  const text = toJson(line);
  if (text === '' || text === '…' || text.length > MAX_LINE_LENGTH) return null;
  return text.replace(INVISIBLE, (c) =>
    [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}
