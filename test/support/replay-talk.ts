/** A recorded session in Wire, made line by line, and a client that talks to its replay. */

import { Client } from './client.ts';
import type { TestJournal } from './journal.ts';
import { WIRETAPE } from './run.ts';
import { makeSession, rpc } from './session.ts';
import type { Place } from './store.ts';

type Json = Record<string, unknown>;

/**
 * `>` is a line of the client, `<` of the agent, `!` of stderr; bytes are taken as they are. A number is the exit code, a
 * signal one that was sent, an object how the process ended.
 */
export type Recorded =
  | [who: '>' | '<' | '!', line: Json | string | Buffer]
  | { code: number | null; signal: string | null }
  | number
  | NodeJS.Signals
  | 'eof';

export const event = (type: string, payload: Json = {}): Json => ({ method: 'event', params: { type, payload } });
export const prompt = (id: string, user_input: string): Json => ({ id, method: 'prompt', params: { user_input } });
export const result = (id: string, value: Json): Json => ({ id, result: value });
export const finished = (id: string): Json => result(id, { status: 'finished' });
export const text = (words: string): Json => event('ContentPart', { type: 'text', text: words });
export const approval = (id: string, call: string, command: string): Json => ({
  id,
  method: 'request',
  params: {
    type: 'ApprovalRequest',
    payload: { id, tool_call_id: call, sender: 'Shell', action: 'run command', description: command, display: [] },
  },
});
export const decided = (id: string, response: string): Json => result(id, { request_id: id, response });
export const call = (id: string, command: string): Json =>
  event('ToolCall', { type: 'function', id, function: { name: 'Shell', arguments: JSON.stringify({ command }) } });
export const returned = (id: string, output: string): Json =>
  event('ToolResult', { tool_call_id: id, return_value: { is_error: false, output, message: '', display: [] } });

export const REQUEST = '6db0f565-ebac-4f00-9c11-0a1b2c3d4e5f';

/** One turn with an approval that was given. */
export const APPROVED: Recorded[] = [
  ['>', prompt('p1', 'list it')],
  ['<', event('TurnBegin', { user_input: 'list it' })],
  ['<', event('StepBegin', { n: 1 })],
  ['<', call('c1', 'ls')],
  ['<', approval(REQUEST, 'c1', 'Run command `ls`')],
  ['>', decided(REQUEST, 'approve')],
  ['<', event('ApprovalResponse', { request_id: REQUEST, response: 'approve' })],
  ['<', returned('c1', 'a.txt')],
  ['<', text('one file')],
  ['<', event('TurnEnd')],
  ['<', finished('p1')],
  'eof',
  0,
];

/** Times are a millisecond apart, unless `gap` says so. */
export function record(place: Place, lines: readonly Recorded[], id = '20261116T022911-k3f9', gap = 1000): string {
  const fill = (journal: TestJournal) => {
    let t = 0;
    const next = () => (t += gap);
    journal.event(next(), { from: 'proc', event: 'spawn', pid: 7 });
    for (const line of lines) add(journal, line, next());
    return journal;
  };
  makeSession(place.home, fill, { id, about: { command: ['kimi', '--wire'] } });
  return id;
}

const FROM = { '>': 'client', '<': 'agent', '!': 'stderr' } as const;

function add(journal: TestJournal, line: Recorded, t: number): void {
  if (line === 'eof') journal.event(t, { from: 'client', event: 'eof' });
  else if (typeof line === 'number') journal.exit(t, { code: line, signal: null });
  else if (typeof line === 'string') journal.event(t, { from: 'proc', event: 'signal', signal: line });
  else if (!Array.isArray(line)) journal.exit(t, line);
  else journal.data(FROM[line[0]], t, bytesOf(line[1]));
}

function bytesOf(line: Json | string | Buffer): string | Buffer {
  if (Buffer.isBuffer(line)) return line;
  return typeof line === 'string' ? `${line}\n` : rpc(line);
}

/** A client of `wiretape replay`. */
export class Talk {
  readonly client: Client;
  #seen = 0;

  constructor(place: Place, ...args: string[]) {
    this.client = new Client([WIRETAPE, 'replay', '--instant', ...args], { env: place.env });
  }

  say(line: Json | string): void {
    void this.client.write(typeof line === 'string' ? `${line}\n` : rpc(line));
  }

  get lines(): string[] {
    return this.client.stdout.toString().split('\n').slice(0, -1);
  }

  /** The next line of the agent. */
  async next(): Promise<Json> {
    await this.client.until('\n', 'stdout', this.#seen + 1);
    return JSON.parse(this.lines[this.#seen++]!) as Json;
  }

  /** The next line that has this in it; those before it are skipped. */
  async nextWith(words: string): Promise<Json> {
    for (;;) {
      const line = await this.next();
      if (JSON.stringify(line).includes(words)) return line;
    }
  }

  /** Closes the client's stream and waits for the end. Returns what was said to people. */
  async end(): Promise<{ code: number | null; signal: NodeJS.Signals | null; said: string[] }> {
    this.client.end();
    return this.over();
  }

  async over(): Promise<{ code: number | null; signal: NodeJS.Signals | null; said: string[] }> {
    await this.client.over();
    const { code, signal } = this.client;
    const said = this.client.stderr.toString().split('\n').slice(0, -1);
    return { code, signal, said };
  }
}
