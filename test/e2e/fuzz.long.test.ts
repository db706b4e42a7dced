/** A few inputs of the fuzzer, always the same: `npm run fuzz` tries many. And that it would see what it looks for. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defectIn, mayEndWith } from '../fuzz/commands.mjs';

const RUN = fileURLToPath(new URL('../fuzz/run.mjs', import.meta.url));

describe('changed files', () => {
  it.each(['tapes', 'pages', 'zips'])(
    '%s break no command',
    async (kind) => {
      const args = [RUN, '--only', kind, '--seed', '312', '--inputs', '8'];
      const said = await new Promise<string>((resolve) => {
        execFile(process.execPath, args, (error, stdout, stderr) => resolve(`${error?.code ?? 0}\n${stdout}${stderr}`));
      });
      expect(said).toMatch(new RegExp(`^0\\n${kind}: seed 312, 8 inputs, \\d+ commands .*, 0 failures\\n$`));
    },
    300_000,
  );

  it('would be noticed', () => {
    const bug = 'wiretape: TypeError: x\n    at f (file:///a.js:1:2)\nhint: this is a bug in wiretape';
    expect(defectIn(['show'], '', bug)).toBe('it says that it has a bug');
    expect(defectIn(['show'], '', 'wiretape: Error\n    at file:///a.js:1:2')).toBe('a stack trace');
    expect(defectIn(['show'], '', 'wiretape: Maximum call stack size exceeded')).toBe('the message of an engine');
    expect(defectIn(['show'], '\x1b[31m', '')).toBe('control characters on stdout');
    expect(defectIn(['show'], 'fine\n', 'wiretape: not a tape\n')).toBe(null);
    expect(mayEndWith(['show'], 3)).toBe(false);
    expect(mayEndWith(['replay'], 137)).toBe(true);
  });
});
