// Promise 5, the end: we end as the agent ended, say clearly why it could not start, and leave what it leaves.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { runBoth, seenIn } from '../../support/both.ts';
import { Client } from '../../support/client.ts';
import { nameOf, processesWith } from '../../support/processes.ts';
import { agent, onlyTape, run, WIRETAPE, wiretape } from '../../support/run.ts';
import { it } from '../../support/store.ts';
import { waitFor } from '../../support/wait.ts';

describe.concurrent('the exit code is the agent’s', () => {
  it.for([1, 42, 125, 127, 137, 255])('%i', async (code, { place }) => {
    const { direct, recorded } = await runBoth(place, agent('exit-with.sh', String(code)), () => {});
    expect(direct.code).toBe(code);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    expect(recorded.tape.events().at(-1)).toMatchObject({ event: 'exit', code, signal: null });
  });

  it('a shell sees the same number for a signal', async ({ place }) => {
    const script = '"$@"; echo $?';
    const command = (...front: string[]) => ['sh', '-c', script, 'sh', ...front, ...agent('die-by.sh', 'PIPE')];
    const direct = await run(place, command());
    const recorded = await run(place, command(WIRETAPE, 'record', '--'));
    expect(direct.stdout.toString()).toBe('dying by PIPE\n141\n');
    expect(recorded.stdout.toString()).toBe(direct.stdout.toString());
  });
});

