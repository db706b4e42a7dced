/** Google's generateContent, as Gemini CLI asks for it. */
import type { Message } from '../support/talk.ts';
import type { Api, Part } from './api.ts';

const USAGE = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 };
/** What the agent asks about the conversation itself: which model to use, and who speaks next. */
const JUDGEMENT = {
  reasoning: 'none',
  model_choice: 'pro',
  complexity_reasoning: 'none',
  complexity_score: 50,
  next_speaker: 'user',
};

export const gemini: Api = {
  path: /enerateContent/,

  toChat({ contents = [], tools = [] }) {
    const declared = tools.flatMap(({ functionDeclarations = [] }: Message) => functionDeclarations);
    return {
      messages: contents.flatMap(({ role, parts = [] }: Message) => parts.map((part: Message) => said(role, part))),
      tools: declared.map(({ name, parametersJsonSchema, parameters }: Message) => ({
        function: { name, parameters: parametersJsonSchema ?? parameters },
      })),
    };
  },

  answer(response, asked, parts, url) {
    const isJudging = /json/.test(asked.generationConfig?.responseMimeType ?? '');
    const given = isJudging
      ? [{ text: JSON.stringify(JUDGEMENT) }]
      : parts.filter((part) => typeof part !== 'symbol').map(partOf);
    const chunk = (some: object[], finishReason?: string) =>
      JSON.stringify({
        candidates: [{ index: 0, content: { role: 'model', parts: some }, finishReason }],
        usageMetadata: USAGE,
      });
    if (!/stream/i.test(url)) return response.end(chunk(given, 'STOP'));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of given) response.write(`data: ${chunk([part])}\n\n`);
    if (!isJudging && parts.length > given.length) return;
    response.end(`data: ${chunk([{ text: '' }], 'STOP')}\n\n`);
  },
};

/** A part as a message of its own. */
function said(role: string, { text = '', functionCall, functionResponse }: Message): Message {
  if (functionResponse) return { role: 'tool', content: '' };
  const tool_calls = functionCall ? [functionCall.name] : undefined;
  return { role: role === 'model' ? 'assistant' : role, content: text, tool_calls };
}

function partOf(part: Part): object {
  if (typeof part !== 'object') return { text: part };
  const { id, function: call } = part;
  return { functionCall: { id, name: call.name, args: JSON.parse(call.arguments) } };
}
