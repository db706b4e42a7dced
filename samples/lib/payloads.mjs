// Payloads with every field of the protocol in the agent's own order, absent ones as null or their default:
// the real agent never leaves a field out. Scenario files and client answers may.

import { randomBytes } from 'node:crypto';
import { InvalidParams, UnknownPart } from './failures.mjs';

export const hex = (bytes) => randomBytes(bytes).toString('hex');

const MEDIA = ['image_url', 'audio_url', 'video_url'];

export const text = (words) => ({ type: 'text', text: words });
export const think = (words, encrypted = null) => ({ type: 'think', think: words, encrypted });
export const media = (type, { url, id = null }) => ({ type, [type]: { url, id } });

/** A content part in full. Throws InvalidParams for a broken one, UnknownPart for a type nobody knows. */
export function contentPart(part) {
  if (part === null || typeof part !== 'object' || typeof part.type !== 'string') throw new InvalidParams();
  if (part.type === 'text' && typeof part.text === 'string') return text(part.text);
  if (part.type === 'think' && typeof part.think === 'string') return think(part.think, part.encrypted ?? null);
  if (MEDIA.includes(part.type) && typeof part[part.type]?.url === 'string') return media(part.type, part[part.type]);
  if (part.type === 'text' || part.type === 'think' || MEDIA.includes(part.type)) throw new InvalidParams();
  throw new UnknownPart(part.type);
}

const DISPLAY_BLOCKS = {
  brief: ({ text: words }) => ({ text: words }),
  diff: ({ path, old_text, new_text, old_start = 1, new_start = 1, is_summary = false }) => ({
    path,
    old_text,
    new_text,
    old_start,
    new_start,
    is_summary,
  }),
  todo: ({ items }) => ({ items: items.map(({ title, status }) => ({ title, status })) }),
  shell: ({ language, command }) => ({ language, command }),
  background_task: ({ task_id, kind, status, description }) => ({ task_id, kind, status, description }),
};

/**
 * A display block in full. An unknown one is wrapped in `data`, once for every reading:
 * the replay of a session therefore nests it one level deeper, as the real agent's does.
 */
export function displayBlock({ type, ...rest }) {
  const known = DISPLAY_BLOCKS[type];
  return known ? { type, ...known(rest) } : { type, data: rest };
}

export const brief = (words) => ({ type: 'brief', text: words });

/** A tool's return value in full; a string is taken as its output. */
export function returnValue(value) {
  const {
    is_error = false,
    output = '',
    message = '',
    display = [],
    extras = null,
  } = typeof value === 'string' ? { output: value } : value;
  return {
    is_error,
    output: Array.isArray(output) ? output.map(contentPart) : output,
    message,
    display: display.map(displayBlock),
    extras,
  };
}

export const toolError = (message, briefly) => returnValue({ is_error: true, message, display: [brief(briefly)] });

/** @param {Record<string, unknown>} [known] the fields that say something; null means "no change" */
export function statusUpdate(known = {}) {
  return {
    context_usage: null,
    context_tokens: null,
    max_context_tokens: null,
    token_usage: null,
    message_id: null,
    plan_mode: null,
    mcp_status: null,
    ...known,
  };
}

export function questionItem(item) {
  return {
    question: item.question,
    header: item.header ?? '',
    options: item.options.map(({ label, description = '' }) => ({ label, description })),
    multi_select: item.multi_select ?? false,
    body: item.body ?? '',
    other_label: item.other_label ?? '',
    other_description: item.other_description ?? '',
  };
}

export function notification(about) {
  return {
    id: about.id ?? `n${hex(4)}`,
    category: about.category ?? 'task',
    type: about.type ?? 'task.completed',
    source_kind: about.source_kind ?? 'background_task',
    source_id: about.source_id ?? '',
    title: about.title ?? '',
    body: about.body ?? '',
    severity: about.severity ?? 'info',
    created_at: about.created_at ?? Date.now() / 1000,
    payload: about.payload ?? {},
  };
}

export function stepRetry(n, about) {
  return {
    n,
    next_attempt: about.next_attempt ?? 2,
    max_attempts: about.max_attempts ?? 3,
    wait_s: about.wait_s ?? 0.3,
    error_type: about.error_type ?? 'APIStatusError',
    status_code: about.status_code === undefined ? 500 : about.status_code,
  };
}
