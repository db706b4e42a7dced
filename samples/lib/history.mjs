// What `replay` sends again: the session's own messages with their deltas merged.
// Approvals and hook requests never enter it, as in the real agent since 1.25.

import { displayBlock } from './payloads.mjs';

/** Joins a stream's deltas: holds the last message back until one comes that cannot be joined to it. */
export class MergeBuffer {
  #held = null;
  #pass;

  /** @param {(type: string, payload: object) => void} pass */
  constructor(pass) {
    this.#pass = pass;
  }

  add(type, payload) {
    const joined = this.#held && join(this.#held, type, payload);
    if (joined) {
      this.#held = joined;
      return;
    }
    this.flush();
    if (['ContentPart', 'ToolCall', 'ToolCallPart'].includes(type)) this.#held = { type, payload };
    else this.#pass(type, payload);
  }

  flush() {
    const held = this.#held;
    this.#held = null;
    if (held) this.#pass(held.type, held.payload);
  }
}

function join(held, type, payload) {
  const before = held.payload;
  if (type === 'ContentPart' && held.type === type && before.type === payload.type) {
    if (payload.type === 'text') return { type, payload: { ...before, text: before.text + payload.text } };
    if (payload.type === 'think' && before.encrypted === null) {
      return { type, payload: { ...before, think: before.think + payload.think, encrypted: payload.encrypted } };
    }
  }
  if (type === 'ToolCallPart' && held.type === 'ToolCall') {
    const call = before.function;
    const args = (call.arguments ?? '') + (payload.arguments_part ?? '');
    return { type: 'ToolCall', payload: { ...before, function: { ...call, arguments: args } } };
  }
  if (type === 'ToolCallPart' && held.type === type) {
    return { type, payload: { arguments_part: (before.arguments_part ?? '') + (payload.arguments_part ?? '') } };
  }
  return null;
}

export class History {
  /** @type {{kind: 'event' | 'request', type: string, payload: any}[]} */
  #records = [];
  #merging = new MergeBuffer((type, payload) => this.append('event', type, payload));

  event(type, payload) {
    this.#merging.add(type, payload);
  }

  request(type, payload) {
    this.#merging.flush();
    this.append('request', type, payload);
  }

  /** Ends a turn: whatever is still held back is written down. */
  flush() {
    this.#merging.flush();
  }

  /** Goes straight to the end of the record, past a stream that is still being merged. */
  append(kind, type, payload) {
    this.#records.push({ kind, type, payload });
  }

  get isEmpty() {
    return this.#records.length === 0;
  }

  *replay() {
    for (const { kind, type, payload } of this.#records) yield { kind, type, payload: readAgain(type, payload) };
  }
}

function readAgain(type, payload) {
  if (type === 'SubagentEvent') {
    const { event } = payload;
    return { ...payload, event: { ...event, payload: readAgain(event.type, event.payload) } };
  }
  if (type !== 'ToolResult') return payload;
  const value = payload.return_value;
  return { ...payload, return_value: { ...value, display: value.display.map(displayBlock) } };
}
