/** Real clients against tapes of the real agents: they complete whole sessions, and are told the same as by the agent. */
import { afterAll, beforeAll, expect } from 'vitest';
import { type Model, startModel } from './mock-model.ts';
import { AcpClient, textOf } from './support/acp.ts';
import { type Agent, it, withAgents } from './support/agents.ts';
import { gemini, kimiCode, opencode, qwen } from './support/launch.ts';
import { McpClient } from './support/mcp.ts';
import { replayed } from './support/replayed.ts';
import { claudeTurns, kimiTurns, qwenTurns } from './support/sdks.ts';
import type { Heard, Launch, Stage } from './support/twice.ts';

let model: Model;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

withAgents(['kimi-cli-1.49.0', 'kimi-agent-sdk'], (kimi, sdk) => {
  it("takes Kimi's SDK through approvals and an interrupt", async ({ place }) => {
    const told = await replayed(place, kimi.program, kimiTurns(sdk));
    expect(told.filter(({ type }) => type === 'ApprovalRequest')).toHaveLength(3);
    expect(told.at(-1)).toMatchObject({ status: 'cancelled' });
  });
});

withAgents(['qwen-code', 'qwen-sdk'], (agent, sdk) => {
  it("takes Qwen's SDK through three turns", async ({ place }) => {
    const told = await replayed(place, agent.program, qwenTurns(sdk, model.url));
    expect(told.filter(({ type }) => type === 'result')).toHaveLength(3);
  });
});

withAgents(['claude'], (claude) => {
  it("takes Claude's SDK through three turns", async ({ place }) => {
    const told = await replayed(place, claude.program, claudeTurns(claude, model));
    expect(told.filter(({ type }) => type === 'result')).toHaveLength(3);
  });
});

/** All that a client can notice, but not the bytes it sent: those have paths of its own. */
const noticed = ({ messages, stderr, code, signal }: Heard) => ({ messages, stderr: String(stderr), code, signal });

function acp(sdk: Agent, launch: Launch): void {
  it('takes a client of the SDK through permissions and a cancel', async ({ place }) => {
    const { command } = launch({ dir: place.dir, work: place.dir, env: place.env });
    const told = await replayed(place, command[0]!, async (executable, stage) => {
      const { command, env } = launch(stage);
      const client = await AcpClient.start(
        [executable, ...command.slice(1)],
        { ...stage, env: { ...stage.env, ...env } },
        sdk,
      );
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
        return noticed(await client.talk.end('eof'));
      } finally {
        client.talk.dispose();
      }
    });
    expect(told.messages.filter(({ method }) => method === 'session/request_permission')).toHaveLength(2);
  });
}

withAgents(['kimi-code', 'acp-sdk'], (agent, sdk) => acp(sdk, (stage) => kimiCode(agent, stage, model.url, ['acp'])));
withAgents(['qwen-code', 'acp-sdk'], (agent, sdk) => acp(sdk, () => qwen(agent, model.url, ['--acp'])));
withAgents(['gemini', 'acp-sdk'], (agent, sdk) => acp(sdk, () => gemini(agent, model)));
withAgents(['opencode', 'acp-sdk'], (agent, sdk) => acp(sdk, () => opencode(agent, model)));

withAgents(['server-everything', 'mcp-sdk'], (server, sdk) => {
  const visit = (talk: (client: McpClient) => Promise<Heard>) => async (executable: string, stage: Stage) => {
    const client = await McpClient.connect([executable], stage, sdk);
    try {
      return noticed(await talk(client));
    } finally {
      client.dispose();
    }
  };

  it('takes a client of the SDK through lists, tools and errors', async ({ place }) => {
    await replayed(
      place,
      server.program,
      visit(async (mcp) => {
        expect((await mcp.client.listTools()).tools.length).toBeGreaterThan(5);
        await mcp.client.listPrompts();
        await mcp.client.listResources();
        const echoed = [{ type: 'text', text: 'Echo: ünï✓ 你好' }];
        expect(await mcp.call('echo', { message: 'ünï✓ 你好' })).toEqual({ content: echoed });
        await expect(mcp.client.request({ method: 'no/such' }, { parse: (any: unknown) => any })).rejects.toThrow();
        return mcp.endByEof();
      }),
    );
  });

  it('takes a client of the SDK through questions, progress and a cancelled call', async ({ place }) => {
    const { messages } = await replayed(
      place,
      server.program,
      visit(async (mcp) => {
        mcp.answer = { action: 'accept', content: { name: 'Ada', check: true } };
        expect(JSON.stringify(await mcp.call('trigger-elicitation-request'))).toContain('Ada');
        mcp.answer = { action: 'decline' };
        expect(JSON.stringify(await mcp.call('trigger-elicitation-request'))).toContain('declined');
        const steps: unknown[] = [];
        const done = { onprogress: (step: unknown) => steps.push(step) };
        await mcp.call('trigger-long-running-operation', { duration: 1, steps: 4 }, done);
        // The server sends the last one together with the answer, and then the SDK may drop it.
        expect(steps.length).toBeGreaterThanOrEqual(3);
        const patience = new AbortController();
        const options = { signal: patience.signal, onprogress: () => patience.abort('too slow') };
        const endless = mcp.call('trigger-long-running-operation', { duration: 3600, steps: 36_000 }, options);
        await expect(endless).rejects.toThrow('too slow');
        return mcp.close();
      }),
    );
    expect(messages.filter(({ method }) => method === 'elicitation/create')).toHaveLength(2);
  });
});
