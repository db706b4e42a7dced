/** Copies of the built program that a test may change, with packages of its own where it wants them other. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from './store.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Copy {
  root: string;
  program: string;
}

/** The program and links to all packages but those left out. */
export function copyProgram({ dir }: Place, name: string, without: readonly string[] = []): Copy {
  const copy = join(dir, name);
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  mkdirSync(join(copy, 'node_modules'));
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (entry.startsWith('.') || without.includes(entry)) continue;
    symlinkSync(join(root, 'node_modules', entry), join(copy, 'node_modules', entry));
  }
  return { root: copy, program: join(copy, 'dist/bin/wiretape.js') };
}

/** A package that is copied, not linked; some of its folders are left out. */
export function copyPackage({ root: copy }: Copy, name: string, without: readonly string[] = []): string {
  const from = realpathSync(join(root, 'node_modules', name));
  const to = join(copy, 'node_modules', name);
  cpSync(from, to, { recursive: true, filter: (path) => !without.some((part) => path === join(from, part)) });
  return to;
}

/** Where the build puts the program's code. */
export const CHUNKS = 'dist/bin/chunks';

/** Builds the copy anew from our sources, with one or more places of one of them changed. */
export function rebuild(
  { root: copy }: Copy,
  file: string,
  changes: readonly (readonly [from: string, to: string])[],
): void {
  for (const part of ['lib', 'bin']) cpSync(join(root, part), join(copy, part), { recursive: true });
  const path = join(copy, file);
  let text = readFileSync(path, 'utf8');
  for (const [from, to] of changes) {
    if (text.split(from).length !== 2) throw new Error(`${file} has no single ${JSON.stringify(from)}`);
    text = text.replace(from, to);
  }
  writeFileSync(path, text);
  execFileSync(process.execPath, [join(copy, 'bin/bundle.mjs')]);
}
