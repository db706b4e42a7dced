/**
 * Runs the scripts beside this file: commands as a person types them, and what they answer. They double as
 * documentation. In a script:
 *   $ command        run by sh, with `wiretape` on the PATH, an empty store, and recordings in `tapes`
 *   % command        the same, about what only a process can show: each `wiretape` is one
 *   text             a line of stdout; `…` stands for anything in a line, a line of `…` alone for any lines
 *   ! text           a line of stderr
 *   ? 2              the exit code, if it is not 0
 *   # text           a comment
 * `$FIXTURES` is test/fixtures.
 */
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { InProcess, plainCommand, wiretapeHere } from '../support/in-process.ts';
import { run, WIRETAPE } from '../support/run.ts';
import { it, makePlace, type Place, removePlace } from '../support/store.ts';

interface Step {
  command: string;
  needsProcess: boolean;
  stdout: string[];
  stderr: string[];
  code: number;
}

function parse(script: string): Step[] {
  const steps: Step[] = [];
  for (const line of script.split('\n')) {
    const step = steps.at(-1);
    if (line.startsWith('#') || line.trim() === '') continue;
    if (/^[$%] /.test(line))
      steps.push({ command: line.slice(2), needsProcess: line[0] === '%', stdout: [], stderr: [], code: 0 });
    else if (line.startsWith('! ')) step!.stderr.push(line.slice(2));
    else if (line.startsWith('? ')) step!.code = Number(line.slice(2));
    else step!.stdout.push(line);
  }
  return steps;
}

function toPattern(lines: string[]): RegExp {
  const parts = lines.map((line) =>
    line === '…' ? '(?:.*\n)*?' : `${line.split('…').map(escapeRegExp).join('.*?')}\n`,
  );
  return new RegExp(`^${parts.join('')}$`);
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const withoutBlankLines = (text: string) =>
  text.replace(/^[ \t]*\n/gm, '').replace(/(?<!\n)$/, (end) => (text ? '\n' : end));

const folder = fileURLToPath(new URL('scripts/', import.meta.url));
const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));
const recordings = join(FIXTURES, 'audit');

/** Scripts that also run with a process for each command: both ways the answers are the same. */
const BOTH_WAYS = ['exit-codes.txt', 'tag.txt'];

let here: InProcess;
beforeAll(async () => {
  here = new InProcess();
  const place = makePlace();
  await here.recordDemos(place);
  await removePlace(place);
});
afterAll(() => here.close());

async function play(place: Place, name: string, inProcess: boolean): Promise<void> {
  symlinkSync(WIRETAPE, join(place.dir, 'wiretape'));
  symlinkSync(recordings, join(place.dir, 'tapes'));
  for (const step of parse(readFileSync(join(folder, name), 'utf8'))) {
    const bin = inProcess && !step.needsProcess ? here.bin : place.dir;
    const PATH = `${bin}:${place.dir}:${place.env.PATH}`;
    const env = { ...place.env, PATH, FIXTURES, NO_COLOR: '1', LANG: 'C.UTF-8' };
    const argv = inProcess && !step.needsProcess ? plainCommand(step.command) : null;
    const { stdout, stderr, code } = argv
      ? await wiretapeHere(place, argv, { env, cwd: place.dir })
      : await run(place, ['sh', '-c', step.command], { env, cwd: place.dir });
    const context = `$ ${step.command}\n${stdout}\n${stderr}`;
    expect(code, context).toBe(step.code);
    expect(withoutBlankLines(stdout.toString()), context).toMatch(toPattern(step.stdout));
    expect(withoutBlankLines(stderr.toString()), context).toMatch(toPattern(step.stderr));
  }
}

/** A script has up to fifty commands, and eight of them run at once. */
const timeout = 180_000;

describe.concurrent('scripts', { timeout }, () => {
  it.for(readdirSync(folder))('%s', (name, { place }) => play(place, name, true));
});

describe.concurrent('scripts with a process for each command', { timeout }, () => {
  it.for(BOTH_WAYS)('%s', (name, { place }) => play(place, name, false));
});
