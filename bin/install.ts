/**
 * Runs after a build or an install and creates the command `dist/bin/wiretape`. With a C compiler, that is the launcher
 * (launch.c), which preserves process settings that Node loses. Without one, and in the published package, it is a script.
 * Also compiles the program for this version of Node.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { saveCompiledCode } from './compiled-code.ts';

const bin = dirname(fileURLToPath(import.meta.url));
const program = join(bin, 'wiretape.js');
const command = join(bin, 'wiretape');
const launcher = join(bin, 'launch');
const source = join(bin, '../../bin/launch.c');

/** Replaces a file atomically: the old one may be running. */
function replace(path: string, make: (draft: string) => void): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    make(draft);
    chmodSync(draft, 0o755);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

function compile(): boolean {
  try {
    replace(launcher, (draft) => execFileSync('cc', ['-O2', '-pthread', '-o', draft, source], { stdio: 'ignore' }));
    return true;
  } catch {
    rmSync(launcher, { force: true });
    return false;
  }
}

const isPacking = ['pack', 'publish'].includes(process.env.npm_command ?? '');
const [firstLine] = readFileSync(program, 'utf8').split('\n');

chmodSync(program, 0o755);
if (isPacking) rmSync(launcher, { force: true });
if (!isPacking && compile()) replace(command, (draft) => copyFileSync(launcher, draft));
else replace(command, (draft) => writeFileSync(draft, `${firstLine}\nrequire('./wiretape.js');\n`));

try {
  if (!isPacking) saveCompiledCode(bin);
} catch {
  // The program works without it.
}
