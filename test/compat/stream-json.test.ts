/** The real `qwen --input-format stream-json`, driven by hand as its SDK does it, with a mock model behind it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Model, startModel } from './mock-model.ts';
import { it, withAgents } from './support/agents.ts';
import { FORMAT, Host } from './support/host.ts';
import { qwen } from './support/launch.ts';
import { type Heard, type Launch, twice } from './support/twice.ts';

let model: Model;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

withAgents(['qwen-code'], (agent) => {
  const launch: Launch = () => qwen(agent, model.url, FORMAT);

  it('says the same: handshake, text, permissions, interrupt, EOF', async ({ place }) => {
    const heard = await twice(place, launch, async (command, stage) => {
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
        expect(existsSync(join(stage.work, 'yes.txt'))).toBe(true);
        expect(existsSync(join(stage.work, 'no.txt'))).toBe(false);
        return await host.end('eof');
      } finally {
        host.dispose();
      }
    });
    const results = heard.messages.filter(({ type }) => type === 'result').map(({ subtype }) => subtype);
    expect(results).toEqual(['success', 'success', 'success', 'error_during_execution']);
    expect(heard.messages.filter(({ request }) => request?.subtype === 'can_use_tool')).toHaveLength(2);
    expect(heard.code).toBe(0);
  });

  it('ends the same: SIGTERM during a turn', async ({ place }) => {
    const heard = await twice(place, launch, (command, stage) => terminated(new Host(command, stage)));
    expect(heard.signal).toBe('SIGTERM');
  });
});

async function terminated(host: Host): Promise<Heard> {
  try {
    await host.control('hello', { subtype: 'initialize', hooks: null });
    await host.hold();
    return await host.end('SIGTERM to all');
  } finally {
    host.dispose();
  }
}
