/** How the agents that need a model are started so that they ask ours, and keep everything in their stage. */
import { join } from 'node:path';
import type { Model } from '../mock-model.ts';
import type { Agent } from './agents.ts';
import type { Launch, Stage } from './twice.ts';

export function kimiCode({ program }: Agent, stage: Stage, url: string, args: string[]): ReturnType<Launch> {
  return { command: [program, ...args], env: kimiCodeEnv(stage, url) };
}

export function qwen({ program }: Agent, url: string, args: string[]): ReturnType<Launch> {
  return { command: [program, ...args, '--approval-mode', 'default'], env: qwenEnv(url) };
}

export function gemini({ program }: Agent, { origin }: Model): ReturnType<Launch> {
  const env = { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: origin, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  return { command: [program, '--acp'], env };
}

export function codex({ program }: Agent, { url }: Model): ReturnType<Launch> {
  const provider = `{ name = "mock", base_url = "${url}", wire_api = "responses", env_key = "MOCK_KEY" }`;
  const settings = ['model="gpt-5.5"', 'model_provider="mock"', `model_providers.mock=${provider}`];
  return { command: [program, 'app-server', ...settings.flatMap((one) => ['-c', one])], env: { MOCK_KEY: 'none' } };
}

/** It asks only for what its settings say. */
export function opencode({ program }: Agent, { url }: Model): ReturnType<Launch> {
  const options = { baseURL: url, apiKey: 'none' };
  const provider = { npm: '@ai-sdk/openai-compatible', options, models: { 'mock-model': { name: 'mock' } } };
  const settings = { model: 'mock/mock-model', provider: { mock: provider }, permission: { edit: 'ask', bash: 'ask' } };
  const never = {
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  };
  return { command: [program, 'acp'], env: { ...never, OPENCODE_CONFIG_CONTENT: JSON.stringify(settings) } };
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

export function claudeEnv({ dir }: Stage, { origin }: Model): NodeJS.ProcessEnv {
  return {
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CONFIG_DIR: join(dir, 'claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}