describe.concurrent('an agent that cannot start', () => {
  const FAILURES: [string, number, (dir: string) => string][] = [
    ['that is not on PATH', 127, () => 'no-such-agent'],
    ['that is not at its path', 127, (dir) => join(dir, 'nowhere')],
    ['that has no name', 127, () => ''],
    ['whose interpreter is not there', 127, (dir) => script(dir, '#!/no/such/interpreter\n', 0o755)],
    ['that may not be executed', 126, (dir) => script(dir, '#!/bin/sh\n', 0o644)],
    ['that is a folder', 126, (dir) => folder(dir)],
    ['below a file', 126, (dir) => join(script(dir, '', 0o644), 'agent')],
  ];

  it.for(FAILURES)('%s', async ([, code, make], { place }) => {
    const ended = await wiretape(place, ['record', '--', make(place.dir), 'with', 'args'], { input: 'ignored\n' });
    expect([ended.code, ended.signal, ended.stdout.toString()]).toEqual([code, null, '']);
    expect(ended.stderr.toString()).toMatch(/^wiretape: [^\n]+\nhint: [^\n]+\n$/);
    const tape = await onlyTape(place);
    expect(tape.events().map(({ event }) => event)).toEqual(['spawn-failed']);
    expect(tape.final).toBe(true);
    expect(processesWith(place.marker)).toEqual([]);
  });

  it('gives the codes that a shell gives', async ({ place }) => {
    for (const [what, code, make] of FAILURES) {
      // Shells differ in this one.
      if (what.includes('interpreter')) continue;
      const dir = join(place.dir, what);
      mkdirSync(dir);
      const ended = await run(place, ['bash', '-c', '"$1"', 'bash', make(dir)]);
      expect([what, ended.code]).toEqual([what, code]);
    }
  });

  function script(dir: string, text: string, mode: number): string {
    const path = join(dir, 'script');
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  function folder(dir: string): string {
    mkdirSync(join(dir, 'folder'));
    return join(dir, 'folder');
  }
});

describe.concurrent('a grandchild', () => {
  it('in the background is left alone, and nobody waits for it', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('background.sh'), (client) => client.end());
    expect(direct.left).toEqual(['sleep 61.5']);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    expect(recorded.tape.events('abandoned')).toEqual([]);
  });

  it('that holds the streams in silence is not waited for, and not killed', async ({ place }) => {
    const client = new Client([WIRETAPE, 'record', '--', ...agent('hold-stdout.sh', 'silent', '63.5')], place);
    await client.over();
    expect([client.code, client.stdout.toString()]).toEqual([6, 'the agent is done\n']);
    expect(processesWith(place.marker).map(nameOf)).toEqual(['sleep 63.5']);
    const tape = await onlyTape(place);
    expect(tape.events('abandoned')).toMatchObject([{ from: 'proc', streams: ['agent', 'stderr'] }]);
    const exit = tape.events('exit')[0]!;
    expect(exit.t - (exit.ended as number)).toBeGreaterThan(0.25);
    client.dispose();
  });

  it('that still has something to say is heard to its end', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('hold-stdout.sh', 'chatty', '6'), (client) => client.end());
    expect(direct.stdout.toString()).toContain('tick 5\n');
    const { tape } = recorded;
    const [abandoned] = tape.events('abandoned');
    const lastWord = tape.frames.findLast(({ from }) => from === 'agent')!.t;
    // On a machine so busy that a tenth of a second becomes three, it counts as silent.
    if (abandoned) expect(abandoned.t - lastWord).toBeGreaterThan(0.2);
    else expect(recorded.stdout.toString()).toBe(direct.stdout.toString());
    expect(recorded.stdout.toString()).toBe(tape.bytesFrom('agent').toString());
    expect(direct.stdout.toString().startsWith(recorded.stdout.toString())).toBe(true);
    expect(recorded.code).toBe(6);
  });

  it('that never stops talking is left after two seconds, without losing a byte that was read', async ({ place }) => {
    const client = new Client([WIRETAPE, 'record', '--', ...agent('hold-stdout.sh', 'chatty', '600')], place);
    await client.over();
    expect(client.code).toBe(6);
    const tape = await onlyTape(place);
    expect(tape.bytesFrom('agent').toString()).toBe(client.stdout.toString());
    const [abandoned, ...more] = tape.events('abandoned');
    expect(more).toEqual([]);
    const ended = tape.events('exit')[0]!.ended as number;
    const lastWord = tape.frames.findLast(({ from }) => from === 'agent')!.t;
    // Two seconds; or three tenths without a word, should the machine be as busy as that.
    const reasons = [abandoned!.t - ended > 1.9, abandoned!.t - lastWord > 0.2];
    expect(reasons).toContain(true);
    expect(client.stdout.toString().split('\n').length).toBeGreaterThan(2);
    client.dispose();
  });

  it('is not to blame for a pipe that the client does not read', async ({ place }) => {
    const command = [WIRETAPE, 'record', '--', ...agent('firehose.mjs')];
    const client = new Client(command, { ...place, unread: ['stdout'] });
    const stalled = async () => {
      const { stdout } = await wiretape(place, ['show', 'last', '--frames', '--json', '-q', 'from:proc']);
      return stdout.includes('"stalled"');
    };
    await waitFor(stalled, 'a full pipe');
    client.kill('SIGTERM');
    await client.exited();
    const tape = await onlyTape(place);
    expect(tape.events('abandoned')).toMatchObject([{ streams: ['agent'], stalled: ['agent'] }]);
    const { stdout } = await wiretape(place, ['check', '--json', '--rule', 'io-lost,io-after-exit']);
    const { fault, message } = JSON.parse(stdout.toString());
    expect([fault, message]).toEqual(['client', expect.stringContaining('the client had stopped reading')]);
    client.dispose();
  });

  it('that does the work is waited for as ever', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('relaunch.mjs'), async (client) => {
      await client.until('ready');
      await client.write('question\n');
      await client.until('question\n');
      client.end();
    });
    expect(direct.code).toBe(9);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });
});

describe.concurrent('wiretape’s own mistakes', () => {
  it('with --strict and no store: 125, and the agent never runs', async ({ place }) => {
    writeFileSync(place.home, 'not a folder');
    const ended = await wiretape(place, ['record', '--strict', '--', ...agent('exit-with.sh', '0')]);
    expect([ended.code, ended.stdout.toString()]).toEqual([125, '']);
    expect(ended.stderr.toString()).toMatch(/^wiretape: [^\n]+\n$/);
  });
});
