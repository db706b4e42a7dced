/** SDKs that take the path of an agent, choose its arguments, and end it by SIGTERM: as clients of the real agents. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { wiretape } from '../support/run.ts';
import type { Place } from '../support/store.ts';
import { type Model, startModel } from './mock-model.ts';
import { it, withAgents } from './support/agents.ts';
import { recordingExecutable } from './support/executable.ts';
import { normal } from './support/normal.ts';
import { type Converse, claudeTurns, kimiTurns, qwenTurns } from './support/sdks.ts';
import { type Message, parsed } from './support/talk.ts';
import { makeStage } from './support/twice.ts';

let model: Model;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

/** What the user of an SDK is told, with the agent itself and with a recording one; and what the client said. */
async function bothWays(place: Place, agent: string, converse: Converse) {
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
  it("Kimi's SDK sees the same", async ({ place }) => {
    const { direct, said } = await bothWays(place, kimi.program, kimiTurns(sdk));
    expect(direct.filter(({ type }) => type === 'ApprovalRequest')).toHaveLength(3);
    expect(direct.at(-1)).toMatchObject({ status: 'cancelled' });
    expect(said.filter(({ method }) => method === 'prompt')).toHaveLength(4);
  });
});

function expectThreeTurns({ direct, said }: { direct: Message[]; said: Message[] }): void {
  expect(direct.filter(({ type }) => type === 'result')).toHaveLength(3);
  expect(said.filter(({ type }) => type === 'user')).toHaveLength(3);
}

withAgents(['qwen-code', 'qwen-sdk'], (qwen, sdk) => {
  it("Qwen's SDK sees the same", async ({ place }) => {
    expectThreeTurns(await bothWays(place, qwen.program, qwenTurns(sdk, model.url)));
  });
});

withAgents(['claude'], (claude) => {
  it("Claude's SDK sees the same", async ({ place }) => {
    const both = await bothWays(place, claude.program, claudeTurns(claude, model));
    expectThreeTurns(both);
    expect(both.direct.filter(({ is_error }) => is_error)).toEqual([]);
    expect(both.said.filter(({ type }) => type === 'control_response')).toHaveLength(2);
  });
});
