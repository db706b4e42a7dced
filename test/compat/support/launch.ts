/** How the agents that need a model are started so that they ask ours, and keep everything in their stage. */
import { join } from 'node:path';
import type { Agent } from './agents.ts';
import type { Launch, Stage } from './twice.ts';

export function kimiCode({ program }: Agent, stage: Stage, url: string, args: string[]): ReturnType<Launch> {
  return { command: [program, ...args], env: kimiCodeEnv(stage, url) };
}

export function qwen({ program }: Agent, url: string, args: string[]): ReturnType<Launch> {
  return { command: [program, ...args, '--approval-mode', 'default'], env: qwenEnv(url) };
}

/** The environment of a user whose agents are set up for the model at `url`. */
export function kimiCodeEnv({ dir }: Stage, url: string): NodeJS.ProcessEnv {
  return {
    KIMI_CODE_HOME: join(dir, 'kimi-code'),
    KIMI_MODEL_NAME: 'mock-model',
    KIMI_MODEL_PROVIDER_TYPE: 'openai',
    KIMI_MODEL_BASE_URL: url,
    KIMI_MODEL_API_KEY: 'none',
  };
}

export function qwenEnv(url: string): NodeJS.ProcessEnv {
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'mock-model' };
}
