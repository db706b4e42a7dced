/**
 * The same conversation as different agents and runs would write it: a script, and lines made of it in three protocols.
 * What a run is free to choose comes from a style: ids, times, key order, chunks, temporary paths, and what comes first
 * where the protocol leaves that open.
 */
import type { Frame, From } from '../../lib/model/frame.ts';
import { type Session, sessionInMemory } from '../../lib/session/session.ts';

export type Protocol = 'wire' | 'acp' | 'stream-json';
export const PROTOCOLS: readonly Protocol[] = ['wire', 'acp', 'stream-json'];

export interface ScriptedCall {
  is: 'call';
  tool: string;
  args: Record<string, unknown>;
  asked: 'approve' | 'reject' | null;
  /** Null: it never has one. */
  result: string | null;
}

export type ScriptedItem = { is: 'text' | 'thinking'; text: string } | ScriptedCall;

export interface ScriptedTurn {
  prompt: string;
  steps: ScriptedItem[][];
}

export type Script = ScriptedTurn[];

/** In texts: the folder of the agent, a temporary folder, and an id, which each run has its own of. */
export const CWD = '{cwd}';
export const TMP = '{tmp}';
export const UUID = '{uuid}';

/** A small generator of numbers, so that a style is one number. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 12345) >>> 0;
  }

  /** From 0 to n - 1. */
  roll(n: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((this.#state ^ (this.#state >>> 12)) >>> 0) % n;
  }

  word(letters: string, length: number): string {
    return Array.from({ length }, () => letters[this.roll(letters.length)]).join('');
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.word('0123456789abcdef', length)).join('-');
  }

  /** The list in another order. */
  mix<T>(list: readonly T[]): T[] {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.roll(i + 1);
      [out[i], out[j]] = [out[j]!, out[i]!];
    }
    return out;
  }

  /** The text in pieces. */
  cut(text: string): string[] {
    const pieces: string[] = [];
    for (let at = 0; at < text.length; ) {
      const length = 1 + this.roll(12);
      pieces.push(text.slice(at, at + length));
      at += length;
    }
    return pieces;
  }
}

interface Line {
  from: From;
  value: unknown;
}

const agent = (value: unknown): Line => ({ from: 'agent', value });
const client = (value: unknown): Line => ({ from: 'client', value });

/** The session that one run of the script leaves behind. */
export function played(script: Script, protocol: Protocol, style: number): Session {
  const dice = new Dice(style);
  const cwd = `/home/dev/${dice.word('abcdefgh', 5)}-project`;
  const tmp = `/tmp/run-${dice.word('ABCDEFGHabcdefgh0123456789', 7)}Z9`;
  const uuid = dice.uuid();
  const own = (text: string) => text.replaceAll(CWD, cwd).replaceAll(TMP, tmp).replaceAll(UUID, uuid);
  // Before it is cut into chunks.
  const lines = new Player(dice, protocol, cwd).lines(JSON.parse(own(JSON.stringify(script))) as Script);
  let t = 0;
  const started_at = `2026-0${1 + dice.roll(9)}-1${dice.roll(9)}T0${dice.roll(9)}:00:00.000000Z`;
  const frames = withStderr(lines, dice).map(({ from, value }, i): Frame => {
    t += dice.roll(1000) / 1000;
    const text = typeof value === 'string' ? value : JSON.stringify(shuffled(value, dice));
    const form = typeof value === 'string' ? 'text' : 'message';
    const raw = new TextEncoder().encode(text);
    return { f: i + 1, t, t0: null, from, form, raw, eol: '\n', event: null, detail: {} };
  });
  frames.unshift(event('spawn', { pid: 1000 + dice.roll(9000) }, 0));
  frames.push(event('exit', { code: 0, signal: null }, t + 1));
  for (const [i, frame] of frames.entries()) frame.f = i + 1;
  const about = { session: `${protocol}-${style}`, started_at, command: ['agent'], cwd, recorder: 'wiretape 0.1.0' };
  return sessionInMemory({ type: 'metadata', wiretape: 1, ...about }, frames);
}

function event(name: string, detail: Record<string, unknown>, t: number): Frame {
  return { f: 0, t, t0: null, from: 'proc', form: 'event', raw: new Uint8Array(), eol: '', event: name, detail };
}

/** stderr is a pipe of its own: its lines come anywhere among the others, in their order. */
function withStderr(lines: Line[], dice: Dice): Line[] {
  const out = [...lines];
  let at = 0;
  for (const text of ['starting up', 'ready after 12 ms']) {
    at += dice.roll(out.length - at);
    out.splice(at++, 0, { from: 'stderr', value: text });
  }
  return out;
}

/** The keys of every object in another order. */
function shuffled(value: unknown, dice: Dice): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => shuffled(one, dice));
  return Object.fromEntries(dice.mix(Object.entries(value)).map(([key, inner]) => [key, shuffled(inner, dice)]));
}

