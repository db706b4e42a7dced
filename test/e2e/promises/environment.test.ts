// Promise 7: argv, directory and environment pass through unchanged, and the agent's streams are never terminals.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { runBoth, seenIn } from '../../support/both.ts';
import { Client } from '../../support/client.ts';
import { agent, HAS_LAUNCHER, NO_LAUNCHER, run, WIRETAPE, wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';

const ODD_WORDS = [
  '',
  ' ',
  'a b',
  '"',
  "'",
  '\\',
  '$HOME',
  '`id`',
  '*',
  '~',
  'ünï 漢字 👩‍💻',
  'two\nlines',
  '\t',
  '#',
  '&&',
  '',
];
const OUR_WORDS = [
  '--',
  '--name',
  'x',
  '--tag',
  'k=v',
  '-h',
  '--help',
  '--version',
  '-V',
  '--color',
  'record',
  '--',
  '-',
];

interface About {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  ttys: boolean[];
}

const aboutIn = (stdout: Buffer) => JSON.parse(stdout.toString()) as About;

describe.concurrent('argv', () => {
  it('of odd words', async ({ place }) => {
    const { recorded } = await runBoth(place, agent('about.mjs', ...ODD_WORDS), (client) => client.end());
    expect(aboutIn(recorded.stdout).argv).toEqual(ODD_WORDS);
    expect((recorded.tape.metadata.command as string[]).slice(2)).toEqual(ODD_WORDS);
  });

  it('of words that would mean something to us', async ({ place }) => {
    const { recorded } = await runBoth(place, agent('about.mjs', ...OUR_WORDS), (client) => client.end());
    expect(aboutIn(recorded.stdout).argv).toEqual(OUR_WORDS);
  });

  it('without -- in front of the agent', async ({ place }) => {
    const { stdout } = await wiretape(place, ['record', '--name', 'mine', ...agent('about.mjs', ...OUR_WORDS)]);
    expect(aboutIn(stdout).argv).toEqual(OUR_WORDS);
  });

  it('of bytes that are not UTF-8', async ({ place, skip }) => {
    if (!HAS_LAUNCHER) return skip(NO_LAUNCHER);
    const [direct, recorded] = await rawBoth(place, 'set -- "$@" "$(printf "caf\\351")"', ['printf', '%s']);
    expect(direct).toBe('caf\xe9');
    expect(recorded).toBe(direct);
  });
});

describe.concurrent('the directory', () => {
  it.for(['plain', 'with space', 'ünï 漢', 'two\nlines', '-dash'])('%j', async (name, { place }) => {
    const cwd = join(place.dir, name);
    mkdirSync(cwd);
    const { direct, recorded } = await runBoth(place, ['pwd'], (client) => client.end(), { cwd });
    expect(direct.stdout.toString()).toBe(`${cwd}\n`);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });

  it('that is reached by a link keeps its name in PWD', async ({ place }) => {
    mkdirSync(join(place.dir, 'real'));
    symlinkSync('real', join(place.dir, 'link'));
    const cwd = join(place.dir, 'link');
    const options = { cwd, env: { ...place.env, PWD: cwd } };
    const { direct, recorded } = await runBoth(place, ['pwd', '-L'], (client) => client.end(), options);
    expect(direct.stdout.toString()).toBe(`${cwd}\n`);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });

  it('that is gone does not stop anything', async ({ place }) => {
    const gone = join(place.dir, 'gone');
    mkdirSync(gone);
    const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
    const ended = await run(place, ['sh', '-c', script, 'sh', gone, WIRETAPE, 'record', '--', 'echo', 'hello']);
    expect([ended.code, ended.stdout.toString()]).toEqual([0, 'hello\n']);
    rmSync(gone, { recursive: true, force: true });
  });
});

/** What the agent prints with and without us after a bit of shell has prepared the ground. */
async function rawBoth(place: Place, prepare: string, command: string[], env = place.env): Promise<[string, string]> {
  const script = `${prepare}; exec "$@"`;
  const direct = await run(place, ['sh', '-c', script, 'sh', ...command], { env });
  const recorded = await run(place, ['sh', '-c', script, 'sh', WIRETAPE, 'record', '--', ...command], { env });
  return [direct.stdout.toString('latin1'), recorded.stdout.toString('latin1')];
}

/** The environment as the kernel has it: no interpreter has touched it. */
const RAW_ENV = ['cat', '/proc/self/environ'];
const entries = (text: string) => text.split('\0').filter(Boolean).toSorted();

describe.concurrent('the environment', () => {
  const CASES: [string, Record<string, string | undefined>][] = [
    [
      'odd values',
      { EMPTY: '', SPACES: ' a  b ', LINES: 'one\ntwo\n', QUOTES: `"'\\$(id)`, EQUALS: 'a=b=c', U: '漢字 👩‍💻' },
    ],
    [
      'odd names',
      { 'with-dash': '1', 'with.dot': '2', 'with space': '3', '1st': '4', 'BASH_FUNC_f%%': '() { :; }', ÜNÏ: '5' },
    ],
    [
      'names that shells use',
      { IFS: ':', PPID: '1', OPTIND: '7', PS1: '> ', SHLVL: '5', _: 'x', ENV: '/none', OLDPWD: '/' },
    ],
    ['no PWD', { PWD: undefined }],
    ['a PWD that is wrong', { PWD: '/no/such/place' }],
    ['names that Node uses', { NODE_PATH: '/none', NODE_NO_WARNINGS: '1', UV_THREADPOOL_SIZE: '2' }],
    ['our own', { WIRETAPE: 'x', NO_COLOR: '1', FORCE_COLOR: '1' }],
  ];

  it.for(CASES)('%s', async ([, extra], { place }) => {
    const env = { ...place.env, PWD: process.cwd(), ...extra };
    const [direct, recorded] = await Promise.all([
      run(place, RAW_ENV, { env }),
      wiretape(place, ['record', '--', ...RAW_ENV], { env }),
    ]);
    const given = Object.entries(env).filter(([, value]) => value !== undefined);
    expect(entries(direct.stdout.toString())).toEqual(given.map(([name, value]) => `${name}=${value}`).toSorted());
    expect(entries(recorded.stdout.toString())).toEqual(entries(direct.stdout.toString()));
    expect(recorded.stderr.toString()).toBe('');
  });

  it('of bytes that are not UTF-8', async ({ place, skip }) => {
    if (!HAS_LAUNCHER) return skip(NO_LAUNCHER);
    const [direct, recorded] = await rawBoth(place, 'export LATIN="$(printf "caf\\351")"', RAW_ENV);
    expect(direct).toContain('LATIN=caf\xe9');
    expect(entries(recorded)).toEqual(entries(direct));
  });
});

describe.concurrent('what is meant for a Node agent', () => {
  it('NODE_OPTIONS reaches the agent and does not change us', async ({ place }) => {
    const hook = join(place.dir, 'hook.cjs');
    const file = join(place.dir, 'who');
    writeFileSync(hook, `require('node:fs').appendFileSync(${JSON.stringify(file)}, process.argv[1] + '\\n');`);
    const env = { ...place.env, NODE_OPTIONS: `--require ${hook} --max-old-space-size=300` };
    const { stdout, stderr } = await wiretape(place, ['record', '--', ...agent('about.mjs')], { env });
    expect(readFileSync(file, 'utf8')).toMatch(/^[^\n]*about\.mjs\n$/);
    const seen = aboutIn(stdout).env;
    expect(seen.NODE_OPTIONS).toBe(env.NODE_OPTIONS);
    expect(Object.keys(seen).filter((name) => name.startsWith('WIRETAPE_'))).toEqual(['WIRETAPE_HOME']);
    expect(stderr.toString()).toBe('');
  });

  it('NODE_OPTIONS that no Node would start with breaks the agent, not us', async ({ place }) => {
    const env = { ...place.env, NODE_OPTIONS: '--require /no/such/hook.cjs' };
    const ended = await wiretape(place, ['record', '--', 'cat'], { env, input: 'hello\n' });
    expect([ended.code, ended.stdout.toString(), ended.stderr.toString()]).toEqual([0, 'hello\n', '']);
  });

  it('NODE_DEBUG does not make us talk', async ({ place }) => {
    const env = { ...place.env, NODE_DEBUG: 'net,stream,child_process,worker' };
    const ended = await wiretape(place, ['record', '--', 'cat'], { env, input: 'hello\n' });
    expect([ended.code, ended.stdout.toString(), ended.stderr.toString()]).toEqual([0, 'hello\n', '']);
  });
});

describe.concurrent('the streams of the agent', () => {
  const quote = (words: string[]) => words.map((word) => `'${word}'`).join(' ');
  const onTerminal = (command: string[]) => ['script', '-qec', quote(command), '/dev/null'];

  it('are no terminals, even when ours are', async ({ place }) => {
    const direct = await run(place, onTerminal(agent('about.mjs')));
    const recorded = await run(place, onTerminal([WIRETAPE, 'record', '--', ...agent('about.mjs')]));
    expect(aboutIn(direct.stdout).ttys).toEqual([true, true, true]);
    expect(aboutIn(recorded.stdout).ttys).toEqual([false, false, false]);
    expect(recorded.code).toBe(0);
  });

  it('carry what is typed, and Ctrl-C is one SIGINT', async ({ place }) => {
    const client = new Client(onTerminal([WIRETAPE, 'record', '--', ...agent('count-signals.mjs')]), place);
    try {
      await client.until('parent ready');
      await client.until('child ready');
      await client.write('\x03');
      await client.until('parent SIGINT');
      await client.until('child SIGINT');
      client.end('\x04');
      await client.over();
      expect(client.stdout.toString()).toContain('parent {"SIGINT":1}');
      expect(client.stdout.toString()).toContain('child {"SIGINT":1}');
    } finally {
      client.dispose();
    }
  });

  it('can be opened by name where the client’s are pipes', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, agent('device-files.sh'), async (client) => {
      await client.write('hello\n');
      // A pipe whose writer has gone cannot be opened any more, with or without us.
      await client.until('hello\n');
      client.end();
    });
    expect([direct.stdout.toString(), direct.stderr.toString()]).toEqual(['hello\n', 'to stderr\n']);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });
});
