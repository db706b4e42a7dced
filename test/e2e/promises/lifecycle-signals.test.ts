// Promise 5, the signals: to the agent's whole group, exactly once, and nothing of it is left.
import { constants } from 'node:os';
import { describe, expect } from 'vitest';
import { runBoth, seenIn } from '../../support/both.ts';
import { Client } from '../../support/client.ts';
import { bytesWrittenBy, isRunning, processesWith, watchdogsOf } from '../../support/processes.ts';
import { agent, onlyTape, WIRETAPE } from '../../support/run.ts';
import { it } from '../../support/store.ts';
import { pause, waitFor } from '../../support/wait.ts';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGCONT'] as const;
const ONCE = JSON.stringify(Object.fromEntries(FORWARDED.map((signal) => [signal, 1])));

describe.concurrent('signals sent to us', () => {
  it('reach parent and child of the agent once each', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('count-signals.mjs'), async (client, { recorded }) => {
      await client.until('parent ready');
      await client.until('child ready');
      for (const signal of FORWARDED) {
        client.kill(signal);
        await client.until(`parent ${signal}`);
        if (recorded) await client.until(`child ${signal}`);
      }
      client.end();
    });
    // Without us only the process that the client knows gets them.
    expect(direct.stdout.toString()).toContain(`parent ${ONCE}`);
    expect(recorded.stdout.toString()).toContain(`parent ${ONCE}`);
    expect(recorded.stdout.toString()).toContain(`child ${ONCE}`);
    expect([recorded.code, recorded.signal, recorded.left]).toEqual([0, null, []]);
    expect(recorded.tape.events('signal').map(({ signal }) => signal)).toEqual(FORWARDED);
  });

  it('sent to our whole group, as by a terminal, reach them once too', async ({ place }) => {
    const { direct, recorded } = await runBoth(
      place,
      agent('count-signals.mjs'),
      async (client) => {
        await client.until('parent ready');
        await client.until('child ready');
        process.kill(-client.pid, 'SIGINT');
        await client.until('parent SIGINT');
        await client.until('child SIGINT');
        client.end();
      },
      { detached: true },
    );
    for (const { stdout } of [direct, recorded]) {
      expect(stdout.toString()).toContain('parent {"SIGINT":1}');
      expect(stdout.toString()).toContain('child {"SIGINT":1}');
    }
  });

  it('end a worker that its launcher would leave behind', async ({ place }) => {
    const client = new Client([WIRETAPE, 'record', '--', ...agent('relaunch.mjs')], place);
    await client.until('ready');
    client.kill('SIGTERM');
    await client.over();
    expect([client.code, client.signal]).toEqual([null, 'SIGTERM']);
    await waitFor(() => processesWith(place.marker).length === 0, 'the end of the worker');
  });

  it('may be ignored by the agent, which then ends in its own way', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('ignore-term.mjs'), async (client) => {
      await client.until('ready\n');
      for (const times of [1, 2]) {
        client.kill('SIGTERM');
        await client.until('no\n', 'stdout', times);
      }
      client.end();
    });
    expect(direct.code).toBe(5);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });

  it('stop and continue: the agent hears of the second', async ({ place }) => {
    const { recorded } = await runBoth(place, agent('count-signals.mjs'), async (client) => {
      await client.until('parent ready');
      client.kill('SIGSTOP');
      client.kill('SIGCONT');
      await client.until('parent SIGCONT');
      client.end();
    });
    expect(recorded.stdout.toString()).toContain('parent {"SIGCONT":1}');
  });

  it.for([10, 60, 90, 120, 150, 200])('at any moment of the start leave nothing (%i ms)', async (ms, { place }) => {
    const client = new Client([WIRETAPE, 'record', '--', ...agent('deaf.mjs')], place);
    await pause(ms);
    client.kill('SIGTERM');
    await client.over();
    expect([client.code, client.signal]).toEqual([null, 'SIGTERM']);
    await waitFor(() => processesWith(place.marker).length === 0, 'the end of the agent');
  });
});

