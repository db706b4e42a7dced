// Promise 9, as `kimi` first on the PATH: protocol runs are recorded, everything else is the agent's own.
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { run, wiretape } from '../../support/run.ts';
import { installKimi, makeExecutable, makeShim } from '../../support/shim.ts';
import { it, type Place } from '../../support/store.ts';
import { sessionsIn, Tape } from '../../support/tape.ts';

const HELLO = '{"jsonrpc":"2.0","method":"initialize","id":"1","params":{"protocol_version":"1.10"}}\n';

/** A shim for kimi, and an environment in which it is found first. */
async function shimFirst(place: Place): Promise<{ agent: string; shim: string; env: NodeJS.ProcessEnv }> {
  const agent = installKimi(place);
  const PATH = `${dirname(agent)}:${place.env.PATH}`;
  const shim = await makeShim({ ...place, env: { ...place.env, PATH } }, 'kimi');
  return { agent, shim, env: { ...place.env, PATH: `${dirname(shim)}:${PATH}` } };
}

describe.concurrent('a shim first on the PATH', () => {
  it('lies in the store, in a folder of our own', async ({ place }) => {
    const { shim } = await shimFirst(place);
    expect(shim).toBe(join(place.home, 'bin', 'kimi'));
    expect(statSync(dirname(shim)).mode & 0o777).toBe(0o700);
    expect(statSync(shim).mode & 0o777).toBe(0o755);
  });

  it.for([['info', '--json'], ['--version'], ['info'], ['--wire', '--version']])(
    'is not there for kimi %s',
    async (args, { place }) => {
      const { agent, env } = await shimFirst(place);
      const [direct, shimmed] = await Promise.all([
        run(place, [agent, ...args], { env }),
        run(place, ['kimi', ...args], { env }),
      ]);
      expect(direct.stdout.length).toBeGreaterThan(0);
      expect(shimmed).toEqual(direct);
      // As the Go SDK reads it: with both streams in one.
      const merged = await run(place, ['kimi', ...args], { env, merged: true });
      expect(merged.stdout.equals(direct.stdout)).toBe(true);
      expect(existsSync(join(place.home, 'sessions'))).toBe(false);
    },
  );

  it('leaves input, exit codes, signals and terminals to the agent', async ({ place }) => {
    const script = 'cat; test -t 1 && echo terminal; case $1 in *[!0-9]*) kill -s "$1" $$ ;; esac; exit "$1"';
    const agent = makeExecutable(join(place.dir, 'agents', 'odd'), ['sh', '-c', script, 'odd']);
    const shim = await makeShim(place, agent);
    expect(await run(place, [shim, '7'], { input: 'hello' })).toMatchObject({ code: 7, stdout: Buffer.from('hello') });
    expect(await run(place, [shim, 'TERM'])).toMatchObject({ code: null, signal: 'SIGTERM' });
    const onTerminal = await run(place, ['script', '-qec', `'${shim}' 0`, '/dev/null'], { input: '\x04' });
    expect(onTerminal.stdout.toString()).toContain('terminal');
  });

  it('takes no terminal from a person who may have meant something else by acp', async ({ place }) => {
    const agent = makeExecutable(join(place.dir, 'agents', 'kimi'), ['sh', '-c', 'test -t 1 && echo terminal', 'kimi']);
    const shim = await makeShim(place, agent);
    const onTerminal = (words: string) => run(place, ['script', '-qec', `'${shim}' ${words}`, '/dev/null']);
    expect((await onTerminal('--work-dir acp')).stdout.toString()).toContain('terminal');
    expect(sessionsIn(place.home)).toHaveLength(0);
    await run(place, [shim, '--yolo', 'acp']);
    expect(sessionsIn(place.home)).toHaveLength(1);
    await onTerminal('acp');
    expect(sessionsIn(place.home)).toHaveLength(2);
  });

  it('records kimi --wire, and answers as the agent does', async ({ place }) => {
    const { agent, env } = await shimFirst(place);
    const args = ['--session', '11111111-2222-3333-4444-555555555555', '--wire'];
    const direct = await run(place, [agent, ...args], { env, input: HELLO });
    const shimmed = await run(place, ['kimi', ...args], { env, input: HELLO });
    expect(direct.stdout.toString()).toContain('"protocol_version":"1.10"');
    expect(shimmed).toEqual(direct);
    // On a busy machine it is a reader that finishes the tape.
    expect((await wiretape(place, ['verify', 'last'])).code).toBe(0);
    const [dir, ...others] = sessionsIn(place.home);
    expect(others).toEqual([]);
    const tape = new Tape(dir!);
    expect(tape.metadata.command).toEqual([agent, ...args]);
    expect(tape.bytesFrom('client').toString()).toBe(HELLO);
    expect(tape.bytesFrom('agent').equals(direct.stdout)).toBe(true);
  });

  it('records nothing with WIRETAPE=off', async ({ place }) => {
    const { env } = await shimFirst(place);
    const { stdout, stderr, code } = await run(place, ['kimi', '--wire'], {
      env: { ...env, WIRETAPE: 'off' },
      input: HELLO,
    });
    expect(stdout.toString()).toContain('"protocol_version":"1.10"');
    expect([code, stderr.toString()]).toEqual([0, '']);
    expect(sessionsIn(place.home)).toEqual([]);
  });

  it('is passed over when another shim is made', async ({ place }) => {
    const { agent, shim, env } = await shimFirst(place);
    const out = join(place.dir, 'second');
    const again = await wiretape(place, ['shim', 'kimi', '--json'], { env });
    expect(JSON.parse(again.stdout.toString())).toMatchObject({ path: shim, agent, replaced: true, on_path: true });
    for (const name of ['kimi', shim]) {
      const second = await wiretape(place, ['shim', name, '--out', out, '--json'], { env });
      expect(JSON.parse(second.stdout.toString())).toMatchObject({ path: out, agent, on_path: false });
    }
    await run(place, [out, '--wire'], { env, input: HELLO });
    expect(sessionsIn(place.home)).toHaveLength(1);
  });

  it('is passed over by record: nothing is recorded twice', async ({ place }) => {
    const { agent, shim, env } = await shimFirst(place);
    for (const name of ['kimi', shim]) {
      const { code, stdout } = await wiretape(place, ['record', '--', name, '--wire'], { env, input: HELLO });
      expect([code, stdout.toString()]).toEqual([0, expect.stringContaining('"protocol_version":"1.10"')]);
    }
    // On a busy machine it is a reader that finishes the tapes.
    await wiretape(place, ['ls']);
    const commands = sessionsIn(place.home).map((dir) => new Tape(dir).metadata.command);
    expect(commands).toEqual(Array(2).fill([agent, '--wire']));
  });

  it('is found by every kind of link to it, and never runs itself', async ({ place }) => {
    const { agent, shim, env } = await shimFirst(place);
    // Somebody puts the shim in the agent's place.
    await run(place, ['ln', '-sf', shim, agent]);
    for (const args of [['--version'], ['--wire']]) {
      const { code, stdout, stderr } = await run(place, ['kimi', ...args], { env });
      expect([code, stdout.toString()]).toEqual([127, '']);
      expect(stderr.toString()).toContain('the agent of this shim is the shim itself');
    }
  });

  it('says what every shell says when its agent is gone', async ({ place }) => {
    const { agent, env } = await shimFirst(place);
    await run(place, ['rm', agent]);
    expect((await run(place, ['kimi', '--version'], { env })).code).toBe(127);
    const recorded = await run(place, ['kimi', '--wire'], { env });
    expect(recorded.code).toBe(127);
    expect(recorded.stderr.toString()).toMatch(new RegExp(`^wiretape: agent not found: ${agent}\nhint: .*\n$`));
  });
});

