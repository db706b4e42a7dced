/** Real agents driven from tapes: what was allowed runs, what was refused does not, and turns end as they did. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Model, startModel } from './mock-model.ts';
import { AcpClient } from './support/acp.ts';
import { type Agent, it, withAgents } from './support/agents.ts';
import { type Driven, driven } from './support/driven.ts';
import { FORMAT, Host } from './support/host.ts';
import { scriptedKimi, shell } from './support/kimi.ts';
import { kimiCode, qwen } from './support/launch.ts';
import { McpClient } from './support/mcp.ts';
import type { Message } from './support/talk.ts';
import type { Launch, Stage } from './support/twice.ts';
import { isAnswer, isRequest, WireClient } from './support/wire.ts';

let model: Model;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

/** One file was written, the other was not. */
function expectFiles({ stage: { work } }: Driven): void {
  expect([existsSync(join(work, 'yes.txt')), existsSync(join(work, 'no.txt'))]).toEqual([true, false]);
}

describe.each(['1.49.0', '1.24.0'] as const)('kimi-cli %s', (version) => {
  withAgents([`kimi-cli-${version}`], (kimi) => {
    const launch: Launch = (stage) => {
      const scripts = [
        'text: hello from a script',
        `text: asking first\n${shell('yes', 'echo approved > yes.txt')}`,
        'text: it was allowed',
        `text: asking again\n${shell('no', 'echo rejected > no.txt')}`,
        `text: this one is cancelled\n${shell('never', 'echo never > no.txt')}`,
      ];
      return { command: [kimi.program, '--wire', ...scriptedKimi(stage, scripts)] };
    };

    it('is driven through approvals and a cancel', async ({ place }) => {
      const run = await driven(place, launch, async (words, stage) => {
        const client = new WireClient(words, stage);
        try {
          await client.handshake();
          await client.ask('text', 'prompt', { user_input: 'say something' });
          client.approve(['approve', 'reject']);
          await client.ask('allowed', 'prompt', { user_input: 'do it' });
          await client.ask('refused', 'prompt', { user_input: 'do it again' });
          client.reply = () => undefined;
          client.begin('cancelled', 'prompt', { user_input: 'once more' });
          const isThird = ({ params }: Message) => params?.payload?.tool_call_id === 'never';
          await client.until((message) => isRequest('ApprovalRequest')(message) && isThird(message), 'the third');
          await client.ask('cancel', 'cancel', {});
          await client.until(isAnswer('cancelled'), 'the end of the cancelled turn');
          return await client.end('eof');
        } finally {
          client.dispose();
        }
      });
      expect(run.report).toMatchObject({ sent: 6, answered: 2, ended: { code: 0 } });
      expectFiles(run);
    });
  });
});

function acp(sdk: Agent, launch: Launch): void {
  it('is driven through permissions and a cancel', async ({ place }) => {
    const run = await driven(place, launch, async (command, stage) => {
      const client = await AcpClient.start(command, stage, sdk);
      try {
        await client.handshake();
        await client.prompt('play: greet');
        await client.prompt(`play: write file: ${stage.work}/yes.txt`);
        client.choose = 'reject_once';
        await client.prompt(`play: write file: ${stage.work}/no.txt`);
        const cancelled = client.prompt('play: hold');
        const isHeld = ({ params }: Message) => params?.update?.content?.text === 'Just a moment';
        await client.talk.until(isHeld, 'the held answer');
        await client.cancel();
        expect(await cancelled).toBe('cancelled');
        return await client.talk.end('eof');
      } finally {
        client.talk.dispose();
      }
    });
    expect(run.report.sent).toBe(7);
    // qwen asks something of its own at the start.
    expect(run.report.answered).toBeGreaterThanOrEqual(2);
    expectFiles(run);
  });
}

withAgents(['kimi-code', 'acp-sdk'], (kimi, sdk) => acp(sdk, (stage) => kimiCode(kimi, stage, model.url, ['acp'])));
withAgents(['qwen-code', 'acp-sdk'], (agent, sdk) => acp(sdk, () => qwen(agent, model.url, ['--acp'])));

withAgents(['qwen-code'], (agent) => {
  it('is driven through permissions and an interrupt', async ({ place }) => {
    const launch: Launch = () => qwen(agent, model.url, FORMAT);
    const run = await driven(place, launch, async (command, stage) => {
      const host = new Host(command, stage);
      try {
        await host.control('hello', { subtype: 'initialize', hooks: null });
        host.say('play: greet');
        await host.result();
        host.decide(['allow', 'deny']);
        host.say(`play: write file: ${stage.work}/yes.txt`);
        await host.result();
        host.say(`play: write file: ${stage.work}/no.txt`);
        await host.result();
        await host.hold();
        await host.control('stop', { subtype: 'interrupt' });
        await host.result();
        return await host.end('eof');
      } finally {
        host.dispose();
      }
    });
    expect(run.report).toMatchObject({ sent: 6, answered: 2 });
    expectFiles(run);
  });
});

withAgents(['server-everything', 'mcp-sdk'], (server, sdk) => {
  it('is driven through calls and questions', async ({ place }) => {
    const launch: Launch = () => ({ command: [server.program] });
    const { report } = await driven(place, launch, async (command: string[], stage: Stage) => {
      const client = await McpClient.connect(command, stage, sdk);
      try {
        await client.client.listTools();
        await client.call('echo', { message: 'ünï✓ 你好' });
        client.answer = { action: 'accept', content: { name: 'Ada', check: true } };
        await client.call('trigger-elicitation-request');
        client.answer = { action: 'decline' };
        await client.call('trigger-elicitation-request');
        return await client.endByEof();
      } finally {
        client.dispose();
      }
    });
    expect(report).toMatchObject({ answered: 2, ended: { code: 0 } });
  });
});
