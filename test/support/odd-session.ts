/**
 * Conversations from a seed, with all that makes searching hard: texts in pieces, cut anywhere, several at a time; every
 * script; answers twice, late, never and to nobody; errors, noise, stderr, bytes that are no text. Spoken in Wire, or in
 * a JSON-RPC that nobody knows.
 */

import type { TestJournal } from './journal.ts';
import type { Random } from './random-query.ts';
import { rpc } from './session.ts';

/** As an image is written. */
const BASE64 = Buffer.from(Array.from({ length: 900 }, (_, i) => (i * i * 31 + i * 7) & 255)).toString('base64');

export const WORDS = [
  ...[
    'connection',
    'reset',
    '错误',
    '连接',
    '名前',
    'İstanbul',
    'ISPARTA',
    'ıssız',
    'ΣΊΣΥΦΟΣ',
    'όσος',
    'K',
    'Å',
    'straße',
  ],
  ...[
    'STRASSE',
    '🙂',
    '👩‍👩‍👧',
    '𝒳',
    '𐐀',
    'e\u0301',
    '\u0000',
    '\u001f',
    '\u001b[31m',
    '\ufffd',
    '\ud83d',
    '\ude42',
    '%',
    '_',
  ],
  ...['*', '[a]', "o'neil", '"', '\\', 'rm -rf', '.env', 'a\nb', '\u2028', 'x'.repeat(300), '名'.repeat(200), 'ﬁ', 'ß'],
  ...['/usr/lib/'.repeat(150), 'deadbeef'.repeat(140), BASE64, `${BASE64}/tail of it`],
];
const METHODS = ['prompt', 'PROMPT', 'session/new', 'ΣΟΣ', 'K', 'tools/ｃall', 'a\u0000b', '', '\ud800x', "m'; --"];
const TOOLS = ['Shell', 'SHELL', 'WriteFile', 'Σίσυφος', 'K', 'İ', 'tool "x"', 'a\u001fb'];

export class OddTalk {
  readonly #random: Random;
  readonly #journal: TestJournal;
  #t = 0;
  #asked: { by: 'client' | 'agent'; id: unknown }[] = [];
  #ids = 0;

  constructor(random: Random, journal: TestJournal) {
    this.#random = random;
    this.#journal = journal;
  }