class Player {
  readonly #dice: Dice;
  readonly #protocol: Protocol;
  readonly #session: string;
  readonly #cwd: string;
  #asked = 0;
  /** The id of the message that all parts of a step belong to. */
  #message = '';

  constructor(dice: Dice, protocol: Protocol, cwd: string) {
    this.#cwd = cwd;
    this.#dice = dice;
    this.#protocol = protocol;
    this.#session = dice.uuid();
  }

  lines(script: Script): Line[] {
    if (this.#protocol === 'wire') return [...this.#wireHello(), ...script.flatMap((turn) => this.#wireTurn(turn))];
    if (this.#protocol === 'acp') return [...this.#acpHello(), ...script.flatMap((turn) => this.#acpTurn(turn))];
    return [...this.#streamHello(), ...script.flatMap((turn) => this.#streamTurn(turn))];
  }

  /** Calls have ids, and what happens to them after they were announced comes in any order. */
  #running(
    items: readonly ScriptedItem[],
    of: (call: ScriptedCall, id: string) => { said: Line[]; later: Line[] },
  ): Line[] {
    this.#message = this.#dice.uuid();
    const said: Line[] = [];
    const later: Line[][] = [];
    for (const item of items) {
      if (item.is !== 'call') {
        said.push(...this.#spoken(item));
        continue;
      }
      const made = of(item, `call_${this.#dice.word('0123456789abcdef', 12)}`);
      said.push(...made.said);
      later.push(made.later);
    }
    return [...said, ...this.#woven(later)];
  }

  /** Each list keeps its order. */
  #woven(lists: Line[][]): Line[] {
    const left = lists.map((list) => [...list]).filter((list) => list.length > 0);
    const out: Line[] = [];
    while (left.length > 0) {
      const at = this.#dice.roll(left.length);
      out.push(left[at]!.shift()!);
      if (left[at]!.length === 0) left.splice(at, 1);
    }
    return out;
  }

  #spoken({ is, text }: ScriptedItem & { text: string }): Line[] {
    const pieces = this.#dice.cut(text);
    if (this.#protocol === 'wire')
      return pieces.map((piece) =>
        this.#wire('ContentPart', is === 'text' ? { type: 'text', text: piece } : { type: 'think', think: piece }),
      );
    if (this.#protocol === 'acp')
      return pieces.map((piece) =>
        this.#update(is === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk', {
          content: { type: 'text', text: piece },
        }),
      );
    return [
      this.#assistant(is === 'text' ? { type: 'text', text } : { type: 'thinking', thinking: text, signature: '' }),
    ];
  }

  #wire(type: string, payload: unknown): Line {
    return agent({ jsonrpc: '2.0', method: 'event', params: { type, payload } });
  }

  #wireHello(): Line[] {
    const id = this.#dice.uuid();
    const params = { protocol_version: '1.10', client: { name: 'scripted', version: '1' } };
    const result = {
      protocol_version: '1.10',
      server: { name: 'Kimi Code CLI', version: '1.49.0' },
      slash_commands: [],
    };
    return [client({ jsonrpc: '2.0', id, method: 'initialize', params }), agent({ jsonrpc: '2.0', id, result })];
  }

