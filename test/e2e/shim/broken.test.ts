// Promise 9: a broken wiretape never stops the agent. Copies of the program are damaged in one place each.
import { chmodSync, cpSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { CHUNKS } from '../../support/copy.ts';
import { agent, run } from '../../support/run.ts';
import { sample } from '../../support/scale.ts';
import { ignoringArguments, makeExecutable } from '../../support/shim.ts';
import { it, type Place } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A copy of the program in the test's folder, and a shim of the agent that starts it. */
async function copyWithShim(place: Place, command: readonly string[]): Promise<{ copy: string; shim: string }> {
  const copy = join(place.dir, 'copy');
  cpSync(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const path = makeExecutable(join(place.dir, 'agents', 'kimi'), command);
  const made = await run(place, [join(copy, 'dist/bin/wiretape.js'), 'shim', path, '--json']);
  return { copy, shim: JSON.parse(made.stdout.toString()).path };
}

const UNRECORDED = /^wiretape: cannot load its own files \(.+\); the agent runs unrecorded\n$/;

/** Every file that `record` loads after the one that is started. */
const FILES = ['recorder.js'];
for (const file of FILES) {
  const code = readFileSync(join(ROOT, CHUNKS, file), 'utf8');
  for (const [, needed] of code.matchAll(/^const \w+ = require\("\.\/(.+)"\);$/gm))
    if (!FILES.includes(needed!)) FILES.push(needed!);
}
const DAMAGES: [string, (path: string) => void][] = [
  ['is missing', (path) => rmSync(path)],
  ['is empty', (path) => truncateSync(path)],
  ['is cut in half', (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2))],
  ['does not parse', (path) => writeFileSync(path, 'export const { = 1;\n')],
  ['throws', (path) => writeFileSync(path, `throw new Error('two\\nlines');\n${readFileSync(path)}`)],
  ['is not JavaScript', (path) => writeFileSync(path, Buffer.from([0, 255, 254, 10, 0]))],
];

describe.concurrent('the agent runs unrecorded', () => {
  it('for want of a few files', () => {
    expect(FILES).toContain('base.js');
    expect(FILES.length).toBeLessThan(5);
  });

  it.for(FILES)('when %s is damaged, in whatever way', async (file, { place }) => {
    const { copy, shim } = await copyWithShim(place, ['sh', '-c', 'cat; echo to stderr >&2; exit 7', 'sh']);
    const path = join(copy, CHUNKS, file);
    const text = readFileSync(path);
    for (const [how, damage] of sample(DAMAGES, 2)) {
      damage(path);
      const { code, stdout, stderr } = await run(place, [shim, '--wire'], { input: 'hello\n' });
      expect([code, stdout.toString()], how).toEqual([7, 'hello\n']);
      expect(stderr.toString().replace('to stderr\n', ''), how).toMatch(UNRECORDED);
      writeFileSync(path, text);
    }
    expect(sessionsIn(place.home)).toEqual([]);
    await run(place, [shim, '--wire'], { input: 'hello\n' });
    expect(sessionsIn(place.home)).toHaveLength(1);
  });

  it('with its own arguments and environment', async ({ place }) => {
    const { copy, shim } = await copyWithShim(place, agent('about.mjs'));
    rmSync(join(copy, CHUNKS, 'base.js'));
    const env = { ...place.env, NODE_OPTIONS: '--max-old-space-size=300', PWD: process.cwd() };
    const { stdout } = await run(place, [shim, '--wire', '--', '--strict', ''], { env });
    const about = JSON.parse(stdout.toString());
    expect(about.argv).toEqual(['--wire', '--', '--strict', '']);
    expect(about.env).toEqual(env);
  });

  it('and gets our signals, and we end as it ends', async ({ place }) => {
    const { copy, shim } = await copyWithShim(place, ignoringArguments(agent('count-signals.mjs')));
    rmSync(join(copy, CHUNKS, 'base.js'));
    const client = new Client([shim, '--wire'], place);
    try {
      await client.until('parent ready');
      for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGTERM'] as const) {
        client.kill(signal);
        await client.until(`parent ${signal}`);
      }
      const pid = await client.agent(place.marker, true);
      process.kill(pid, 'SIGKILL');
      await client.exited();
      expect([client.code, client.signal]).toEqual([null, 'SIGKILL']);
    } finally {
      client.dispose();
    }
  });

  it('unless it is not there, or cannot be run', async ({ place }) => {
    const { copy, shim } = await copyWithShim(place, ['cat']);
    rmSync(join(copy, CHUNKS, 'base.js'));
    chmodSync(join(place.dir, 'agents', 'kimi'), 0o644);
    const weak = await run(place, [shim, '--wire']);
    expect([weak.code, weak.stderr.toString()]).toEqual([
      126,
      expect.stringMatching(/\nwiretape: cannot execute .*\n$/),
    ]);
    rmSync(join(place.dir, 'agents', 'kimi'));
    const gone = await run(place, [shim, '--wire']);
    expect([gone.code, gone.stderr.toString()]).toEqual([
      127,
      expect.stringMatching(/\nwiretape: agent not found: .*\n$/),
    ]);
  });
});

