/** Whole conversations by SDKs that start their agent themselves. Each gives back all that the user of the SDK is told. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Model } from '../mock-model.ts';
import type { Agent } from './agents.ts';
import { scriptedHome, shell } from './kimi.ts';
import { claudeEnv, qwenEnv } from './launch.ts';
import type { Message } from './talk.ts';
import type { Stage } from './twice.ts';

/** `executable`: the agent, or whatever stands in its place. */
export type Converse = (executable: string, stage: Stage) => Promise<Message[]>;

const SCRIPTS = [
  'text: hello from a script',
  `text: asking first\n${shell('yes', 'echo approved > yes.txt')}`,
  'text: it was allowed',
  `text: asking again\n${shell('no', 'echo rejected > no.txt')}`,
  `text: this one is interrupted\n${shell('never', 'echo never > never.txt')}`,
];

/** Four turns in one session of Kimi's SDK: text, a command that is approved, one that is rejected, an interrupt. */
export function kimiTurns({ folder }: Agent): Converse {
  const entry = join(folder, 'node_modules/@moonshot-ai/kimi-agent-sdk/dist/index.mjs');
  return async (executable, stage) => {
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
  };
}

export function qwenTurns({ folder }: Agent, url: string): Converse {
  const entry = join(folder, 'node_modules/@qwen-code/sdk/dist/index.mjs');
  return (executable, stage) => {
    const env = { ...stage.env, ...qwenEnv(url) };
    const options = { env, model: 'mock-model', authType: 'openai', pathToQwenExecutable: executable };
    return threeTurns(entry, stage, options);
  };
}

export function claudeTurns({ folder }: Agent, model: Model): Converse {
  const entry = join(folder, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs');
  return (executable, stage) => {
    const env = { ...stage.env, ...claudeEnv(stage, model) };
    return threeTurns(entry, stage, { env, settingSources: [], pathToClaudeCodeExecutable: executable });
  };
}

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
