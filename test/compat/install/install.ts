/**
 * Installs the real agents and SDKs into a cache folder, each once. A package counts as installed when its marker says
 * so, and that is written last: an interrupted run is begun anew. Says what it does, one line each.
 */
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPython } from './python.ts';
import { NODE, PACKAGES, type Package, type PackageName } from './versions.ts';

/** A package as tests find it: where it is, or why it is not there. */
export type Installed = { folder: string; program: string } | { missing: string; excused: boolean };

export const CACHE =
  process.env.WIRETAPE_COMPAT_CACHE ?? fileURLToPath(new URL('../../../.cache/compat', import.meta.url));

const MARKER = 'installed.json';
const NO_PYTHON = 'no Python 3.12 or 3.13 here';
const NO_GO = 'no Go here';
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Everything, PyPI beside npm. What cannot be installed is said and left out. */
export async function installAll(): Promise<Record<PackageName, Installed>> {
  mkdirSync(CACHE, { recursive: true });
  const names = Object.keys(PACKAGES) as PackageName[];
  const found: Partial<Record<PackageName, Installed>> = {};
  const inTurn = async (from: Package['from']) => {
    for (const name of names) if (PACKAGES[name].from === from) found[name] = await installOne(name, PACKAGES[name]);
  };
  await Promise.all([inTurn('pypi'), inTurn('npm')]);
  await inTurn('go');
  return found as Record<PackageName, Installed>;
}

async function installOne(name: PackageName, wanted: Package): Promise<Installed> {
  const folder = join(CACHE, name);
  try {
    await once(folder, { ...wanted, folder }, () => INSTALL[wanted.from](folder, wanted));
    const program = wanted.program && wanted.command ? await launcher(folder, wanted.program, wanted) : '';
    return { folder, program };
  } catch (error) {
    const missing = (error as Error).message;
    const excused = missing === NO_PYTHON || missing === NO_GO;
    say(`${excused || !process.env.CI ? 'skipped' : 'could not install'} ${name}: ${missing}`);
    return { missing, excused };
  }
}

/**
 * Runs `install` in an empty folder unless the marker says that this very thing was installed there before. A virtual
 * environment does not stand being moved: the folder is part of `wanted`.
 */
async function once(folder: string, wanted: object, install: () => Promise<void>): Promise<void> {
  const marker = join(folder, MARKER);
  const expected = `${JSON.stringify(wanted)}\n`;
  if (existsSync(marker) && readFileSync(marker, 'utf8') === expected) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install();
  writeFileSync(marker, expected);
}

async function fromPypi(folder: string, { packages }: Package): Promise<void> {
  const venv = join(folder, 'venv');
  const python = findPython();
  if (python === null) throw new Error(NO_PYTHON);
  say(`installing ${packages.join(' ')} from PyPI`);
  if (onPath('uv')) {
    await command('uv', ['venv', '--quiet', '--python', python, venv], folder);
    const quickly = ['--quiet', '--compile-bytecode', '--python', join(venv, 'bin/python')];
    return command('uv', ['pip', 'install', ...quickly, ...packages], folder);
  }
  await command(python, ['-m', 'venv', venv], folder);
  await command(join(venv, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...packages], folder);
}

async function fromNpm(folder: string, { packages }: Pick<Package, 'packages'>): Promise<void> {
  say(`installing ${packages.join(' ')} from npm`);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  await command('npm', ['install', '--ignore-scripts', ...quiet, ...packages], folder);
}

/** The first of the packages is the folder of its sources. */
async function fromGo(folder: string, { packages, program }: Package): Promise<void> {
  if (!onPath('go')) throw new Error(NO_GO);
  say(`building ${packages[1]} with Go`);
  cpSync(join(ROOT, packages[0]!), folder, { recursive: true });
  await command('go', ['build', '-o', program!, '.'], folder);
}

const INSTALL = { pypi: fromPypi, npm: fromNpm, go: fromGo };

/** The command by its own name in a folder `bin`, with the Node it needs, whatever PATH says. */
async function launcher(folder: string, program: string, { command, node, from, native }: Package): Promise<string> {
  const words = [join(folder, program)];
  if (from === 'npm' && !native) words.unshift(await nodeFor(node));
  const path = join(folder, 'bin', command!);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

let newNode: Promise<string> | undefined;

async function nodeFor(oldest = '0.0'): Promise<string> {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const [needed, neededMinor] = oldest.split('.').map(Number) as [number, number];
  if (major > needed || (major === needed && minor >= neededMinor)) return process.execPath;
  newNode ??= installNode();
  return newNode;
}

async function installNode(): Promise<string> {
  const folder = join(CACHE, 'node');
  const name = `node-${process.platform}-${process.arch}`;
  const packages = [`${name}@${NODE}`];
  await once(folder, { packages, folder }, () => fromNpm(folder, { packages }));
  return join(folder, 'node_modules', name, 'bin/node');
}

function onPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

/** Runs to its end; what it said is kept for the case that it fails. */
function command(file: string, args: string[], cwd: string): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
    child.on('error', failed);
    child.on('close', (code, signal) => {
      if (code === 0) done();
      else failed(new Error(`${basename(file)} ended with ${signal ?? code}: ${reasonIn(said)}`));
    });
  });
}

/** npm and pip name the cause first and give advice afterwards. */
function reasonIn(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  const errors = lines.filter((line) => /^(npm error|ERROR:|error:)/.test(line));
  const telling = errors.length > 0 ? errors.slice(0, 3) : lines.filter(Boolean).slice(-3);
  return telling.map((line) => line.replace(/^npm error |^error: /i, '')).join(', ');
}

function say(line: string): void {
  process.stdout.write(`compat: ${line}\n`);
}
