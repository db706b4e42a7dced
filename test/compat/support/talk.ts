/** A conversation over real pipes, as a client of any line-based protocol has it: every byte of it is kept. */
import { Client } from '../../support/client.ts';
import { waitFor } from '../../support/wait.ts';
import type { Heard, Stage } from './twice.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages of five protocols are looked into, not typed
export type Message = any;

/** Agents take seconds to start, more when several do: an upper bound, never a measurement. */
export const PATIENCE_MS = 90_000;

export class Talk {
  /** What the agent said so far, line by line; a line that is no JSON is a string. */
  readonly messages: Message[] = [];
  /** Gives the answer to a message that asks for one. */
  reply: (message: Message) => object | undefined = () => undefined;
  readonly #client: Client;
  readonly #sent: Buffer[] = [];
  #rest = '';
  readonly #decoder = new TextDecoder();

  constructor(command: readonly string[], { work, env }: Stage, onStdout: (chunk: Buffer) => void = () => {}) {
    const hear = (chunk: Buffer) => {
      this.#hear(chunk);
      onStdout(chunk);
    };
    this.#client = new Client(command, { env, cwd: work, onStdout: hear, detached: true });
  }

  #hear(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) {
      const message = parsed(line);
      this.messages.push(message);
      const answer = this.reply(message);
      if (answer) this.send(answer);
    }
  }

  send(message: object): void {
    this.write(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  write(bytes: Uint8Array): void {
    this.#sent.push(Buffer.from(bytes));
    void this.#client.write(bytes);
  }

  /** The first message of that kind, the ones already there included. */
  async until(isIt: (message: Message) => boolean, what: string): Promise<Message> {
    const found = () => this.messages.find((message) => typeof message === 'object' && isIt(message));
    const ended = () => this.#client.saw('stdout eof');
    await waitFor(() => found() !== undefined || ended(), what, PATIENCE_MS).catch((error) => this.#giveUp(error));
    return found() ?? this.#giveUp(new Error(`the agent ended before ${what}`));
  }

  #giveUp(error: Error): never {
    const last = this.messages.slice(-5).map((message) => JSON.stringify(message).slice(0, 500));
    throw new Error([error.message, ...last, this.#client.stderr.toString().slice(-2000)].join('\n'));
  }

  /**
   * Ends the conversation in one of the ways clients have, and waits for the end. A signal to the whole group is what
   * supervisors and terminals send; an agent that starts itself again (qwen) does not end by one to its first process.
   */
  async end(how: 'eof' | 'SIGTERM' | 'SIGTERM to all'): Promise<Heard> {
    if (how === 'eof') this.#client.end();
    else process.kill(how === 'SIGTERM' ? this.#client.pid : -this.#client.pid, 'SIGTERM');
    const isOver = () => (['exit', 'stdout eof', 'stderr eof'] as const).every((what) => this.#client.saw(what));
    await waitFor(isOver, `the end by ${how}`, PATIENCE_MS).catch((error) => this.#giveUp(error));
    const { code, signal, stdout, stderr } = this.#client;
    return { messages: this.messages, sent: Buffer.concat(this.#sent), received: stdout, stderr, code, signal };
  }

  dispose(): void {
    this.#client.dispose();
  }
}

export function parsed(line: string): Message {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
