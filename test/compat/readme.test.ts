/** Every way of starting an agent that docs/recording.md shows, word by word; only the agent's path is replaced. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { onlyTape, WIRETAPE } from '../support/run.ts';
import { it, withAgents } from './support/agents.ts';
import { scriptedHome } from './support/kimi.ts';
import { kimiCodeEnv, qwenEnv } from './support/launch.ts';
import { type Message, Talk } from './support/talk.ts';
import { expectOnTape, makeStage } from './support/twice.ts';

/** How the page names an agent, which installed agent that is, and its handshake. */
const KNOWN = [
  { shown: ['kimi', '--wire'], agent: 'kimi-cli-1.49.0', hello: rpc('initialize', { protocol_version: '1.10' }) },
  { shown: ['kimi', 'acp'], agent: 'kimi-code', hello: rpc('initialize', { protocolVersion: 1 }) },
  {
    shown: ['qwen'],
    agent: 'qwen-code',
    hello: { type: 'control_request', request_id: 'hello', request: { subtype: 'initialize', hooks: null } },
  },
  {
    shown: ['npx', '-y', '@modelcontextprotocol/server-everything'],
    agent: 'server-everything',
    hello: rpc('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'compat', version: '1.0.0' },
    }),
  },
] as const;

const commands = commandsIn(section('Put it in front of an agent'));

describe('docs/recording.md', () => {
  it('shows every agent', () => {
    const shown = commands.map((words) => agentIn(words).agent);
    expect(new Set(shown)).toEqual(new Set(KNOWN.map(({ agent }) => agent)));
    expect(commands.length).toBeGreaterThanOrEqual(6);
  });

  describe.each(commands.map((words) => [words.join(' '), words] as const))('%s', (_, words) => {
    const { shown, agent, hello } = agentIn(words);
    withAgents([agent], ({ program }) => {
      it('starts', async ({ place }) => {
        const stage = makeStage(place, 'recorded');
        // Set up for a model that nobody asks for anything here.
        const url = 'http://127.0.0.1:9/v1';
        const env = { ...stage.env, ...scriptedHome(stage, []), ...kimiCodeEnv(stage, url), ...qwenEnv(url) };
        const at = words.indexOf('--') + 1;
        // The subcommands and options of an agent stay; a launcher that would fetch it from the network does not.
        const rest = words.slice(at + (shown[0] === 'npx' ? shown.length : 1));
        const command = [WIRETAPE, ...words.slice(1, at), program, ...rest];
        const talk = new Talk(command, { ...stage, env });
        try {
          talk.send(hello);
          const answer = await talk.until(isAnswer, 'the answer to the handshake');
          expect(answer.error).toBeUndefined();
          const heard = await talk.end('eof');
          expect(heard.code).toBe(0);
          await expectOnTape(place, heard);
          expect((await onlyTape(place)).metadata.command).toEqual([program, ...rest]);
        } finally {
          talk.dispose();
        }
      });
    });
  });
});

function rpc(method: string, params: object): object {
  return { jsonrpc: '2.0', id: 'hello', method, params };
}

function isAnswer({ id, type, response }: Message): boolean {
  return id === 'hello' || (type === 'control_response' && response.request_id === 'hello');
}

function section(title: string): string {
  const page = readFileSync(fileURLToPath(new URL('../../docs/recording.md', import.meta.url)), 'utf8');
  return page.split(/^## /m).find((part) => part.startsWith(title)) ?? '';
}

/** Commands in `console` blocks, and every `command` with its `args` in `json` blocks. */
function commandsIn(markdown: string): string[][] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].flatMap(([, kind, text]) => {
    if (kind === 'json') return commandsOf(JSON.parse(text!));
    return text!.match(/^\$ wiretape record .*/gm)?.map((line) => line.slice(2).split(/\s+/)) ?? [];
  });
}

function commandsOf(settings: unknown): string[][] {
  if (settings === null || typeof settings !== 'object') return [];
  const { command, args } = settings as { command?: string; args?: string[] };
  if (typeof command === 'string') return [[command, ...(args ?? [])]];
  return Object.values(settings).flatMap(commandsOf);
}

function agentIn(words: string[]): (typeof KNOWN)[number] {
  const agent = words.slice(words.indexOf('--') + 1);
  const known = KNOWN.find(({ shown }) => shown.every((word, i) => agent[i] === word));
  if (words[0] !== 'wiretape' || words[1] !== 'record' || !known) throw new Error(`not understood: ${words.join(' ')}`);
  return known;
}
