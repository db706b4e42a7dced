// Promise 9: the process that a client starts is the recorder itself, and ends as clients end agents: SIGKILL at once
// (Go SDK), SIGTERM and SIGKILL three seconds later (Node SDK).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { watchdogsOf } from '../../support/processes.ts';
import { agent } from '../../support/run.ts';
import { ignoringArguments, makeExecutable, makeShim } from '../../support/shim.ts';
import { it, type Place } from '../../support/store.ts';
import { allGone, killed, stored, waitFor } from '../../support/wait.ts';

/** An agent behind a shim, started as a client would, with its recorder fully at work. */
async function start(place: Place, command: string[]): Promise<{ client: Client; pid: number }> {
  const shim = await makeShim(place, makeExecutable(join(place.dir, 'agents', 'kimi'), ignoringArguments(command)));
  const client = new Client([shim, '--wire'], { ...place, streams: 'socket' });
  const pid = await client.agent(place.marker, true);
  await waitFor(() => watchdogsOf(pid).length === 1, 'the watchdog');
  return { client, pid };
}

async function verdict(place: Place): Promise<unknown> {
  const { stdout } = await wiretapeHere(place, ['verify', 'last', '--json']);
  return JSON.parse(stdout.toString()).verdict;
}

/** What an agent wrote down, in order. */
function notes(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').match(/^\w+/gm)! : [];
}

describe.concurrent('behind a shim', () => {
  it('SIGKILL ends the agent too, and the tape is readable', async ({ place }) => {
    const { client, pid } = await start(place, agent('echo.mjs'));
    await client.write('{"id":1}\n');
    await client.until('{"id":1}\n');
    await stored(place, '{"id":1}');
    client.kill('SIGKILL');
    await client.over();
    expect(client.signal).toBe('SIGKILL');
    await allGone(place, pid);
    expect(await verdict(place)).toBe('recovered');
    const shown = await wiretapeHere(place, ['show', 'last', '--raw', '--from', 'agent']);
    expect(shown.stdout.toString()).toBe('{"id":1}\n');
  });

  it('SIGKILL ends an agent that ignores the end of its input', async ({ place }) => {
    const file = join(place.dir, 'notes');
    const { client, pid } = await start(place, agent('ignore-eof.mjs', file));
    await client.until('ready');
    await killed(
      pid,
      () => client.kill('SIGKILL'),
      () => notes(file).includes('eof'),
    );
    await allGone(place, pid);
    expect(notes(file)).toEqual(['eof', 'term']);
    expect(await verdict(place)).toBe('recovered');
  });

  it('SIGTERM reaches the agent, and its death is ours', async ({ place }) => {
    const { client, pid } = await start(place, agent('echo.mjs'));
    client.kill('SIGTERM');
    await client.over();
    expect([client.code, client.signal]).toEqual([null, 'SIGTERM']);
    await allGone(place, pid);
    expect(await verdict(place)).toBe('intact');
  });

  it('SIGTERM reaches the agent, and its exit code is ours', async ({ place }) => {
    const file = join(place.dir, 'notes');
    const { client, pid } = await start(place, agent('ignore-eof.mjs', file));
    await client.until('ready');
    client.kill('SIGTERM');
    await client.over();
    expect([client.code, client.signal]).toEqual([0, null]);
    await allGone(place, pid);
    expect(notes(file)).toEqual(['term']);
    expect(await verdict(place)).toBe('intact');
  });

  it('SIGTERM that is ignored, then SIGKILL: all are gone, the tape is readable', async ({ place }) => {
    const file = join(place.dir, 'notes');
    const { client, pid } = await start(place, agent('ignore-eof.mjs', file, 'stubborn'));
    await client.until('ready');
    client.kill('SIGTERM');
    await waitFor(() => notes(file).includes('later'), 'SIGTERM at the agent');
    expect(client.saw('exit')).toBe(false);
    await killed(
      pid,
      () => client.kill('SIGKILL'),
      () => notes(file).includes('eof'),
    );
    await client.over();
    await allGone(place, pid);
    expect(notes(file)).toEqual(['term', 'later', 'eof', 'term', 'later']);
    expect(await verdict(place)).toBe('recovered');
    const shown = await wiretapeHere(place, ['show', 'last', '--raw', '--from', 'agent']);
    expect(shown.stdout.toString()).toBe('ready\n');
  });
});
