/** SDKs that take the path of an agent, choose its arguments, and end it by SIGTERM: as clients of the real agents. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { wiretape } from '../support/run.ts';
import type { Place } from '../support/store.ts';
import { type Model, startModel } from './mock-model.ts';
import { it, withAgents } from './support/agents.ts';
import { recordingExecutable } from './support/executable.ts';
import { scriptedHome, shell } from './support/kimi.ts';
import { claudeEnv, qwenEnv } from './support/launch.ts';
import { normal } from './support/normal.ts';
import { type Message, parsed } from './support/talk.ts';
import { makeStage, type Stage } from './support/twice.ts';

let model: Model;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

const SCRIPTS = [
  'text: hello from a script',
  `text: asking first\n${shell('yes', 'echo approved > yes.txt')}`,
  'text: it was allowed',
  `text: asking again\n${shell('no', 'echo rejected > no.txt')}`,
  `text: this one is interrupted\n${shell('never', 'echo never > never.txt')}`,
];

/** What the user of an SDK is told, with the agent itself and with a recording one; and what the client said. */
async function bothWays(
  place: Place,
  agent: string,
  converse: (executable: string, stage: Stage) => Promise<Message[]>,
) {
  const [bare, behind] = [makeStage(place, 'directly'), makeStage(place, 'recorded')];
  const recording = await recordingExecutable(place, agent);
  const [direct, recorded] = await Promise.all([converse(agent, bare), converse(recording, behind)]);
  expect(normal(recorded, behind.dir)).toEqual(normal(direct, bare.dir));
  for (const { work } of [bare, behind]) {
    expect(existsSync(join(work, 'yes.txt'))).toBe(true);
    expect(existsSync(join(work, 'no.txt'))).toBe(false);
  }
  const verified = await wiretape(place, ['verify', 'last']);
  expect(verified.stdout.toString()).toMatch(/intact/);
  const said = await wiretape(place, ['show', 'last', '--raw', '--from', 'client']);
  return { direct, said: said.stdout.toString().trim().split('\n').map(parsed) };
}

withAgents(['kimi-cli-1.49.0', 'kimi-agent-sdk'], (kimi, sdk) => {
  const entry = join(sdk.folder, 'node_modules/@moonshot-ai/kimi-agent-sdk/dist/index.mjs');

  /** Four turns in one session, all that the SDK tells about them. */
  async function converse(executable: string, stage: Stage): Promise<Message[]> {
    const { createSession } = await import(pathToFileURL(entry).href);
    const env = { ...stage.env, ...scriptedHome(stage, SCRIPTS) };
    const session = createSession({ workDir: stage.work, executable, env });
    const seen: Message[] = [];
    const turn = async (text: string, answer?: 'approve' | 'reject' | 'interrupt') => {
      const begun = session.prompt(text);
      for await (const event of begun) {
        seen.push(event);
        if (event.type !== 'ApprovalRequest') continue;
        if (answer === 'interrupt') await begun.interrupt();
        else await begun.approve(event.payload.id, answer);
      }
      seen.push(await begun.result);
    };
    try {
      await turn('say something');
      await turn('do it', 'approve');
      await turn('do it again', 'reject');
      await turn('once more', 'interrupt');
    } finally {
      await session.close();
    }
    return seen;
  }

  it("Kimi's SDK sees the same", async ({ place }) => {
    const { direct, said } = await bothWays(place, kimi.program, converse);
    expect(direct.filter(({ type }) => type === 'ApprovalRequest')).toHaveLength(3);
    expect(direct.at(-1)).toMatchObject({ status: 'cancelled' });
    expect(said.filter(({ method }) => method === 'prompt')).toHaveLength(4);
  });
});

/** Three turns in one session of an SDK like Claude's: text, a tool that is allowed, one that is not. */
async function threeTurns(entry: string, { work }: Stage, options: Message): Promise<Message[]> {
  const { query } = await import(pathToFileURL(entry).href);
  const prompts = ['play: greet', `play: write file: ${work}/yes.txt`, `play: write file: ${work}/no.txt`];
  let next = () => {};
  async function* prompt() {
    for (const content of prompts) {
      const turn = new Promise<void>((ended) => {
        next = ended;
      });
      yield { type: 'user', session_id: '', message: { role: 'user', content }, parent_tool_use_id: null };
      await turn;
    }
  }
  const canUseTool = async (_tool: string, input: Message) =>
    input.file_path.endsWith('yes.txt')
      ? { behavior: 'allow', updatedInput: input }
      : { behavior: 'deny', message: 'no' };
  const seen: Message[] = [];
  const common = { cwd: work, permissionMode: 'default', canUseTool };
  for await (const message of query({ prompt: prompt(), options: { ...common, ...options } })) {
    seen.push(message);
    if (message.type === 'result') next();
  }
  return seen;
}

function expectThreeTurns({ direct, said }: { direct: Message[]; said: Message[] }): void {
  expect(direct.filter(({ type }) => type === 'result')).toHaveLength(3);
  expect(said.filter(({ type }) => type === 'user')).toHaveLength(3);
}

withAgents(['qwen-code', 'qwen-sdk'], (qwen, sdk) => {
  const entry = join(sdk.folder, 'node_modules/@qwen-code/sdk/dist/index.mjs');

  it("Qwen's SDK sees the same", async ({ place }) => {
    const both = await bothWays(place, qwen.program, (executable, stage) => {
      const env = { ...stage.env, ...qwenEnv(model.url) };
      const options = { env, model: 'mock-model', authType: 'openai', pathToQwenExecutable: executable };
      return threeTurns(entry, stage, options);
    });
    expectThreeTurns(both);
  });
});

withAgents(['claude'], (claude) => {
  const entry = join(claude.folder, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs');

  it("Claude's SDK sees the same", async ({ place }) => {
    const both = await bothWays(place, claude.program, (executable, stage) => {
      const env = { ...stage.env, ...claudeEnv(stage, model) };
      return threeTurns(entry, stage, { env, settingSources: [], pathToClaudeCodeExecutable: executable });
    });
    expectThreeTurns(both);
    expect(both.direct.filter(({ is_error }) => is_error)).toEqual([]);
    expect(both.said.filter(({ type }) => type === 'control_response')).toHaveLength(2);
  });
});
