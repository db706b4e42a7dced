/** A host of an agent that speaks stream-json, by hand. */
import { type Message, Talk } from './talk.ts';

export const FORMAT = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--include-partial-messages'];

/** A host: one request after the other, tools allowed or denied from a list. */
export class Host extends Talk {
  #results = 0;

  async control(id: string, request: object): Promise<Message> {
    this.send({ type: 'control_request', request_id: id, request });
    const isIt = ({ type, response }: Message) => type === 'control_response' && response.request_id === id;
    return this.until(isIt, `the answer to ${id}`);
  }

  say(content: string): void {
    this.send({ type: 'user', session_id: '', message: { role: 'user', content }, parent_tool_use_id: null });
  }

  /** The end of the turn that was begun last. */
  async result(): Promise<Message> {
    const wanted = ++this.#results;
    const results = () => this.messages.filter(({ type }) => type === 'result');
    await this.until(() => results().length >= wanted, `result ${wanted}`);
    return results()[wanted - 1];
  }

  decide(behaviors: ('allow' | 'deny')[]): void {
    this.reply = ({ type, request_id, request }) => {
      if (type !== 'control_request' || request.subtype !== 'can_use_tool') return;
      const behavior = behaviors.shift() ?? 'deny';
      const response = behavior === 'allow' ? { behavior, updatedInput: request.input } : { behavior, message: 'no' };
      return { type: 'control_response', response: { subtype: 'success', request_id, response } };
    };
  }

  async hold(): Promise<void> {
    this.say('play: hold');
    await this.until(({ event }) => event?.delta?.text === 'Just a moment', 'the held answer');
  }
}