describe.concurrent('the agent runs in silence', () => {
  const GONE: [string, (copy: string) => void][] = [
    ['wiretape is uninstalled', (copy) => rmSync(copy, { recursive: true })],
    ['its program is empty', (copy) => truncateSync(join(copy, 'dist/bin/wiretape.js'))],
  ];

  it.for(GONE)('when %s', async ([, damage], { place }) => {
    const { copy, shim } = await copyWithShim(place, ['sh', '-c', 'cat; exit 7', 'sh']);
    damage(copy);
    const { code, stdout, stderr } = await run(place, [shim, '--wire'], { input: 'hello\n' });
    expect([code, stdout.toString(), stderr.toString()]).toEqual([7, 'hello\n', '']);
  });
});

describe.concurrent('a broken wiretape', () => {
  it('stops the agent with --strict', async ({ place }) => {
    const { copy } = await copyWithShim(place, ['cat']);
    rmSync(join(copy, CHUNKS, 'recorder.js'));
    const program = join(copy, 'dist/bin/wiretape.js');
    const { code, stdout, stderr } = await run(place, [program, 'record', '--strict', '--', 'echo', 'hello']);
    expect([code, stdout.toString()]).toEqual([125, '']);
    expect(stderr.toString()).toMatch(/^wiretape: cannot load its own files \(.+\); the agent is not started\n$/);
  });

  it('does not hide behind other commands', async ({ place }) => {
    const { copy } = await copyWithShim(place, ['cat']);
    rmSync(join(copy, CHUNKS, 'base.js'));
    const { code, stderr } = await run(place, [join(copy, 'dist/bin/wiretape.js'), 'ls']);
    expect(code).not.toBe(0);
    expect(stderr.toString()).toContain('base.js');
  });

  it('that has no store, or cannot start its worker, still forwards', async ({ place }) => {
    const { copy, shim } = await copyWithShim(place, ignoringArguments(['cat']));
    const noStore = { ...place.env, WIRETAPE_HOME: '/dev/null/store' };
    const without = await run(place, [shim, '--wire'], { env: noStore, input: 'hello\n' });
    expect([without.code, without.stdout.toString()]).toEqual([0, 'hello\n']);
    expect(without.stderr.toString()).toMatch(/^wiretape: not recording .*; traffic continues\n$/);
    for (const damage of ['is missing', 'is empty', 'throws']) {
      const worker = join(copy, CHUNKS, 'writer.js');
      const text = readFileSync(worker);
      new Map(DAMAGES).get(damage)!(worker);
      const { code, stdout } = await run(place, [shim, '--wire'], { input: 'hello\n' });
      expect([code, stdout.toString()], damage).toEqual([0, 'hello\n']);
      writeFileSync(worker, text);
    }
    // What is left in the journals is finished by the next reader.
    const verified = await run(place, [join(copy, 'dist/bin/wiretape.js'), 'verify']);
    expect([verified.code, verified.stdout.toString().match(/intact|recovered/g)]).toEqual([
      0,
      Array(3).fill('intact'),
    ]);
  });
});
