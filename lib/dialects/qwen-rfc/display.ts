/** `x-qwen-tool-display`: the progress of a call, and its result. */
import type { Block, Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { diffOf, readable, todoOf } from '../common/content.ts';
import { stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

export function readDisplay(value: JsonObject): Event {
  const call = stringOf(value.tool_call_id);
  const status = (stringOf(value.status) ?? '').toLowerCase();
  const shown = blocksOf(value.result_display);
  if (status !== 'success' && status !== 'error' && status !== 'canceled') {
    return withText({ kind: 'progress', call }, readable(shown) ?? stringOf(value.status));
  }
  const blocks = shown.filter(({ type }) => type === 'text');
  const displays = shown.filter(({ type }) => type !== 'text');
  return withText({ kind: 'tool-result', call, ok: status === 'success', blocks, displays }, readable(shown));
}

function blocksOf(shown: unknown): Block[] {
  if (typeof shown === 'string') return [{ type: 'text', text: shown }];
  if (!isObject(shown)) return [];
  const { kind, file_name, original, modified, todos, items, text, value, content, plan } = shown;
  switch (kind) {
    case 'file_diff':
      return [diffOf(file_name, original, modified)];
    case 'todo_list':
      return [todoOf(todos ?? items)];
    case 'string':
    case 'plan_summary': {
      const foundText = [text, value, content, plan].find((part) => typeof part === 'string');
      if (foundText !== undefined) return [{ type: 'text', text: foundText as string }];
    }
  }
  return [{ type: 'unknown', name: stringOf(kind) ?? '', value: shown }];
}
