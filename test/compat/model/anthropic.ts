/** The messages API of Anthropic, as Claude Code asks for it. */
import type { Message } from '../support/talk.ts';
import type { Api, Part } from './api.ts';

const USAGE = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 10 };

export const anthropic: Api = {
  path: /\/messages(\?|$)/,

  toChat({ messages = [], tools = [] }) {
    return {
      messages: messages.flatMap(({ role, content }: Message) =>
        typeof content === 'string' ? [{ role, content }] : content.map((block: Message) => said(role, block)),
      ),
      tools: tools
        .filter((tool: Message) => tool.input_schema)
        .map(({ name, input_schema }: Message) => ({ function: { name, parameters: input_schema } })),
    };
  },

  answer(response, { model, stream, messages }, parts) {
    // Claude Code joins messages with the same id.
    const head = { id: `msg_mock_${messages.length}`, type: 'message', role: 'assistant', model, stop_sequence: null };
    const blocks = parts.filter((part) => typeof part !== 'symbol').map(blockOf);
    const stop_reason = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
    if (!stream) return response.end(JSON.stringify({ ...head, content: blocks, stop_reason, usage: USAGE }));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (type: string, value: object = {}) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`);
    send('message_start', {
      message: { ...head, content: [], stop_reason: null, usage: { ...USAGE, output_tokens: 1 } },
    });
    blocks.forEach((block, index) => {
      const [empty, delta] = opening(block);
      send('content_block_start', { index, content_block: empty });
      send('content_block_delta', { index, delta });
      // What is held is never finished.
      if (parts.length === blocks.length || index < blocks.length - 1) send('content_block_stop', { index });
    });
    if (parts.length > blocks.length) return;
    send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } });
    send('message_stop');
    response.end();
  },
};

/** A block as a message of its own. */
function said(role: string, { type, text = '', id, content }: Message): Message {
  if (type === 'tool_result') return { role: 'tool', content };
  return type === 'tool_use' ? { role, content: '', tool_calls: [id] } : { role, content: text };
}

function blockOf(part: Part): Message {
  if (typeof part !== 'object') return { type: 'text', text: part };
  const { id, function: call } = part;
  return { type: 'tool_use', id, name: call.name, input: JSON.parse(call.arguments) };
}

function opening({ text, input, ...block }: Message): [object, object] {
  return block.type === 'text'
    ? [
        { ...block, text: '' },
        { type: 'text_delta', text },
      ]
    : [
        { ...block, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      ];
}
