/** The real `kimi --wire`, with the scripted model that kimi-cli brings: no network, the same answers every time. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Agent, it, withAgents } from './support/agents.ts';
import { scriptedKimi, shell } from './support/kimi.ts';
import { type Message, Talk } from './support/talk.ts';
import { type Heard, type Stage, twice } from './support/twice.ts';

const isRequest = (type: string) => (message: Message) => message.method === 'request' && message.params.type === type;
const isAnswer = (id: string) => (message: Message) => message.id === id && message.method === undefined;

const typesOf = ({ messages }: Heard) => messages.map(({ params, id }) => params?.type ?? `answer ${id}`);

/** A Wire client: one request after the other, approvals answered from a list. */
class WireClient extends Talk {
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

describe.each(['1.49.0', '1.24.0'] as const)('kimi-cli %s', (version) => {
  withAgents([`kimi-cli-${version}`], (kimi) => tests(kimi));
});

function tests(kimi: Agent): void {
  const wire =
    (...scripts: string[]) =>
    (stage: Stage) => ({ command: [kimi.program, '--wire', ...scriptedKimi(stage, scripts)] });

  it.concurrent('says the same: handshake, text, approvals, cancel, EOF', async ({ place }) => {
    const command = wire(
      'text: hello from a script',
      `text: asking first\n${shell('yes', 'echo approved > yes.txt')}`,
      'text: it was allowed',
      `text: asking again\n${shell('no', 'echo rejected > no.txt')}`,
      `text: this one is cancelled\n${shell('never', 'echo never > never.txt')}`,
    );
    const heard = await twice(place, command, async (words, stage) => {
      const client = new WireClient(words, stage);
      try {
        await client.handshake();
        await client.ask('text', 'prompt', { user_input: 'say something' });
        client.approve(['approve', 'reject']);
        await client.ask('allowed', 'prompt', { user_input: 'do it' });
        await client.ask('refused', 'prompt', { user_input: 'do it again' });
        client.reply = () => undefined;
        client.begin('cancelled', 'prompt', { user_input: 'once more' });
        await client.until(
          (message) => isRequest('ApprovalRequest')(message) && message.params.payload.tool_call_id === 'never',
          'the third approval',
        );
        await client.ask('cancel', 'cancel', {});
        await client.until(isAnswer('cancelled'), 'the end of the cancelled turn');
        return await client.end('eof');
      } finally {
        client.dispose();
        expect(existsSync(join(stage.work, 'yes.txt'))).toBe(true);
        expect(existsSync(join(stage.work, 'no.txt'))).toBe(false);
      }
    });
    const steps = typesOf(heard).filter((type) => /^answer|^Approval(Request|Response)$|^ToolResult$/.test(type));
    const turn = ['ApprovalRequest', 'ApprovalResponse', 'ToolResult'];
    const before = ['answer hello', 'answer text', ...turn, 'answer allowed', ...turn, 'answer refused'];
    expect(steps.slice(0, before.length)).toEqual(before);
    expect(steps.slice(before.length)).toEqual(expect.arrayContaining(['answer cancel', 'answer cancelled']));
    expect(heard.code).toBe(0);
  });

  it.concurrent('ends the same: SIGTERM while an approval is open', async ({ place }) => {
    const heard = await twice(place, wire(shell('open', 'echo never')), async (words, stage) => {
      const client = new WireClient(words, stage);
      try {
        await client.handshake();
        client.begin('open', 'prompt', { user_input: 'do it' });
        await client.until(isRequest('ApprovalRequest'), 'the approval');
        return await client.end('SIGTERM');
      } finally {
        client.dispose();
      }
    });
    expect(typesOf(heard).at(-1)).toBe('ApprovalRequest');
    expect(heard.signal).toBe('SIGTERM');
  });
}
