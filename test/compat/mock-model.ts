/**
 * A model without a network: an OpenAI-compatible chat completions server on loopback, on a port of its own, which also
 * speaks the APIs in `model/`.
 * The prompt says what it does: a user message with `play: NAME` picks one of the PLAYS. It promises the same answer to
 * the same conversation, whoever asks and however often: ids are counted in the conversation, not in the server.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './model/anthropic.ts';
import type { Api, Part, ToolCall } from './model/api.ts';
import { gemini } from './model/gemini.ts';
import { responses } from './model/responses.ts';
import type { Message } from './support/talk.ts';

const PLAY = /play: (\w+)/;
const HOLD = Symbol('the answer is never finished: the turn lasts until somebody cancels it');

/** What the model says at each step of a play; a string is a piece of text, an object asks for a tool. */
const PLAYS: Record<string, (string | { tool: 'write' } | typeof HOLD)[][]> = {
  greet: [['Hello ', 'from the mock model: ', 'ünï✓ 你好,\n', 'two lines.']],
  write: [
    ['I will write it down.', { tool: 'write' }],
    ['That was ', 'the file.'],
  ],
  hold: [['Just a moment', HOLD]],
};

/** What this project calls a tool, by the names that agents have for it. */
const TOOL_NAMES = { write: /^write(_?file)?$/i };

export interface Model {
  /** As most agents want it, with the version of the API; and without. */
  url: string;
  origin: string;
  close(): Promise<void>;
}

/** By the path that they are asked for. */
const APIS: readonly Api[] = [anthropic, gemini, responses];

export async function startModel(): Promise<Model> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: error.message, type: 'mock_error' } }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    url: `${origin}/v1`,
    origin,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const model = { id: 'mock-model', object: 'model', created: 0, owned_by: 'test', context_length: 131072 };
  if (request.method === 'GET') return sendJson(response, { object: 'list', data: [model] });
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const asked = JSON.parse(body);
  const api = APIS.find(({ path }) => path.test(request.url!));
  if (api) return api.answer(response, asked, partsFor(api.toChat(asked)), request.url!);
  const parts = partsFor(asked);
  const common = { id: 'chatcmpl-mock', created: 0, model: asked.model };
  if (asked.stream) return stream(response, common, parts);
  const toolCalls = parts.filter((part) => typeof part === 'object');
  const content = parts.filter((part) => typeof part === 'string').join('');
  const message = { role: 'assistant', content, ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}) };
  const finish_reason = toolCalls.length > 0 ? 'tool_calls' : 'stop';
  sendJson(response, {
    ...common,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason }],
    usage: usage(),
  });
}

/** Pieces of text, tool calls and HOLD, as the conversation so far asks for. */
function partsFor({ messages = [], tools = [] }: Message): Part[] {
  const start = messages.findLastIndex((message: Message) => message.role === 'user' && PLAY.test(textOf(message)));
  // Some agents also ask for a title, or whether a prompt is new: without tools.
  if (start < 0 || tools.length === 0) return ['ok'];
  const prompt = textOf(messages[start]);
  const steps = PLAYS[PLAY.exec(prompt)![1]!];
  if (!steps) throw new Error(`no such play in the prompt: ${prompt}`);
  const results = messages.slice(start).filter(({ role }: Message) => role === 'tool').length;
  const calls = messages.flatMap((message: Message) => message.tool_calls ?? []).length;
  const step = steps[Math.min(results, steps.length - 1)]!;
  return step.map((part, i) =>
    typeof part === 'object' ? toolCall(tools, part.tool, prompt, `call_${calls}_${i}`) : part,
  );
}

/** A call of the agent's own tool, its arguments filled in by the names of its parameters. */
function toolCall(tools: Message[], kind: 'write', prompt: string, id: string): ToolCall {
  const tool = tools.map((each) => each.function).find(({ name }) => TOOL_NAMES[kind].test(name));
  if (!tool) throw new Error(`the agent has no tool to ${kind} with`);
  const file = /file: (\S+)/.exec(prompt)?.[1] ?? 'note.txt';
  const values = Object.keys(tool.parameters.properties).map((name) => {
    if (/path$/i.test(name)) return [name, file];
    if (name === 'content') return [name, 'written by the mock model\n'];
    return [name, undefined];
  });
  const args = JSON.stringify(Object.fromEntries(values));
  return { id, type: 'function', function: { name: tool.name, arguments: args } };
}

function stream(response: ServerResponse, common: object, parts: Part[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (choices: object[], extra: object = {}) =>
    response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, ...extra })}\n\n`);
  const delta = (value: object, finish_reason: string | null = null) =>
    send([{ index: 0, delta: value, finish_reason }]);
  delta({ role: 'assistant', content: '' });
  let index = 0;
  for (const part of parts) {
    if (typeof part === 'symbol') return;
    if (typeof part === 'string') delta({ content: part });
    else for (const piece of callPieces(part)) delta({ tool_calls: [{ index, ...piece }] });
    if (typeof part !== 'string') index++;
  }
  delta({}, index > 0 ? 'tool_calls' : 'stop');
  send([], { usage: usage() });
  response.end('data: [DONE]\n\n');
}

/** A tool call as models stream it: its name first, then its arguments in two halves. */
function callPieces({ id, type, function: { name, arguments: args } }: ToolCall): object[] {
  const half = args.length >> 1;
  return [
    { id, type, function: { name, arguments: '' } },
    { function: { arguments: args.slice(0, half) } },
    { function: { arguments: args.slice(half) } },
  ];
}

const usage = () => ({ prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 });

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part: Message) => part.text ?? '').join('\n');
}
