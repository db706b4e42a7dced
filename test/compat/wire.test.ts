/** The real `kimi --wire`, with the scripted model that kimi-cli brings: no network, the same answers every time. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Agent, it, withAgents } from './support/agents.ts';
import { scriptedKimi, shell } from './support/kimi.ts';
import { type Heard, type Stage, twice } from './support/twice.ts';
import { isAnswer, isRequest, WireClient } from './support/wire.ts';

const typesOf = ({ messages }: Heard) => messages.map(({ params, id }) => params?.type ?? `answer ${id}`);

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
