/** Real ACP agents, of Kimi, Qwen, Gemini and opencode, with the protocol's SDK as their client and a mock model behind them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Model, startModel } from './mock-model.ts';
import { AcpClient, textOf } from './support/acp.ts';
import { type Agent, it, withAgents } from './support/agents.ts';
import { gemini, kimiCode, opencode, qwen } from './support/launch.ts';
import type { Message } from './support/talk.ts';
import { type Launch, type Stage, twice } from './support/twice.ts';

let model: Model;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

withAgents(['kimi-code', 'acp-sdk'], (kimi, sdk) => tests(sdk, (stage) => kimiCode(kimi, stage, model.url, ['acp'])));
withAgents(['qwen-code', 'acp-sdk'], (agent, sdk) => tests(sdk, () => qwen(agent, model.url, ['--acp'])));
withAgents(['gemini', 'acp-sdk'], (agent, sdk) => tests(sdk, () => gemini(agent, model), 0));
withAgents(['opencode', 'acp-sdk'], (agent, sdk) => tests(sdk, () => opencode(agent, model)));

/** News of the session's state come whenever they are ready, or not before the end. */
function isNews({ method, params }: Message): boolean {
  const news = ['available_commands_update', 'usage_update', 'session_info_update'];
  return /^(craft|qwen)\//.test(method) || news.includes(params?.update?.sessionUpdate);
}

/** `end`: how it ends on SIGTERM. */
function tests(sdk: Agent, launch: Launch, end: 0 | 'SIGTERM' = 'SIGTERM'): void {
  it('says the same: handshake, text, permissions, cancel, EOF', async ({ place }) => {
    const scenario = async (command: string[], stage: Stage) => {
      const client = await AcpClient.start(command, stage, sdk);
      try {
        await client.handshake();
        expect(await client.prompt('play: greet')).toBe('end_turn');
        expect(await client.prompt(`play: write file: ${stage.work}/yes.txt`)).toBe('end_turn');
        client.choose = 'reject_once';
        expect(await client.prompt(`play: write file: ${stage.work}/no.txt`)).toBe('end_turn');
        const cancelled = client.prompt('play: hold');
        await client.talk.until((message) => textOf(message) === 'Just a moment', 'the held answer');
        await client.cancel();
        expect(await cancelled).toBe('cancelled');
        expect(existsSync(join(stage.work, 'yes.txt'))).toBe(true);
        expect(existsSync(join(stage.work, 'no.txt'))).toBe(false);
        return await client.talk.end('eof');
      } finally {
        client.talk.dispose();
      }
    };
    const heard = await twice(place, launch, scenario, isNews);
    expect(heard.messages.map(textOf).join('')).toContain('ünï✓ 你好,\ntwo lines.');
    expect(heard.messages.filter(({ method }) => method === 'session/request_permission')).toHaveLength(2);
    expect(heard.code).toBe(0);
  });

  it('ends the same: SIGTERM during a turn', async ({ place }) => {
    const scenario = async (command: string[], stage: Stage) => {
      const client = await AcpClient.start(command, stage, sdk);
      try {
        await client.handshake();
        client.prompt('play: hold').catch(() => {});
        await client.talk.until((message) => textOf(message) === 'Just a moment', 'the held answer');
        return await client.talk.end('SIGTERM to all');
      } finally {
        client.talk.dispose();
      }
    };
    const heard = await twice(place, launch, scenario, isNews);
    expect(heard.signal ?? heard.code).toBe(end);
  });
}
