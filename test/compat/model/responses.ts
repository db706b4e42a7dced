/**
 * The responses API of OpenAI, as Codex asks for it. Codex writes files with a tool that takes a patch as plain text, so to
 * the plays it is a tool with a path and content.
 */
import type { Message } from '../support/talk.ts';
import type { Api, Part, ToolCall } from './api.ts';

const USAGE = {
  ...{ input_tokens: 100, output_tokens: 10, total_tokens: 110 },
  ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
};
const PATCH = 'apply_patch';
const WRITE = { function: { name: 'write_file', parameters: { properties: { path: {}, content: {} } } } };

export const responses: Api = {
  path: /\/responses(\?|$)/,

  toChat({ input = [], tools = [] }) {
    return {
      messages: input.map(said),
      tools: tools.some(({ name }: Message) => name === PATCH) ? [WRITE] : [],
    };
  },

  answer(response, { model, input }, parts) {
    const head = { id: `resp_mock_${input.length}`, object: 'response', created_at: 0, model };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (type: string, value: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`);
    send('response.created', { response: { ...head, status: 'in_progress', output: [] } });
    const items = itemsOf(parts, input.length);
    items.forEach(({ item, deltas }, output_index) => {
      const at = { item_id: item.id, output_index };
      const kind = item.type === 'message' ? 'output_text' : 'custom_tool_call_input';
      send('response.output_item.added', {
        output_index,
        item: { ...item, ...EMPTY[item.type as keyof typeof EMPTY] },
      });
      for (const delta of deltas) send(`response.${kind}.delta`, { ...at, content_index: 0, delta });
      if (item.status === 'completed') send('response.output_item.done', { output_index, item });
    });
    if (parts.some((part) => typeof part === 'symbol')) return;
    const output = items.map(({ item }) => item);
    send('response.completed', { response: { ...head, status: 'completed', output, usage: USAGE } });
    response.end();
  },
};

/** An item before it has content. */
const EMPTY = {
  message: { content: [], status: 'in_progress' },
  custom_tool_call: { input: '', status: 'in_progress' },
};

function said({ type, role, content, call_id, output }: Message): Message {
  if (/_output$/.test(type)) return { role: 'tool', content: output };
  return /_call$/.test(type) ? { role: 'assistant', content: '', tool_calls: [call_id] } : { role, content };
}

/** One message for all text, which is not finished if the answer is held, and an item for each call. */
function itemsOf(parts: Part[], n: number): { item: Message; deltas: string[] }[] {
  const deltas = parts.filter((part) => typeof part === 'string');
  const isHeld = parts.some((part) => typeof part === 'symbol');
  const calls = parts.filter((part) => typeof part === 'object');
  const content = [{ type: 'output_text', text: deltas.join(''), annotations: [] }];
  const status = isHeld ? 'in_progress' : 'completed';
  const message = { id: `msg_mock_${n}`, type: 'message', role: 'assistant', status, content };
  return [{ item: message, deltas }, ...calls.map(callOf)];
}

function callOf({ id, function: { arguments: args } }: ToolCall): { item: Message; deltas: string[] } {
  const { path, content } = JSON.parse(args);
  const added = content.replace(/\n$/, '').split('\n');
  const input = [
    '*** Begin Patch',
    `*** Add File: ${path}`,
    ...added.map((line: string) => `+${line}`),
    '*** End Patch',
  ].join('\n');
  const item = { id: `item_${id}`, type: 'custom_tool_call', status: 'completed', call_id: id, name: PATCH, input };
  return { item, deltas: [input] };
}
