/** What an API other than chat completions needs: its requests as those of chat, and its form of an answer. */
import type { ServerResponse } from 'node:http';
import type { Message } from '../support/talk.ts';

/** A piece of text, a call, or that nothing follows for ever. */
export type Part = string | ToolCall | symbol;

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface Api {
  path: RegExp;
  /** `messages` and `tools`, as far as the plays look at them. */
  toChat(asked: Message): { messages: Message[]; tools: Message[] };
  answer(response: ServerResponse, asked: Message, parts: Part[], url: string): void;
}