describe.concurrent('an unwilling client', () => {
  it.for(['pipe', 'socket'] as const)('that reads no stderr can still end us (%s)', async (streams, { place }) => {
    const { direct, recorded } = await runBoth(
      place,
      agent('leave-politely.sh'),
      async (client, { marker }) => {
        const flooder = () => processesWith(marker).find(({ argv }) => argv[0] === 'yes')?.pid ?? 0;
        await waitFor(() => bytesWrittenBy(flooder()) >= 65_536, 'a full pipe');
        await client.until('ready');
        client.kill('SIGTERM');
        await client.exited();
        client.read('stderr');
      },
      { streams, unread: ['stderr'] },
    );
    expect([direct.code, direct.signal]).toEqual([8, null]);
    expect([recorded.code, recorded.signal, recorded.left]).toEqual([8, null, []]);
  });

  it('that reads no stdout can still end us', async ({ place }) => {
    const { direct, recorded } = await runBoth(
      place,
      agent('firehose.mjs'),
      async (client, { agent: find }) => {
        const pid = await find();
        await waitFor(() => bytesWrittenBy(pid) >= 65_536, 'a full pipe');
        client.kill('SIGTERM');
        await client.exited();
        client.read('stdout');
      },
      { unread: ['stdout'] },
    );
    expect([direct.code, direct.signal]).toEqual([null, 'SIGTERM']);
    expect([recorded.code, recorded.signal, recorded.left]).toEqual([null, 'SIGTERM', []]);
  });
});

describe.concurrent('a deadly signal of the agent is ours', () => {
  const DEADLY = 'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM'.split(' ');
  /** Those that Node keeps for itself: a process of Node cannot die by them. */
  const NOT_OURS = ['PIPE', 'USR1'];

  it.for(DEADLY)('SIG%s', async (name, { place }) => {
    const signal = `SIG${name}` as NodeJS.Signals;
    const { direct, recorded } = await runBoth(place, agent('die-by.sh', name), (client) => client.end());
    expect([direct.code, direct.signal]).toEqual([null, signal]);
    const raised = [null, signal];
    const said = [128 + constants.signals[signal], null];
    expect(NOT_OURS.includes(name) ? [raised, said] : [raised]).toContainEqual([recorded.code, recorded.signal]);
    expect([recorded.stdout.toString(), recorded.stderr.toString()]).toEqual([`dying by ${name}\n`, '']);
    expect(recorded.tape.events('exit')).toMatchObject([{ code: null, signal }]);
  });
});

describe.concurrent('after the agent has ended', () => {
  it('a signal to us kills nothing of what it left', async ({ place }) => {
    const client = new Client([WIRETAPE, 'record', '--', 'sh', '-c', 'sleep 62.5 & echo $!; exit 6'], place);
    await client.until('\n');
    const grandchild = Number(client.stdout.toString());
    const [parent] = processesWith(place.marker).filter(({ argv }) => argv[0] === 'sh');
    if (parent) await waitFor(() => !isRunning(parent.pid), 'the end of the agent');
    client.kill('SIGTERM');
    await client.over();
    expect(isRunning(grandchild)).toBe(true);
    const { pid } = (await onlyTape(place)).events('spawn')[0]!;
    await waitFor(() => watchdogsOf(pid as number).length === 0, 'the end of the watchdog');
    expect(isRunning(grandchild)).toBe(true);
  });

  it('a signal to us does not change how we end', async ({ place }) => {
    const size = 48 * 1024 * 1024;
    // Such a line keeps the writer of the tape busy for a while after the agent has gone.
    const client = new Client([WIRETAPE, 'record', '--', ...agent('long-line.mjs', String(size))], place);
    const pid = await client.agent(place.marker, true);
    await waitFor(() => client.received === size && !isRunning(pid), 'the end of the agent');
    client.kill('SIGTERM');
    await client.over();
    expect([client.code, client.signal]).toEqual([0, null]);
  });
});