describe.concurrent('clients that have no environment', () => {
  it('record where the shim was told to', async ({ place }) => {
    const shim = await makeShim(place, installKimi(place));
    const { code, stderr } = await run(place, [shim, '--wire'], { env: { ZOO_MARKER: place.marker }, input: HELLO });
    expect([code, stderr.toString()]).toEqual([0, '']);
    expect(sessionsIn(place.home)).toHaveLength(1);
  });

  it('record in the usual store if that was the store', async ({ place }) => {
    const { WIRETAPE_HOME: _, ...env } = place.env;
    const shim = await makeShim({ ...place, env }, installKimi(place));
    await run(place, [shim, '--wire'], { env: { HOME: env.HOME, ZOO_MARKER: place.marker }, input: HELLO });
    expect(shim).toBe(join(env.HOME!, '.local', 'share', 'wiretape', 'bin', 'kimi'));
    expect(sessionsIn(join(env.HOME!, '.local', 'share', 'wiretape'))).toHaveLength(1);
  });

  it('record in another store if they name one', async ({ place }) => {
    const shim = await makeShim(place, installKimi(place));
    const other = join(place.dir, 'other');
    await run(place, [shim, '--wire'], { env: { ...place.env, WIRETAPE_HOME: other }, input: HELLO });
    expect([sessionsIn(place.home).length, sessionsIn(other).length]).toEqual([0, 1]);
  });
});

it('paths may hold anything', async ({ place }) => {
  const odd = { ...place, dir: join(place.dir, `it's "$HOME" \`id\` 漢\n; exit 9 #`) };
  const env = { ...place.env, WIRETAPE_HOME: join(odd.dir, 'store') };
  const shim = await makeShim({ ...place, env }, installKimi(odd), '--out', join(odd.dir, "shi'm"));
  expect(basename(shim)).toBe("shi'm");
  const { code, stdout } = await run(place, [shim, '--version'], { env: { PATH: '/usr/bin:/bin' } });
  expect([code, stdout.toString()]).toEqual([0, 'kimi, version 1.49.0\n']);
  await run(place, [shim, '--wire'], { env: { ZOO_MARKER: place.marker }, input: HELLO });
  expect(sessionsIn(env.WIRETAPE_HOME)).toHaveLength(1);
});
