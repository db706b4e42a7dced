/** What a permission request is about, in either version of the protocol. */
import { objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

/** What the request is about: its call, or in ACP 2 its subject, which may be a command without a call. */
export function detailsOf({ toolCall, subject }: JsonObject): JsonObject {
  if (subject === undefined || subject === null) return objectOf(toolCall);
  const { type, toolCall: subjectCall, toolCallId, command, cwd } = objectOf(subject);
  if (type !== 'command') return objectOf(subjectCall);
  return { ...(typeof toolCallId === 'string' ? { toolCallId } : {}), kind: 'execute', rawInput: { command, cwd } };
}

/** A title and a description, as ACP 2 has them; null if there is neither. */
export function linesOf(...texts: unknown[]): string | null {
  const lines = texts.map(stringOf).filter((line) => line !== null);
  return lines.length === 0 ? null : lines.join('\n');
}
