/**
 * Runs the scripts beside this file: commands as a person types them, and what they answer. They double as
 * documentation. In a script:
 *   $ command        run by sh, with `wiretape` on the PATH and an empty store
 *   text             a line of stdout; `…` stands for anything in a line, a line of `…` alone for any lines
 *   ! text           a line of stderr
 *   ? 2              the exit code, if it is not 0
 *   # text           a comment
 */
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { run, WIRETAPE } from '../support/run.ts';
import { it } from '../support/store.ts';

interface Step {
  command: string;
  stdout: string[];
  stderr: string[];
  code: number;
}

function parse(script: string): Step[] {
  const steps: Step[] = [];
  for (const line of script.split('\n')) {
    const step = steps.at(-1);
    if (line.startsWith('#') || line.trim() === '') continue;
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), stdout: [], stderr: [], code: 0 });
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

describe('scripts', () => {
  for (const name of readdirSync(folder)) {
    it(name, async ({ place }) => {
      symlinkSync(WIRETAPE, join(place.dir, 'wiretape'));
      const env = { ...place.env, PATH: `${place.dir}:${place.env.PATH}`, NO_COLOR: '1', LANG: 'C.UTF-8' };
      for (const step of parse(readFileSync(join(folder, name), 'utf8'))) {
        const { stdout, stderr, code } = await run(place, ['sh', '-c', step.command], { env, cwd: place.dir });
        const context = `$ ${step.command}\n${stdout}\n${stderr}`;
        expect(code, context).toBe(step.code);
        expect(withoutBlankLines(stdout.toString()), context).toMatch(toPattern(step.stdout));
        expect(withoutBlankLines(stderr.toString()), context).toMatch(toPattern(step.stderr));
      }
    });
  }
});
