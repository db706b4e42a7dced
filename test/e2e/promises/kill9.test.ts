// Promise 6, the lifecycle part: after kill -9 of the recorder the agent sees EOF and ends as it would; if it does not,
// the watchdog ends its group. After a normal end nothing is left.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { Client, type ClientOptions } from '../../support/client.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { fileBehind, isRunning, nameOf, processesWith, watchdogsOf } from '../../support/processes.ts';
import { agent, onlyTape, WIRETAPE, wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';
import { allGone, killed, stored, waitFor } from '../../support/wait.ts';

/** A recorder at work, with its watchdog in place. */
async function recording(place: Place, command: string[], options: Partial<ClientOptions> = {}) {
  const client = new Client([WIRETAPE, 'record', '--', ...command], { ...place, ...options });
  const pid = await client.agent(place.marker, true);
  await waitFor(() => watchdogsOf(pid).length === 1, 'the watchdog');
  return { client, pid };
}

/** What an agent wrote down: `eof 1700000000000`, in order. */
function notes(file: string): { what: string; at: number }[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => ({ what: line.split(' ')[0]!, at: Number(line.split(' ')[1]) }));
}

const hasSeenEof = (file: string) => notes(file).some(({ what }) => what === 'eof');

describe.concurrent('after kill -9 of the recorder', () => {
  it('an agent that listens sees EOF and ends by itself', async ({ place }) => {
    const file = join(place.dir, 'notes');
    const { client, pid } = await recording(place, ['sh', '-c', 'cat; echo "itself 0" >"$1"', 'sh', file]);
    await client.write('hello\n');
    await client.until('hello\n');
    // The watchdog stands still, so it is not what ends the agent.
    await killed(
      pid,
      () => client.kill('SIGKILL'),
      () => notes(file).length > 0,
    );
    await client.over();
    await allGone(place, pid);
    expect(notes(file)).toEqual([{ what: 'itself', at: 0 }]);
  });

  it('one that ignores EOF gets TERM about a second later', async ({ place }) => {
    const file = join(place.dir, 'notes');
    const { client, pid } = await recording(place, agent('ignore-eof.mjs', file));
    await client.until('ready');
    const since = await killed(
      pid,
      () => client.kill('SIGKILL'),
      () => hasSeenEof(file),
    );
    await allGone(place, pid);
    expect(notes(file).map(({ what }) => what)).toEqual(['eof', 'term']);
    // Nothing can make it less: the clock is read before the watchdog goes on.
    expect(notes(file)[1]!.at - since).toBeGreaterThan(800);
  });

  it('one that ignores TERM too is killed, and the client is not kept waiting for that', async ({ place }) => {
    const file = join(place.dir, 'notes');
    const { client, pid } = await recording(place, agent('ignore-eof.mjs', file, 'stubborn'));
    await client.until('ready');
    // A watchdog that stands still does nothing before the client has seen the end, however busy the machine is.
    const [watchdog] = watchdogsOf(pid);
    process.kill(watchdog!.pid, 'SIGSTOP');
    client.kill('SIGKILL');
    await client.over();
    expect(isRunning(pid)).toBe(true);
    process.kill(watchdog!.pid, 'SIGCONT');
    await allGone(place, pid);
    expect(notes(file).map(({ what }) => what)).toEqual(['eof', 'term', 'later']);
  });

  it('a grandchild in the agent’s group goes too', async ({ place }) => {
    const { client, pid } = await recording(place, ['sh', '-c', 'sleep 64.5 & cat']);
    await waitFor(() => processesWith(place.marker).some(({ argv }) => argv.includes('64.5')), 'the grandchild');
    client.kill('SIGKILL');
    await allGone(place, pid);
  });

  it('and of its whole group, the watchdog is still there', async ({ place }) => {
    const file = join(place.dir, 'notes');
    const { client, pid } = await recording(place, agent('ignore-eof.mjs', file), { detached: true });
    await client.until('ready');
    await killed(
      pid,
      () => process.kill(-client.pid, 'SIGKILL'),
      () => hasSeenEof(file),
    );
    await allGone(place, pid);
    expect(notes(file).map(({ what }) => what)).toEqual(['eof', 'term']);
  });

  it('the tape can be read, up to what the client got', async ({ place }) => {
    const { client, pid } = await recording(place, agent('echo.mjs'));
    for (const line of ['{"id":1}\n', '{"id":2}\n', 'no end']) {
      await client.write(line);
      await client.until(line);
    }
    await stored(place, 'no end');
    client.kill('SIGKILL');
    await client.over();
    await allGone(place, pid);
    const shown = await wiretapeHere(place, ['show', 'last', '--raw', '--from', 'agent']);
    expect(shown.stdout.toString()).toBe('{"id":1}\n{"id":2}\nno end');
    expect((await onlyTape(place)).events().at(-1)).toMatchObject({ event: 'lost' });
  });
});

describe.concurrent('after a normal end nothing is left', () => {
  const ENDS: [string, string[]][] = [
    ['exit 0', agent('exit-with.sh', '0')],
    ['exit 3', agent('exit-with.sh', '3')],
    ['a signal', agent('die-by.sh', 'KILL')],
    ['EOF', agent('echo.mjs')],
    ['a relaunched worker', agent('relaunch.mjs')],
  ];

  it.for(ENDS)('%s', async ([, command], { place }) => {
    await wiretape(place, ['record', '--', ...command]);
    const { pid } = (await onlyTape(place)).events('spawn')[0]!;
    await allGone(place, pid as number);
  });

  it('but what the agent itself left: the watchdog is dismissed, not set off', async ({ place }) => {
    await wiretape(place, ['record', '--', ...agent('background.sh')]);
    const { pid } = (await onlyTape(place)).events('spawn')[0]!;
    await waitFor(() => watchdogsOf(pid as number).length === 0, 'the end of the watchdog');
    // The writer process is ended with the recorder, but takes a moment to be gone.
    const left = () => processesWith(place.marker).map(nameOf);
    await waitFor(() => !left().some((name) => name.includes('writer.js')), 'the end of the writer');
    expect(left()).toEqual(['sleep 61.5']);
  });

  it('the watchdog has a group of its own and none of our streams', async ({ place }) => {
    const { client, pid } = await recording(place, agent('echo.mjs'));
    const [watchdog] = watchdogsOf(pid);
    expect(watchdog!.group).toBe(watchdog!.pid);
    const ours = [0, 1, 2].flatMap((fd) => [fileBehind(client.pid, fd), fileBehind(pid, fd)]);
    for (const fd of [0, 1, 2]) expect(ours).not.toContain(fileBehind(watchdog!.pid, fd));
    client.end();
    await client.over();
    await allGone(place, pid);
  });
});
