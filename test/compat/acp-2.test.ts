/**
 * ACP 2 as the published SDK speaks it: its agent and its client have each conversation behind the recorder, with the tape in
 * the place of the agent, and with the tape in the place of the client. Nothing differs.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { WIRETAPE, wiretape } from '../support/run.ts';
import type { Place } from '../support/store.ts';
import { CONVERSATIONS } from './acp-2/conversations.ts';
import { it, withAgents } from './support/agents.ts';

const file = (name: string) => fileURLToPath(new URL(`acp-2/${name}`, import.meta.url));

/** What `check` says of conversations in which the agent does something wrong, or is left. */
const FOUND: Readonly<Record<string, string[]>> = {
  hang: ['io-early-eof'],
  silent: ['acp-state-reason'],
  stuck: ['acp-state-requires-action'],
};

withAgents(['acp-sdk'], ({ folder }) => {
  const sdk = join(folder, 'node_modules/@agentclientprotocol/sdk/dist/v2/stable/acp.js');

  async function converse({ dir, env }: Place, steps: readonly object[], name: string, agent: string[]): Promise<void> {
    const command = [process.execPath, file('client.mjs'), JSON.stringify(steps), '--', WIRETAPE];
    const [program, ...args] = [...command, 'record', '--name', name, '--', ...agent];
    await promisify(execFile)(program!, args, { cwd: dir, env: { ...env, ACP_SDK: sdk } });
  }

  it.for(Object.keys(CONVERSATIONS))(
    'has the conversation %s live, and replayed on either side',
    async (name, { place }) => {
      const agent = [process.execPath, file('agent.mjs')];
      const steps = CONVERSATIONS[name]!;
      await converse(place, steps, name, agent);
      const { stdout } = await wiretape(place, ['check', 'last', '--json']);
      const rules = String(stdout)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).rule);
      expect(rules).toEqual(FOUND[name] ?? []);

      await converse(place, steps, 'again', [WIRETAPE, 'replay', name, '--instant']);
      expect(String((await wiretape(place, ['diff', name, 'again'])).stdout)).toContain('no differences');

      const env = { ...place.env, ACP_SDK: sdk };
      const driven = await wiretape(place, ['replay', name, '--', ...agent], { cwd: place.dir, env });
      expect(String(driven.stdout)).toContain('no differences');
    },
  );
});