  /** Some hundred frames, or as many as one likes. */
  play(dialect: 'wire' | 'rpc', steps: number): void {
    this.#journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
    if (dialect === 'wire') this.#wireHello();
    for (let i = 0; i < steps; i++) {
      const roll = this.#random();
      if (roll < 0.12) this.#oddity();
      else if (dialect === 'wire') this.#wire();
      else this.#rpc();
    }
    this.#journal.exit(
      this.#later(),
      this.#pick([
        { code: 0, signal: null },
        { code: 1, signal: null },
        { code: null, signal: 'SIGTERM' },
      ]),
    );
  }

  #wireHello(): void {
    const id = `i${this.#ids++}`;
    const client = { name: this.#pick(['zed', 'Zed Σ', 'K']), version: '1' };
    this.#say('client', { id, method: 'initialize', params: { protocol_version: '1.10', client } });
    const server = { name: 'Kimi Code CLI', version: this.#pick(['1.1.0', '2.0']) };
    this.#say('agent', { id, result: { protocol_version: '1.10', server, slash_commands: [] } });
  }

  #wire(): void {
    const roll = this.#random();
    if (roll < 0.12) this.#ask('client', 'prompt', { user_input: this.text() });
    else if (roll < 0.2) this.#event('StepBegin', { n: 1 + Math.floor(this.#random() * 3) });
    else if (roll < 0.5) this.#delta();
    else if (roll < 0.6) this.#toolCall();
    else if (roll < 0.72) this.#approval();
    else if (roll < 0.9) this.#answer();
    else
      this.#event(this.#pick(['StatusUpdate', 'TurnEnd', 'Σ', 'StepInterrupted']), { context_usage: this.#random() });
  }

  #delta(): void {
    const text = this.text();
    // Cut between any two units, halves of characters too.
    for (let at = 0; at < text.length; ) {
      const next = at + 1 + Math.floor(this.#random() * Math.min(40, text.length));
      const piece = text.slice(at, next);
      const part = this.#random() < 0.8 ? { type: 'text', text: piece } : { type: 'think', think: piece };
      this.#event('ContentPart', part);
      if (this.#random() < 0.1) this.#oddity();
      at = next;
    }
  }

  #toolCall(): void {
    const id = `c${this.#ids++}`;
    const args = JSON.stringify({ command: this.text(), path: this.text() });
    const cut = Math.floor(this.#random() * args.length);
    const name = this.#pick(TOOLS);
    this.#event('ToolCall', { type: 'function', id, function: { name, arguments: args.slice(0, cut) } });
    this.#event('ToolCallPart', { arguments_part: args.slice(cut) });
    if (this.#random() < 0.3) return;
    if (this.#random() < 0.5) this.#approval(id, name);
    const value = { is_error: this.#random() < 0.3, output: this.text(), message: this.text(), display: [] };
    this.#event('ToolResult', { tool_call_id: id, return_value: value });
  }

  #approval(call = `c${this.#ids}`, sender: string = this.#pick(TOOLS)): void {
    const id = `r${this.#ids++}`;
    const display =
      this.#random() < 0.3 ? [{ type: 'diff', path: this.#pick(WORDS), old_text: 'a', new_text: 'b' }] : [];
    const payload = { id, tool_call_id: call, sender, action: 'run', description: this.text(), display };
    this.#say('agent', { id, method: 'request', params: { type: 'ApprovalRequest', payload } });
    this.#asked.push({ by: 'agent', id });
    if (this.#random() < 0.5) return;
    const response = this.#pick(['approve', 'approve_for_session', 'reject', 'perhaps']);
    for (let times = this.#random() < 0.2 ? 2 : 1; times > 0; times--)
      this.#say('client', { id, result: { request_id: id, response } });
  }

  #rpc(): void {
    const roll = this.#random();
    const who = this.#random() < 0.5 ? 'client' : 'agent';
    if (roll < 0.4) this.#ask(who, this.#pick(METHODS), { text: this.text(), deep: [{ a: this.#pick(WORDS) }] });
    else if (roll < 0.7) this.#answer();
    else this.#say(who, { method: this.#pick(METHODS), params: { type: this.#pick(WORDS), n: this.#number() } });
  }

  #ask(by: 'client' | 'agent', method: string, params: unknown): void {
    const id = this.#pick<unknown>([
      this.#ids++,
      `${this.#ids++}`,
      `"${this.#ids++}`,
      this.#pick(WORDS),
      1.5,
      1e21,
      2 ** 53,
    ]);
    this.#say(by, { id, method, params });
    if (this.#random() < 0.8) this.#asked.push({ by, id });
  }

  #answer(): void {
    const at = Math.floor(this.#random() * this.#asked.length);
    const { by, id } = this.#asked[at] ?? { by: 'client', id: 'nobody' };
    if (this.#random() < 0.8) this.#asked.splice(at, 1);
    const who = by === 'client' ? 'agent' : 'client';
    const roll = this.#random();
    if (roll < 0.3) this.#say(who, { id, error: { code: this.#number(), message: this.text() } });
    else
      this.#say(who, {
        id,
        result: this.#pick<unknown>([{ status: 'finished' }, { response: 'approve' }, this.text(), null]),
      });
  }

  /** What belongs to no conversation. */
  #oddity(): void {
    const who = this.#pick(['client', 'agent', 'stderr'] as const);
    const line = this.#pick<string | Uint8Array>([
      this.text().replaceAll('\n', ' '),
      Uint8Array.of(0xff, 0xfe, 0x41),
      '[1, "x", {"y": "错误"}]',
      '"only text"',
      '{"jsonrpc":"2.0","id":1e999,"result":1}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}',
      '{"id":-0,"error":{"code":-0.0}}',
      '{"id":9007199254740993,"method":"far"}',
      '{"id":9007199254740993,"result":{}}',
      '{"__proto__":{"a":"K"},"method":"x"}',
      `{"method":"big","params":"${'ab '.repeat(2000)}"}`,
      '',
    ]);
    this.#journal.data(who, this.#later(), Buffer.concat([Buffer.from(line as string), Buffer.from('\n')]));
  }

  #event(type: string, payload: unknown): void {
    this.#say('agent', { method: 'event', params: { type, payload } });
  }

  #say(who: 'client' | 'agent', message: Record<string, unknown>): void {
    this.#journal.data(who, this.#later(), rpc(message));
  }

  text(): string {
    return Array.from({ length: 1 + Math.floor(this.#random() * 5) }, () => this.#pick(WORDS)).join(
      this.#pick([' ', '', '\n']),
    );
  }

  #number(): number {
    return this.#pick([-32000, -32099, -1, 0, 1.5, 2 ** 53, 1e21, -32602, 42]);
  }

  /** Microseconds; now and then a long pause. */
  #later(): number {
    const roll = this.#random();
    this.#t += Math.floor(this.#random() * (roll < 0.02 ? 2e8 : roll < 0.1 ? 5e6 : 1e4));
    return this.#t;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)]!;
  }
}
