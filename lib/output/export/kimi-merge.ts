/** Merges the streamed parts of a message as kimi does before it writes its wire.jsonl. */

export interface KimiMessage {
  type: string;
  payload: Record<string, unknown>;
}

/** Whether later parts may continue this message. */
export function isMergeable({ type }: KimiMessage): boolean {
  return type === 'ContentPart' || type === 'ToolCall' || type === 'ToolCallPart';
}

/** Adds `part` to `message` and returns true if it continues it. */
export function mergeInto(message: KimiMessage, part: KimiMessage): boolean {
  const into = message.payload;
  const more = part.payload;
  if (message.type === 'ContentPart' && part.type === 'ContentPart') return mergeContent(into, more);
  if (part.type !== 'ToolCallPart' || !isText(more.arguments_part)) return false;
  if (message.type === 'ToolCallPart') return append(into, 'arguments_part', more.arguments_part);
  const called = into.function as Record<string, unknown> | undefined;
  return message.type === 'ToolCall' && called ? append(called, 'arguments', more.arguments_part) : false;
}

function mergeContent(into: Record<string, unknown>, more: Record<string, unknown>): boolean {
  if (into.type !== more.type) return false;
  if (into.type === 'text') return append(into, 'text', more.text);
  // A signature ends a thought.
  if (into.type !== 'think' || into.encrypted || !append(into, 'think', more.think)) return false;
  if (more.encrypted) into.encrypted = more.encrypted;
  return true;
}

function append(into: Record<string, unknown>, key: string, more: unknown): boolean {
  const before = into[key];
  if (!isText(before) || !isText(more)) return false;
  into[key] = before == null && more == null ? null : `${before ?? ''}${more ?? ''}`;
  return true;
}

function isText(value: unknown): value is string | null | undefined {
  return value == null || typeof value === 'string';
}
