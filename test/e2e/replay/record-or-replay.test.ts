/** `recordOrReplay`: the real agent once, its tape from then on. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type ReplayMismatch, type ReplayProgram, recordOrReplay, verifyTape } from '../../../lib/index.ts';
import { Client } from '../../support/client.ts';
import { it, type Place } from '../../support/store.ts';

const ECHO = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, params } = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: params }));
});`;
const AGENT = [process.execPath, '-e', ECHO];

const tapeOf = (place: Place) => join(place.dir, 'echo.jsonl');
const programOf = (place: Place, agent: readonly string[] = AGENT, options = {}) =>
  recordOrReplay(tapeOf(place), agent, { home: place.home, ...options });

async function said(place: Place, { path }: ReplayProgram, word: string): Promise<Client> {
  const client = new Client([path], { env: place.env });
  void client.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: { word } })}\n`);
  await client.until(word, 'stdout');
  return client;
}

async function done(place: Place, program: ReplayProgram, word: string): Promise<void> {
  (await said(place, program, word)).end();
}

const failureOf = async (promise: Promise<unknown>) =>
  (await promise.catch((error: unknown) => error)) as ReplayMismatch;

describe.concurrent('recordOrReplay', () => {
  it('records, and replays from then on', async ({ place }) => {
    const first = programOf(place);
    expect(first.mode).toBe('record');
    await done(place, first, 'hello');
    // The client does not wait for the end of its agent.
    expect(await first.close()).toBeNull();
    expect(verifyTape(tapeOf(place)).verdict).toBe('intact');

    const second = programOf(place, ['/no/such/agent']);
    expect(second.mode).toBe('replay');
    await done(place, second, 'hello');
    expect(await second.close()).toMatchObject({ ok: true });
  });

  it('says how to accept what differs, and does that', async ({ place }) => {
    const first = programOf(place);
    await done(place, first, 'hello');
    await first.close();
    const second = programOf(place);
    const client = new Client([second.path], { env: place.env });
    await client.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: { word: 'bye' } })}\n`);
    await client.until('hello', 'stdout');
    const { message } = await failureOf(second.close());
    expect(message).toContain('/params/word\n  recorded: "hello"\n  live:     "bye"\n');
    expect(message).toMatch(/\nif the client is right, record it again: set WIRETAPE_UPDATE=1, or the option update$/);
    client.dispose();

    const third = programOf(place, AGENT, { update: true });
    await done(place, third, 'bye');
    await third.close();
    expect(readFileSync(tapeOf(place), 'utf8')).toContain('"word":"bye"');
  });

  it('ends an agent that its client leaves behind', async ({ place }) => {
    const program = programOf(place);
    const client = await said(place, program, 'hello');
    await program.close();
    expect(verifyTape(tapeOf(place)).verdict).toBe('intact');
    await client.over();
  });

  it('is red if nothing was recorded', async ({ place }) => {
    expect(await failureOf(programOf(place).close())).toMatchObject({
      message: 'the client never started the program',
    });
    const program = programOf(place, ['/no/such/agent']);
    const client = new Client([program.path], { env: place.env });
    await client.over();
    expect(await failureOf(program.close())).toMatchObject({ message: 'the agent could not be started' });
    // The next run tries again.
    expect(existsSync(tapeOf(place))).toBe(false);
  });

  it('is red if the tape cannot hold what was done', async ({ place }) => {
    const program = programOf(place);
    await done(place, program, 'hello');
    const again = new Client([program.path], { env: place.env });
    again.end();
    await again.over();
    expect((await failureOf(program.close())).message).toMatch(/^the client started the program 2 times/);
  });
});
