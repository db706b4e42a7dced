/** The MCP SDK's own client over its own stdio transport, with every byte that passes kept beside it. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent } from './agents.ts';
import { type Message, parsed } from './talk.ts';
import type { Heard, Stage } from './twice.ts';

export class McpClient {
  /** The SDK's client, connected. */
  readonly client: Message;
  /** How the next question of the server's is answered. */
  answer: object = { action: 'decline' };
  readonly #transport: Message;
  readonly #kept: Record<'sent' | 'received' | 'stderr', Buffer[]> = { sent: [], received: [], stderr: [] };
  #server!: ChildProcessWithoutNullStreams;
  #closed!: Promise<unknown[]>;

  private constructor(client: Message, transport: Message, schema: Message) {
    this.client = client;
    this.#transport = transport;
    client.setRequestHandler(schema, () => this.answer);
  }

  static async connect([command, ...args]: string[], { work, env }: Stage, { folder }: Agent): Promise<McpClient> {
    const sdk = (file: string) =>
      import(pathToFileURL(join(folder, 'node_modules/@modelcontextprotocol/sdk/dist/esm', file)).href);
    const { Client } = await sdk('client/index.js');
    const { StdioClientTransport } = await sdk('client/stdio.js');
    const { ElicitRequestSchema } = await sdk('types.js');
    const transport = new StdioClientTransport({ command, args, env, cwd: work, stderr: 'pipe' });
    const client = new Client({ name: 'compat', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    const connected = new McpClient(client, transport, ElicitRequestSchema);
    await connected.#connect();
    return connected;
  }

  /** The transport starts the server when the client connects, and nothing was said yet when `start` is done. */
  async #connect(): Promise<void> {
    const start = this.#transport.start.bind(this.#transport);
    this.#transport.start = async () => {
      await start();
      this.#listen(this.#transport._process);
    };
    await this.client.connect(this.#transport);
  }

  #listen(server: ChildProcessWithoutNullStreams): void {
    const { sent, received, stderr } = this.#kept;
    server.stdout.on('data', (chunk) => received.push(chunk));
    server.stderr.on('data', (chunk) => stderr.push(chunk));
    const write = server.stdin.write.bind(server.stdin) as (chunk: string) => boolean;
    server.stdin.write = (chunk: string) => {
      sent.push(Buffer.from(chunk));
      return write(chunk);
    };
    this.#server = server;
    this.#closed = once(server, 'close');
  }

  async call(name: string, args: object = {}, options: object = {}): Promise<Message> {
    return this.client.callTool({ name, arguments: args }, undefined, options);
  }

  /** Closes the server's stdin and lets it go when it likes. */
  async endByEof(): Promise<Heard> {
    this.#server.stdin.end();
    return this.#end();
  }

  /** As the SDK ends a server: EOF, SIGTERM two seconds later. */
  async close(): Promise<Heard> {
    await this.client.close();
    return this.#end();
  }

  async #end(): Promise<Heard> {
    const [code, signal] = (await this.#closed) as [number | null, NodeJS.Signals | null];
    const { sent, received, stderr } = this.#kept;
    const bytes = Buffer.concat(received);
    const messages = bytes.toString().split('\n').slice(0, -1).map(parsed);
    return { messages, sent: Buffer.concat(sent), received: bytes, stderr: Buffer.concat(stderr), code, signal };
  }

  dispose(): void {
    this.#server.kill('SIGKILL');
  }
}