  #wireTurn({ prompt, steps }: ScriptedTurn): Line[] {
    const id = this.#dice.uuid();
    const body = steps.flatMap((items, i) => [
      this.#wire('StepBegin', { n: i + 1 }),
      ...this.#running(items, (call, callId) => this.#wireCall(call, callId)),
    ]);
    return [
      client({ jsonrpc: '2.0', id, method: 'prompt', params: { user_input: prompt } }),
      this.#wire('TurnBegin', { user_input: prompt }),
      ...body,
      this.#wire('TurnEnd', {}),
      agent({ jsonrpc: '2.0', id, result: { status: 'finished' } }),
    ];
  }

  #wireCall({ tool, args, asked, result }: ScriptedCall, id: string): { said: Line[]; later: Line[] } {
    const [head = '', ...tail] = this.#dice.cut(JSON.stringify(args));
    const said = [
      this.#wire('ToolCall', { type: 'function', id, function: { name: tool, arguments: head } }),
      ...tail.map((piece) => this.#wire('ToolCallPart', { arguments_part: piece })),
    ];
    const request = this.#dice.uuid();
    const payload = {
      id: request,
      tool_call_id: id,
      sender: tool,
      action: `run ${tool}`,
      description: `Run ${tool}`,
      display: [],
    };
    const answer = { request_id: request, response: asked };
    const later: Line[] =
      asked === null
        ? []
        : [
            agent({ jsonrpc: '2.0', method: 'request', id: request, params: { type: 'ApprovalRequest', payload } }),
            client({ jsonrpc: '2.0', id: request, result: answer }),
            this.#wire('ApprovalResponse', answer),
          ];
    const value = { is_error: asked === 'reject', output: result, message: '', display: [] };
    if (result !== null) later.push(this.#wire('ToolResult', { tool_call_id: id, return_value: value }));
    return { said, later };
  }

  #update(sessionUpdate: string, update: object): Line {
    const params = { sessionId: this.#session, update: { sessionUpdate, ...update } };
    return agent({ jsonrpc: '2.0', method: 'session/update', params });
  }

  #acpHello(): Line[] {
    const asked = { protocolVersion: 1, clientCapabilities: { terminal: false } };
    return [
      client({ jsonrpc: '2.0', id: 0, method: 'initialize', params: asked }),
      agent({ jsonrpc: '2.0', id: 0, result: { protocolVersion: 1, agentCapabilities: {} } }),
      client({ jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: this.#cwd, mcpServers: [] } }),
      agent({ jsonrpc: '2.0', id: 1, result: { sessionId: this.#session } }),
    ];
  }

  #acpTurn({ prompt, steps }: ScriptedTurn): Line[] {
    const id = this.#dice.uuid();
    const params = { sessionId: this.#session, prompt: [{ type: 'text', text: prompt }] };
    return [
      client({ jsonrpc: '2.0', id, method: 'session/prompt', params }),
      ...steps.flatMap((items) => this.#running(items, (call, callId) => this.#acpCall(call, callId))),
      agent({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } }),
    ];
  }

  #acpCall({ tool, args, asked, result }: ScriptedCall, id: string): { said: Line[]; later: Line[] } {
    const about = { toolCallId: id, title: tool, kind: 'execute', rawInput: args };
    const said = [this.#update('tool_call', { ...about, status: 'pending' })];
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ];
    const request = ++this.#asked + this.#dice.roll(2) * 1000;
    const params = { sessionId: this.#session, options, toolCall: about };
    const outcome = { outcome: 'selected', optionId: asked === 'approve' ? 'yes' : 'no' };
    const later: Line[] =
      asked === null
        ? []
        : [
            agent({ jsonrpc: '2.0', id: request, method: 'session/request_permission', params }),
            client({ jsonrpc: '2.0', id: request, result: { outcome } }),
          ];
    const status = asked === 'reject' ? 'failed' : 'completed';
    const content = [{ type: 'content', content: { type: 'text', text: result } }];
    if (result !== null) later.push(this.#update('tool_call_update', { toolCallId: id, status, content }));
    return { said, later };
  }

  #streamed(value: object): Line {
    return agent({ ...value, uuid: this.#dice.uuid(), session_id: this.#session, parent_tool_use_id: null });
  }

  #assistant(block: object): Line {
    const usage = { input_tokens: 5 + this.#dice.roll(99), output_tokens: 7 };
    const message = { id: this.#message, type: 'message', role: 'assistant', model: 'mock', content: [block], usage };
    return this.#streamed({ type: 'assistant', message });
  }

  #streamHello(): Line[] {
    const request_id = this.#dice.uuid();
    const response = { subtype: 'success', request_id, response: { subtype: 'initialize', capabilities: {} } };
    return [
      client({ type: 'control_request', request_id, request: { subtype: 'initialize', hooks: null } }),
      agent({ type: 'control_response', response }),
    ];
  }

  #streamTurn({ prompt, steps }: ScriptedTurn): Line[] {
    const message = { role: 'user', content: prompt };
    return [
      client({ type: 'user', session_id: this.#session, message, parent_tool_use_id: null }),
      this.#streamed({ type: 'system', subtype: 'init', cwd: this.#cwd, tools: ['Shell'], model: 'mock' }),
      ...steps.flatMap((items) => this.#running(items, (call, callId) => this.#streamCall(call, callId))),
      this.#streamed({
        type: 'result',
        subtype: 'success',
        is_error: false,
        duration_ms: this.#dice.roll(9999),
        num_turns: 1,
        result: '',
      }),
    ];
  }

  #streamCall({ tool, args, asked, result }: ScriptedCall, id: string): { said: Line[]; later: Line[] } {
    const said = [this.#assistant({ type: 'tool_use', id, name: tool, input: args })];
    const request_id = this.#dice.uuid();
    const request = { subtype: 'can_use_tool', tool_name: tool, tool_use_id: id, input: args };
    const behavior =
      asked === 'approve' ? { behavior: 'allow', updatedInput: args } : { behavior: 'deny', message: 'no' };
    const later: Line[] =
      asked === null
        ? []
        : [
            agent({ type: 'control_request', request_id, request }),
            client({ type: 'control_response', response: { subtype: 'success', request_id, response: behavior } }),
          ];
    const content = [{ type: 'tool_result', tool_use_id: id, is_error: asked === 'reject', content: result }];
    if (result !== null) later.push(this.#streamed({ type: 'user', message: { role: 'user', content } }));
    return { said, later };
  }
}
