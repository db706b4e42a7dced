/** The shim's text: what it runs, in every shell there is, and that it can be read back. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { quote } from '../../../../lib/model/text/shell.ts';
import { readShim, SHIM_VERSION, type Shim, shimScript } from '../../../../lib/recording/shim/script.ts';
import { executablesIn, SHELLS } from '../../../support/shim.ts';

const dir = mkdtempSync(join(tmpdir(), 'wiretape-shim-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const executable = executablesIn(dir);

const WORDS = 'for word in "$@"; do printf "<%s>" "$word"; done';
const agent = executable("an agent's", `#!/bin/sh\nprintf agent; ${WORDS}\n`);
const node = executable('node', `#!/bin/sh\nprintf recorder; shift; ${WORDS}\n`);
const wiretape = executable('wiretape.js', 'not empty');
const parts: Shim = { agent, node, wiretape, store: null, always: false, replay: null };

/** What the shim ran: the agent, or our Node with the words that it was given. */
function run(shim: Shim, args: string[], env: NodeJS.ProcessEnv = {}, shell = '/bin/sh'): string {
  const path = executable(`shim-${Math.random()}`, shimScript(shim).replace('/bin/sh', shell));
  const { stdout, stderr } = spawnSync(path, args, { env: { PATH: '/usr/bin:/bin', ...env } });
  expect(stderr.toString()).toBe('');
  return stdout.toString();
}

describe.each(SHELLS)('in %s, a shim', (shell) => {
  it('passes every word on as it is', () => {
    const odd = ['', ' ', 'a b', '"', "'", '\\', '$HOME', '`id`', '*', '~', 'ünï', 'two\nlines', '-', '#', '\\n', ''];
    const shown = odd.map((word) => `<${word}>`).join('');
    expect(run(parts, odd, {}, shell)).toBe(`agent${shown}`);
    expect(run(parts, ['--wire', ...odd], {}, shell)).toBe(`recorder<record><--><${agent}><--wire>${shown}`);
  });

  it('records every run with --always', () => {
    const always = { ...parts, always: true };
    expect(run(always, ['--version'], {}, shell)).toBe(`recorder<record><--><${agent}><--version>`);
    expect(run(always, [], { WIRETAPE: 'off' }, shell)).toBe('agent');
  });

  it('carries its store, unless the environment names another', () => {
    const store = "/a store's\nplace";
    const carried = { ...parts, store };
    expect(run(carried, ['acp'], {}, shell)).toBe(`recorder<record><--store><${store}><--><${agent}><acp>`);
    expect(run(carried, ['acp'], { WIRETAPE_HOME: '' }, shell)).toContain(`<--store><${store}>`);
    expect(run(carried, ['acp'], { WIRETAPE_HOME: '/x' }, shell)).toBe(`recorder<record><--><${agent}><acp>`);
  });

  it('runs the agent when wiretape is off or not there', () => {
    const empty = executable('empty.js', '');
    chmodSync(executable('not-node', ''), 0o600);
    expect(run(parts, ['--wire'], { WIRETAPE: 'off' }, shell)).toBe('agent<--wire>');
    expect(run(parts, ['--wire'], { WIRETAPE: 'on' }, shell)).toContain('recorder');
    for (const broken of [{ node: '/no/node' }, { wiretape: '/no/wiretape.js' }, { wiretape: empty }]) {
      expect(run({ ...parts, ...broken }, ['--wire'], {}, shell)).toBe('agent<--wire>');
    }
  });

  it('does not run itself for ever', () => {
    const path = join(dir, `loop-${Math.random()}`);
    const text = shimScript({ ...parts, agent: path }).replace('/bin/sh', shell);
    writeFileSync(path, text, { mode: 0o755 });
    const { status, stdout, stderr } = spawnSync(path, ['--version'], { timeout: 300_000 });
    expect([status, stdout.toString()]).toEqual([127, '']);
    expect(stderr.toString()).toBe(
      `wiretape: the agent of this shim is the shim itself: ${path}\nhint: recreate it: wiretape shim AGENT\n`,
    );
  });

  it('leaves variables alone that a script might use', () => {
    const show = executable('show-env', '#!/usr/bin/env -S cat /proc/self/environ\n');
    const env = { agent: 'a', node: 'n', wiretape: 'w', store: 's', word: 'x', prev: 'y', i: '1', NODE_OPTIONS: '' };
    const seen = run({ ...parts, agent: show }, [], env, shell).split('\0');
    for (const [name, value] of Object.entries(env)) expect(seen).toContain(`${name}=${value}`);
    expect(seen.filter((entry) => entry.startsWith('WT_'))).toEqual([]);
  });
});

describe('a shim, read back', () => {
  const path = fc.string({ unit: 'binary' }).map((text) => `/${text.replaceAll('\0', '')}`);
  const shim = fc.record({
    agent: path,
    node: path,
    wiretape: path,
    store: fc.option(path),
    always: fc.boolean(),
    replay: fc.constant(null),
  });

  it('is what was written', () => {
    const written = fc.property(shim, (parts) => {
      expect(readShim(shimScript(parts))).toEqual({ ...parts, version: SHIM_VERSION });
    });
    fc.assert(written, { examples: [[{ ...parts, agent: '/\u2028\r\n\u0085/$&' }]] });
  });

  it('is nothing else', () => {
    const text = shimScript(parts);
    const strangers = [
      '',
      '#!/bin/sh\nexec kimi "$@"\n',
      text.slice(1),
      text.replace(`wiretape shim ${SHIM_VERSION}`, 'wiretape shim'),
      text.replace(/\{.*\}/, '{}'),
      text.replace(/\{.*\}/, '{'),
      `\n${text}`,
      `echo '${text}'`,
    ];
    for (const stranger of strangers) expect(readShim(stranger)).toBeNull();
    expect(readShim(text.replace(`wiretape shim ${SHIM_VERSION}`, 'wiretape shim 12'))).toMatchObject({
      version: 12,
      agent,
    });
  });
});

describe('a quoted word', () => {
  it.each(["it's", "''", "'", 'a\nb', '$(id)`id`"\\', '漢字 👩‍💻', '-n', '!x'])('%j is one word in sh', (word) => {
    expect(spawnSync('/bin/sh', ['-c', `printf %s ${quote(word)}`]).stdout.toString()).toBe(word);
  });
});

it('a copy of a shim is a shim, wherever it lies', () => {
  const [from, to] = [executable('from', shimScript(parts)), join(dir, 'to')];
  copyFileSync(from, to);
  expect(readShim(readFileSync(to, 'utf8'))).toMatchObject(parts);
});
