/** A client of `kimi --wire`, by hand. */
import { type Message, Talk } from './talk.ts';

export const isRequest = (type: string) => (message: Message) =>
  message.method === 'request' && message.params.type === type;
export const isAnswer = (id: string) => (message: Message) => message.id === id && message.method === undefined;

/** A Wire client: one request after the other, approvals answered from a list. */
export class WireClient extends Talk {
  async handshake(): Promise<void> {
    await this.ask('hello', 'initialize', { protocol_version: '1.10', client: { name: 'compat', version: '1' } });
  }

  begin(id: string, method: string, params: object): void {
    this.send({ jsonrpc: '2.0', id, method, params });
  }

  async ask(id: string, method: string, params: object): Promise<Message> {
    this.begin(id, method, params);
    return this.until(isAnswer(id), `the answer to ${id}`);
  }

  approve(answers: string[]): void {
    this.reply = (message) => {
      if (!isRequest('ApprovalRequest')(message)) return;
      const result = { request_id: message.params.payload.id, response: answers.shift() ?? 'reject' };
      return { jsonrpc: '2.0', id: message.id, result };
    };
  }
}
