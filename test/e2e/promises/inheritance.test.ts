// Promise 7, what no Node program can pass on by itself: ignored signals, the signal mask, descriptors beyond stderr and
// Node's own channel reach the agent as they were given to us. And the agent does nothing before its watchdog knows it.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { copyProgram } from '../../support/copy.ts';
import { processesWith } from '../../support/processes.ts';
import { HAS_LAUNCHER, NO_LAUNCHER, onlyTape, run, WIRETAPE } from '../../support/run.ts';
import { makeShim } from '../../support/shim.ts';
import { it, type Place } from '../../support/store.ts';
import { waitFor } from '../../support/wait.ts';

/** Runs a shell script that starts "$@" in some way, once with the agent itself and once with it recorded. */
async function both(place: Place, script: string, agent: string[]): Promise<[string, string]> {
  const outputs: string[] = [];
  for (const recorder of [[], [WIRETAPE, 'record', '--']]) {
    const { stdout } = await run(place, ['bash', '-c', script, 'bash', ...recorder, ...agent]);
    outputs.push(stdout.toString());
  }
  return outputs as [string, string];
}

const SIGNALS = ['grep', '-E', 'SigIgn|SigBlk', '/proc/self/status'];
const BLOCK_USR1 =
  'exec python3 -c "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]); os.execvp(sys.argv[1], sys.argv[1:])" "$@"';

describe.concurrent('signals', () => {
  it.for([
    ['ignored by nohup', 'trap "" HUP; exec "$@"'],
    ['ignored behind a pipe', 'trap "" PIPE; exec "$@"'],
    ['ignored in the background of a script', '"$@" & wait'],
    ['of which none is ignored', 'exec "$@"'],
  ] as const)('%s', async ([, script], { place, skip }) => {
    if (!HAS_LAUNCHER) return skip(NO_LAUNCHER);
    const [direct, recorded] = await both(place, script, SIGNALS);
    expect(direct).toMatch(/SigIgn:\s+[0-9a-f]{16}/);
    expect(recorded).toBe(direct);
  });

  it('that are blocked', async ({ place, skip }) => {
    if (!HAS_LAUNCHER) return skip(NO_LAUNCHER);
    const [direct, recorded] = await both(place, BLOCK_USR1, SIGNALS);
    expect(direct).toMatch(/SigBlk:\s+0000000000000200/);
    expect(recorded).toBe(direct);
  });

  it('an agent that ignores SIGHUP because we were told to lives on', async ({ place, skip }) => {
    if (!HAS_LAUNCHER) return skip(NO_LAUNCHER);
    const script = 'trap "" HUP; exec "$0" record -- sh -c "echo ready; cat; echo survived"';
    const client = new Client(['bash', '-c', script, WIRETAPE], place);
    await client.until('ready\n');
    client.kill('SIGHUP');
    await client.write('still here\n');
    await client.until('still here\n');
    client.end();
    await client.over();
    expect(client.stdout.toString()).toContain('survived');
    client.dispose();
  });

  it('reach the agent behind a shim too', async ({ place, skip }) => {
    if (!HAS_LAUNCHER) return skip(NO_LAUNCHER);
    const shim = await makeShim(place, '/bin/grep', '--always');
    const { stdout } = await run(place, ['bash', '-c', 'trap "" HUP; exec "$@"', 'bash', shim, ...SIGNALS.slice(1)]);
    expect(stdout.toString()).toMatch(/SigIgn:\s+0000000000000001\n/);
  });
});

describe.concurrent('descriptors beyond stderr', () => {
  it.for([
    ['3, 4 and 9', 'exec 3<<<three 4<<<four 9<<<nine; exec "$@"', 'cat <&3 <&4; cat <&4; cat <&9; ls /proc/self/fd'],
    ['63, as bash gives them', 'exec "$@" <(echo sixty)', 'cat "$0"'],
  ] as const)('%s', async ([, script, agent], { place, skip }) => {
    if (!HAS_LAUNCHER) return skip(NO_LAUNCHER);
    const [direct, recorded] = await both(place, script, ['bash', '-c', agent]);
    expect(direct).not.toBe('');
    expect(recorded).toBe(direct);
  });

  it('the channel of a Node client to a Node agent', async ({ place }) => {
    const agent = [
      process.execPath,
      '-e',
      'process.on("message", (m) => { process.send({ got: m }); process.exit(5); })',
    ];
    const [file, ...args] = [WIRETAPE, 'record', '--', ...agent];
    const child = spawn(file!, args, { env: place.env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    child.send('hello');
    const answer = await new Promise((done) => child.once('message', done));
    const code = await new Promise((done) => child.once('exit', done));
    expect({ answer, code }).toEqual({ answer: { got: 'hello' }, code: 5 });
  });
});

describe.concurrent('a directory that is gone', () => {
  it('costs neither the agent nor its tape', async ({ place }) => {
    const cwd = join(place.dir, 'gone');
    mkdirSync(cwd);
    const script = 'cd "$1"; rmdir "$1"; shift; exec "$@"';
    const record = [WIRETAPE, 'record', '--', 'sh', '-c', 'echo hi; exit 3'];
    const ended = await run(place, ['bash', '-c', script, 'bash', cwd, ...record]);
    expect(ended).toMatchObject({ code: 3, stdout: Buffer.from('hi\n') });
    expect(ended.stderr.toString()).not.toContain('wiretape:');
    expect((await onlyTape(place)).frames.at(-1)).toMatchObject({ event: 'exit', code: 3 });
  });
});

describe.concurrent('an agent whose first deed is to kill its recorder', () => {
  it('is ended by the watchdog', async ({ place, skip }) => {
    if (!HAS_LAUNCHER) return skip(NO_LAUNCHER);
    // By a builtin, without a process of its own.
    const agent = join(place.dir, 'agent.sh');
    writeFileSync(agent, 'kill -9 $PPID; trap "" TERM HUP; while :; do sleep 0.1; done');
    const client = new Client([WIRETAPE, 'record', '--', 'bash', agent], place);
    await client.over();
    expect(client.signal).toBe('SIGKILL');
    await waitFor(() => processesWith(place.marker).length === 0, 'the end of the agent');
    client.dispose();
  });
});

describe.concurrent('without the launcher', () => {
  it('agents are started and recorded as well', async ({ place }) => {
    const copy = copyProgram(place, 'copy');
    rmSync(join(copy.root, 'dist/bin/launch'), { force: true });
    const record = [copy.program, 'record', '--'];
    const ended = await run(place, [...record, 'sh', '-c', 'cat; exit 4'], { input: '{"a":1}\n' });
    expect(ended).toMatchObject({ code: 4, stdout: Buffer.from('{"a":1}\n'), stderr: Buffer.alloc(0) });
    expect((await onlyTape(place)).frames.at(-1)).toMatchObject({ event: 'exit', code: 4 });
    expect((await run(place, [...record, 'no-such-agent'])).code).toBe(127);
    expect((await run(place, [...record, place.dir])).code).toBe(126);
  });
});
