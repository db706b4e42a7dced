// The client's end of the wire: an agent process, calls to it, and what comes back.
// Lines that are no JSON and messages it does not know are passed on as noise, never fatal.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { LineWriter, readLines } from './lines.mjs';

/** The agent's process ended, or never began, before it answered. */
class AgentGone extends Error {}

/**
 * Emits `event` (type, payload), `request` (id, type, payload), `stray` (an answer that nobody waits for)
 * and `noise` (a line).
 */
export class Connection extends EventEmitter {
  /** @type {Map<string, {resolve: (answer: any) => void, reject: (error: Error) => void, method: string}>} */
  #calls = new Map();
  #child;
  #writer;

  /** How the agent ended. @type {Promise<{code: number | null, signal: string | null, error?: Error}>} */
  ended;

  /** @param {string[]} command */
  constructor([program, ...args]) {
    super();
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#writer = new LineWriter(this.#child.stdin);
    this.#child.stderr.pipe(process.stderr);
    readLines(this.#child.stdout, (line) => this.#receive(line));
    this.ended = new Promise((resolve) => {
      this.#child.on('error', (error) => resolve({ code: null, signal: null, error }));
      this.#child.on('close', (code, signal) => resolve({ code, signal }));
    });
    this.ended.then(() => {
      for (const { reject, method } of this.#calls.values())
        reject(new AgentGone(`the agent went before it answered ${method}`));
      this.#calls.clear();
    });
  }

  /** The methods that wait for an answer. */
  get openCalls() {
    return [...this.#calls.values()].map(({ method }) => method);
  }

  /**
   * Calls a method; resolves to the whole answer, a result or an error.
   * @returns {Promise<{result?: any, error?: {code: number, message: string}}>}
   */
  call(method, params) {
    const id = randomUUID();
    const answer = new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject, method }));
    this.#send({ jsonrpc: '2.0', method, id, ...(params === undefined ? {} : { params }) });
    return answer;
  }

  /** @param {{result: unknown} | {error: {code: number, message: string}}} answer */
  answer(id, answer) {
    this.#send({ jsonrpc: '2.0', id, ...answer });
  }

  raw(line) {
    this.#writer.write(line);
  }

  /** The end of the conversation from our side. */
  close() {
    this.#child.stdin.end();
  }

  kill() {
    this.#child.kill('SIGTERM');
  }

  #send(message) {
    this.#writer.write(JSON.stringify(message));
  }

  #receive(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return this.emit('noise', line);
    }
    const { id, method, params } = message ?? {};
    if (method === 'event' && params) return this.emit('event', params.type, params.payload ?? {});
    if (method === 'request' && params) return this.emit('request', id, params.type, params.payload ?? {});
    const call = this.#calls.get(id);
    if (!call) return this.emit(message?.error || message?.result ? 'stray' : 'noise', message?.error ? message : line);
    this.#calls.delete(id);
    call.resolve(message);
  }
}
