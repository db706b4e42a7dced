/** `replayClient`: a tape as the client of an agent, in the tests of the agent. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { AgentMismatch, replayAgent, replayClient } from '../../../lib/index.ts';
import { agentOf, recorded, rowsOf } from '../../support/driving.ts';
import { it, makePlace, type Place, removePlace } from '../../support/store.ts';

const shell = (command: string) => ({ tool: { name: 'Shell', arguments: { command }, approval: true, result: 'ok' } });
const TURN = [[shell('ls')], [{ text: 'Done.' }]];

/** Recorded once, in a store of its own. */
let store: Place;
let tape: string;

beforeAll(async () => {
  store = makePlace();
  tape = await recorded(store, agentOf(store, TURN), [{ prompt: 'List it.' }]);
});

afterAll(() => removePlace(store));

describe('replayClient', () => {
  it('starts an agent, records it, and is closed by await using', async ({ place }) => {
    {
      const { home, env } = place;
      await using client = replayClient(tape, { command: agentOf(place, TURN), home, env });
      expect((await client.ended).ok).toBe(true);
    }
    expect((await rowsOf(place, 'ls')).map(({ source }) => source)).toEqual(['replay']);
  });

  it('drives an agent on streams, such as a tape', async () => {
    await using agent = replayAgent(tape);
    await using client = replayClient(tape, { streams: { input: agent.stdin, output: agent.stdout } });
    const report = await client.close();
    expect(report).toMatchObject({ sent: 2, answered: 1, replayed_as: null, ended: null });
  });

  it('ends with an agent whose end is not on the tape', async ({ place }) => {
    const endless = join(place.dir, 'endless.jsonl');
    const isEnd = /"event":"(eof|exit)"|"type":"seal"/;
    const lines = readFileSync(tape, 'utf8').split('\n');
    writeFileSync(endless, lines.filter((line) => !isEnd.test(line)).join('\n'));
    await using agent = replayAgent(endless);
    await using client = replayClient(endless, { streams: { input: agent.stdin, output: agent.stdout } });
    expect(await client.close()).toMatchObject({ sent: 2, answered: 1, ok: true });
  });

  it('takes the end of a stream that is not closed for the end of the agent', async () => {
    await using agent = replayAgent(tape);
    const output = new PassThrough({ autoDestroy: false });
    agent.stdout.pipe(output);
    await using client = replayClient(tape, { streams: { input: agent.stdin, output } });
    expect(await client.close()).toMatchObject({ sent: 2, answered: 1, ok: true });
  });

  it('fails the test in words if the agent departs', async ({ place }) => {
    const { home, env } = place;
    const client = replayClient(tape, { command: agentOf(place, [[shell('rm -r /')]]), home, env });
    const failure = await client.close().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AgentMismatch);
    expect((failure as AgentMismatch).message).toMatch(
      /^the agent did not do what was recorded in \S+:\nnot on the tape: approval of Shell: Run command `rm -r \/`, rejected/,
    );
    expect((failure as AgentMismatch).report.unmatched).toHaveLength(1);
  });

  it('can be stopped', async ({ place }) => {
    const { home, env } = place;
    const silent = [process.execPath, '-e', 'process.stdin.resume(); setInterval(() => {}, 1000)'];
    const client = replayClient(tape, { command: silent, home, env });
    const report = await client.stop();
    expect(report.ended).toMatchObject({ signal: 'SIGTERM', timed_out: false });
  });

  it('says at once what cannot be replayed', () => {
    const streams = { input: new PassThrough(), output: new PassThrough() };
    expect(() => replayClient('/no/such/tape', { streams })).toThrow('no session');
  });
});
