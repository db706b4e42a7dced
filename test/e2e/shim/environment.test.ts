// Promise 9: what the agent is given through a shim is what it would have been given without; DECISIONS says what a shell
// cannot help changing.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { agent, run } from '../../support/run.ts';
import { makeExecutable, makeShim } from '../../support/shim.ts';
import { it } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';

/** The environment as the kernel has it. */
const ENVIRON = '/proc/self/environ';
const entries = (bytes: Buffer) => bytes.toString().split('\0').filter(Boolean).toSorted();

const CASES: [string, NodeJS.ProcessEnv][] = [
  [
    'odd values',
    { EMPTY: '', NODE_EXTRA_CA_CERTS: '', SPACES: ' a  b ', LINES: 'one\ntwo\n', QUOTES: `"'\\$(id)`, U: '漢字 👩‍💻' },
  ],
  ['names that the script might use', { agent: '1', node: '2', wiretape: '3', store: '4', PS1: '> ', OLDPWD: '/' }],
  [
    'names that Node uses',
    { NODE_OPTIONS: '--no-warnings', NODE_DEBUG: 'net', NODE_PATH: '/none', NODE_EXTRA_CA_CERTS: '/none' },
  ],
  ['our own', { WIRETAPE: 'on', NO_COLOR: '1' }],
];

describe.concurrent('the environment', () => {
  it.for(CASES)('with %s, is the same recorded and not', async ([, extra], { place }) => {
    const env = { ...place.env, PWD: process.cwd(), SHLVL: '1', ...extra };
    const [passing, always] = [
      await makeShim(place, 'cat'),
      await makeShim(place, 'cat', '--always', '--out', join(place.dir, 'always')),
    ];
    const direct = await run(place, ['cat', ENVIRON], { env });
    const passed = await run(place, [passing, ENVIRON], { env });
    expect(sessionsIn(place.home)).toEqual([]);
    const recorded = await run(place, [always, ENVIRON], { env });
    expect(sessionsIn(place.home)).toHaveLength(1);
    const given = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    expect(entries(direct.stdout)).toEqual(given.toSorted());
    expect(entries(passed.stdout)).toEqual(entries(direct.stdout));
    expect(entries(recorded.stdout)).toEqual(entries(direct.stdout));
  });

  it('has the true directory in PWD, whatever it was given', async ({ place }) => {
    const shim = await makeShim(place, 'cat');
    for (const PWD of [undefined, '/no/such/place']) {
      const { stdout } = await run(place, [shim, ENVIRON], { env: { ...place.env, PWD }, cwd: place.dir });
      expect(entries(stdout)).toContain(`PWD=${place.dir}`);
    }
  });

  it('keeps NODE_OPTIONS from us, and NODE_OPTIONS from nobody else', async ({ place }) => {
    const hook = join(place.dir, 'hook.cjs');
    const file = join(place.dir, 'who');
    writeFileSync(hook, `require('node:fs').appendFileSync(${JSON.stringify(file)}, process.argv[1] + '\\n');`);
    const shim = await makeShim(place, makeExecutable(join(place.dir, 'agents', 'about'), agent('about.mjs')));
    const env = { ...place.env, NODE_OPTIONS: `--require ${hook}` };
    const { stdout, stderr } = await run(place, [shim, '--acp'], { env });
    expect(readFileSync(file, 'utf8')).toMatch(/^[^\n]*about\.mjs\n$/);
    expect(JSON.parse(stdout.toString()).env.NODE_OPTIONS).toBe(env.NODE_OPTIONS);
    expect(stderr.toString()).toBe('');
    const bad = await run(place, [shim, '--acp'], { env: { ...place.env, NODE_OPTIONS: '--no-such-option' } });
    expect([bad.code, bad.stderr.toString()]).toEqual([9, expect.stringContaining('--no-such-option')]);
    expect(sessionsIn(place.home)).toHaveLength(2);
  });
});

it('argv and directory pass through', async ({ place }) => {
  const words = ['', ' ', 'a b', '"', "'", '\\', '$HOME', '*', '漢', 'two\nlines', '--', '--name', '--strict', ''];
  const shim = await makeShim(place, makeExecutable(join(place.dir, 'agents', 'about'), agent('about.mjs')));
  const cwd = join(place.dir, 'in here');
  mkdirSync(cwd);
  for (const args of [words, ['--wire', ...words]]) {
    const about = JSON.parse((await run(place, [shim, ...args], { cwd })).stdout.toString());
    expect(about).toMatchObject({ argv: args, cwd });
  }
  expect(sessionsIn(place.home)).toHaveLength(1);
});
