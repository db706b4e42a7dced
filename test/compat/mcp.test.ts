/** A real MCP server behind the recorder, and the SDK's own client and transport in front of it. */
import { expect } from 'vitest';
import { it, withAgents } from './support/agents.ts';
import { McpClient } from './support/mcp.ts';
import type { Message } from './support/talk.ts';
import { type Heard, type Stage, twice } from './support/twice.ts';

/** Progress goes on after a cancel, until the server ends; lists are announced whenever they are ready. */
const comesAnyTime = ({ method }: Message) => /^notifications\/(progress|.*list_changed)$/.test(method);

withAgents(['server-everything', 'mcp-sdk'], (server, sdk) => {
  const launch = () => ({ command: [server.program] });

  const played = (scenario: (client: McpClient) => Promise<Heard>) => async (command: string[], stage: Stage) => {
    const client = await McpClient.connect(command, stage, sdk);
    try {
      return await scenario(client);
    } finally {
      client.dispose();
    }
  };

  it('says the same: handshake, lists, a tool, EOF', async ({ place }) => {
    const scenario = async (client: McpClient) => {
      expect((await client.client.listTools()).tools.length).toBeGreaterThan(5);
      await client.client.listPrompts();
      await client.client.listResources();
      expect(await client.call('echo', { message: 'ünï✓ 你好' })).toEqual({ content: [text('Echo: ünï✓ 你好')] });
      await expect(client.client.request({ method: 'no/such' }, { parse: (any: Message) => any })).rejects.toThrow();
      return client.endByEof();
    };
    const heard = await twice(place, launch, played(scenario), comesAnyTime);
    expect(heard.code).toBe(0);
  });

  it('says the same: questions answered, a cancelled call, SIGTERM', async ({ place }) => {
    const scenario = async (client: McpClient) => {
      client.answer = { action: 'accept', content: { name: 'Ada', check: true } };
      expect(JSON.stringify(await client.call('trigger-elicitation-request'))).toContain('Ada');
      client.answer = { action: 'decline' };
      expect(JSON.stringify(await client.call('trigger-elicitation-request'))).toContain('declined');
      const patience = new AbortController();
      const options = { signal: patience.signal, onprogress: () => patience.abort('too slow') };
      const endless = client.call('trigger-long-running-operation', { duration: 3600, steps: 36_000 }, options);
      await expect(endless).rejects.toThrow('too slow');
      return client.close();
    };
    const heard = await twice(place, launch, played(scenario), comesAnyTime);
    expect(heard.messages.filter(({ method }) => method === 'elicitation/create')).toHaveLength(2);
    expect(heard.signal).toBe('SIGTERM');
  });
});

const text = (content: string) => ({ type: 'text', text: content });
