import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkAgents } from '../../../../lib/recording/doctor/agents.ts';
import { findAgents, findShims, shimAt } from '../../../../lib/recording/shim/find-shims.ts';
import { SHIM_VERSION, type Shim, shimScript } from '../../../../lib/recording/shim/script.ts';
import {
  findAgent,
  isFirstOnPath,
  lastingNode,
  removeShim,
  writeShim,
} from '../../../../lib/recording/shim/write-shim.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wiretape-find-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function put(name: string, text: string, mode = 0o755): string {
  const path = join(dir, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const shimFor = (agent: string, other: Partial<Shim> = {}): Shim => ({
  agent,
  node: process.execPath,
  wiretape: put('wiretape.js', 'something'),
  store: null,
  always: false,
  replay: null,
  ...other,
});
const real = () => put('real/kimi', '#!/bin/sh\n');
const path = (...names: string[]) => names.map((name) => join(dir, name)).join(':');

describe('findShims', () => {
  it('finds them in the order of the PATH, each once, and nothing else', () => {
    const agent = real();
    const kimi = put('b/kimi', shimScript(shimFor(agent)));
    const qwen = put('a/qwen', shimScript(shimFor(agent, { always: true })));
    put('a/other', '#!/bin/sh\n# wiretape shim of another kind\n');
    mkdirSync(join(dir, 'a', 'folder'));
    symlinkSync('a', join(dir, 'link-to-a'));
    const found = findShims(path('missing', 'b', 'a', 'link-to-a', 'real', 'b'));
    expect(found.map((shim) => shim.path)).toEqual([kimi, qwen]);
    const works = { working: true, problem: null, outdated: false };
    expect(found[1]).toEqual({ path: qwen, ...shimFor(agent, { always: true }), ...works });
  });

  it('tells of one that an older wiretape made: it works, and records less', () => {
    put('bin/kimi', shimScript(shimFor(real())).replace(`shim ${SHIM_VERSION}`, 'shim 2'));
    expect(findShims(path('bin'))).toMatchObject([{ working: true, problem: null, outdated: true }]);
    expect(checkAgents(dir, { PATH: path('bin') })).toContainEqual(
      expect.objectContaining({ level: 'warning', message: expect.stringContaining('knew fewer protocols') }),
    );
  });

  it.each<[string, (agent: string) => string, string]>([
    ['its agent', () => shimScript(shimFor('/no/agent')), 'its agent is gone: /no/agent'],
    ['node', (agent) => shimScript(shimFor(agent, { node: '/no/node' })), 'records nothing, because node is gone'],
    ['wiretape', (agent) => shimScript(shimFor(agent, { wiretape: '/no/wt' })), 'records nothing, because wiretape is'],
    [
      'an older program',
      (agent) => shimScript(shimFor(agent)).replace(`shim ${SHIM_VERSION}`, 'shim 99'),
      'a newer wiretape',
    ],
  ])('tells what is missing: %s', (_, text, problem) => {
    put('bin/kimi', text(real()));
    expect(findShims(path('bin'))).toMatchObject([{ working: false, problem: expect.stringContaining(problem) }]);
  });

  it('tells of one that is its own agent, and of one that nobody can run', () => {
    const self = join(dir, 'bin', 'self');
    put('bin/self', shimScript(shimFor(self)));
    put('bin/weak', shimScript(shimFor(real())), 0o644);
    const problems = findShims(path('bin')).map(({ problem }) => problem);
    expect(problems).toEqual(['its agent is the shim itself', 'it is not executable']);
  });
});

describe('findAgents', () => {
  it('finds known names, and says which are shims', () => {
    const agent = real();
    const shim = put('bin/kimi', shimScript(shimFor(agent)));
    const qwen = put('real/qwen', '#!/bin/sh\n');
    put('real/claude', '#!/bin/sh\n', 0o644);
    put('real/unknown', '#!/bin/sh\n');
    expect(findAgents(path('bin', 'real'))).toEqual([
      { name: 'kimi', path: shim, isShim: true },
      { name: 'kimi', path: agent, isShim: false },
      { name: 'qwen', path: qwen, isShim: false },
    ]);
  });
});

describe('findAgent', () => {
  it('passes over shims, by name and by path', () => {
    const agent = real();
    const shim = put('bin/kimi', shimScript(shimFor(agent)));
    const second = put('more/kimi', shimScript(shimFor(shim)));
    expect(findAgent('kimi', path('more', 'bin', 'real'))).toBe(agent);
    expect(findAgent('kimi', path('more', 'bin'))).toBe(agent);
    expect(findAgent(second, '')).toBe(agent);
  });

  it('says what is wrong with what it is given', () => {
    const a = put('bin/a', shimScript(shimFor(join(dir, 'bin', 'b'))));
    put('bin/b', shimScript(shimFor(a)));
    const lost = put('bin/lost', shimScript(shimFor('/no/agent')));
    expect(() => findAgent(a, '')).toThrow('a shim that runs itself');
    expect(() => findAgent(lost, '')).toThrow('its agent is gone');
    expect(() => findAgent('kimi', path('bin'))).toThrow('not found on the PATH: "kimi"');
    expect(() => findAgent('./none', '')).toThrow('not an executable file: "./none"');
  });
});

describe('lastingNode', () => {
  it('is a link on the PATH, unless its folder is one too, or it leads elsewhere', () => {
    const ours = put('versions/20/bin/node', '');
    const other = put('versions/22/bin/node', '');
    mkdirSync(join(dir, 'bin'));
    symlinkSync(ours, join(dir, 'bin', 'node'));
    symlinkSync('versions/20/bin', join(dir, 'this-terminal'));
    expect(lastingNode(path('bin', 'this-terminal'), ours)).toBe(join(dir, 'bin', 'node'));
    expect(lastingNode(path('this-terminal', 'bin'), ours)).toBe(ours);
    expect(lastingNode(path('bin'), other)).toBe(other);
    expect(lastingNode(path('none'), ours)).toBe(ours);
  });
});

describe('writeShim and removeShim', () => {
  it('replace and remove shims', () => {
    const agent = real();
    const target = join(dir, 'kimi');
    expect(writeShim(target, shimFor(agent))).toBeNull();
    expect(writeShim(target, shimFor(agent, { always: true }))).toMatchObject({ always: false });
    expect(shimAt(target)).toMatchObject({ always: true, working: true });
    expect(isFirstOnPath(target, path('.', 'real'))).toBe(true);
    expect(isFirstOnPath(target, path('real', '.'))).toBe(false);
    expect(removeShim(target)).toMatchObject({ agent });
    expect(() => removeShim(target)).toThrow('no shim at');
  });

  it('touch nothing else', () => {
    const agent = real();
    const mine = put('mine', 'mine');
    mkdirSync(join(dir, 'folder'));
    symlinkSync('nowhere', join(dir, 'dangling'));
    symlinkSync(agent, join(dir, 'agent'));
    for (const [name, why] of [
      ['mine', 'is not a shim'],
      ['folder', 'is a folder'],
      ['dangling', 'is a broken link to'],
      ['agent', 'is the agent itself'],
      ['no/folder/kimi', 'cannot write'],
    ] as const) {
      expect(() => writeShim(join(dir, name), shimFor(agent))).toThrow(why);
    }
    expect(() => removeShim(mine)).toThrow('is not a shim');
  });
});
