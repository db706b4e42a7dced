/** An ACP client made with the protocol's own SDK, over pipes of ours: every byte is kept. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent } from './agents.ts';
import { type Message, Talk } from './talk.ts';
import type { Stage } from './twice.ts';

/** The text of a chunk of a message; empty for anything else. */
export const textOf = ({ params }: Message): string => params?.update?.content?.text ?? '';

export class AcpClient {
  readonly talk: Talk;
  /** How the next permission is answered: by the kind of option. */
  choose: 'allow_once' | 'reject_once' = 'allow_once';
  readonly #agent: {
    request(method: string, params: object): Promise<Message>;
    notify(method: string, params: object): Promise<void>;
  };
  #session = '';
  readonly #work: string;

  private constructor(command: string[], stage: Stage, sdk: Message) {
    let push: (chunk: Buffer) => void = () => {};
    const input = new ReadableStream({
      start(controller) {
        push = (chunk) => controller.enqueue(new Uint8Array(chunk));
      },
    });
    this.talk = new Talk(command, stage, (chunk) => push(chunk));
    const output = new WritableStream<Uint8Array>({ write: (bytes) => this.talk.write(bytes) });
    const permission = ({ params }: Message) => {
      const { optionId } = params.options.find(({ kind }: Message) => kind === this.choose);
      return { outcome: { outcome: 'selected', optionId } };
    };
    const app = sdk
      .client({ name: 'compat' })
      .onRequest('session/request_permission', permission)
      .onNotification('session/update', () => {});
    this.#agent = app.connect(sdk.ndJsonStream(output, input)).agent;
    this.#work = stage.work;
  }

  static async start(command: string[], stage: Stage, { folder }: Agent): Promise<AcpClient> {
    const entry = join(folder, 'node_modules/@agentclientprotocol/sdk/dist/v1/stable/acp.js');
    return new AcpClient(command, stage, await import(pathToFileURL(entry).href));
  }

  async handshake(): Promise<void> {
    await this.#agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await this.#agent.request('session/new', { cwd: this.#work, mcpServers: [] });
    this.#session = sessionId;
  }

  async prompt(text: string): Promise<string> {
    const prompt = [{ type: 'text', text }];
    const { stopReason } = await this.#agent.request('session/prompt', { sessionId: this.#session, prompt });
    return stopReason;
  }

  async cancel(): Promise<void> {
    await this.#agent.notify('session/cancel', { sessionId: this.#session });
  }
}
