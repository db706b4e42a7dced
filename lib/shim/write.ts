/** Makes and removes shims on disk. Only shims are ever replaced or removed: whatever else lies there is not ours. */
import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { Failure } from '../failure.ts';
import { resolveExecutable } from '../proxy/executable.ts';
import { type FoundShim, isSameFile, shimAt } from './find.ts';
import { type Shim, shimScript } from './script.ts';

/** Where shims lie that were given no other place. */
export function shimFolder(home: string): string {
  return join(resolve(home), 'bin');
}

/** The real agent behind a name on the PATH or a path: never a shim, but what the shim stands for. */
export function findAgent(word: string, PATH: string): string {
  const found = word.includes('/') ? resolveExecutable(word) : onPath(word, PATH);
  if (!found) {
    const where = word.includes('/') ? 'no executable file' : 'no agent on the PATH is called';
    throw new Failure(`${where} ${JSON.stringify(word)}`, 'name the program that clients start, or its path');
  }
  const passed = new Set<string>();
  let agent = found;
  for (let shim = shimAt(agent); shim; shim = shimAt(agent)) {
    passed.add(agent);
    if (passed.has(shim.agent) || isSameFile(agent, shim.agent))
      throw new Failure(`${found} is a shim of a shim of itself`);
    if (!resolveExecutable(shim.agent)) throw new Failure(`${agent} is a shim, and its agent is gone: ${shim.agent}`);
    agent = shim.agent;
  }
  return agent;
}

/** The first that is no shim; if there are only shims, the first of them. */
function onPath(name: string, PATH: string): string | null {
  const all = PATH.split(delimiter).flatMap((folder) => resolveExecutable(name, folder) ?? []);
  return all.find((path) => shimAt(path) === null) ?? all[0] ?? null;
}

/**
 * The path of our Node that will last longest. A link to it, in a folder on the PATH, outlives upgrades; a folder that is
 * itself a link may be a version manager's, made for one terminal only.
 */
export function lastingNode(PATH: string, ours = process.execPath): string {
  const link = resolveExecutable('node', PATH);
  if (!link || !isSameFile(link, ours)) return ours;
  return realpathSync(dirname(link)) === dirname(link) ? link : ours;
}

/** Writes a shim; returns the one that was there before. */
export function writeShim(path: string, shim: Shim): FoundShim | null {
  const before = shimAt(path);
  if (existsSync(path) && isSameFile(path, shim.agent)) {
    throw new Failure(`${path} is the agent itself`, 'give the shim another place with --out FILE');
  }
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new Failure(`${path} is a folder`, 'name the file to write: --out FILE');
  }
  if (existsSync(path) && !before) {
    throw new Failure(
      `${path} exists, and is no shim of ours: it is not touched`,
      'choose another place with --out FILE',
    );
  }
  try {
    // A shell reads its script while it runs: a shim in use is replaced, never overwritten.
    const target = before ? `${path}.${process.pid}` : path;
    writeFileSync(target, shimScript(shim), { flag: 'wx' });
    chmodSync(target, 0o755);
    if (before) renameSync(target, path);
  } catch (error) {
    throw new Failure(
      `${path} cannot be written (${(error as Error).message})`,
      'choose another place with --out FILE',
    );
  }
  return before;
}

export function removeShim(path: string): FoundShim {
  const shim = shimAt(path);
  if (!shim && existsSync(path)) throw new Failure(`${path} is no shim of ours: it is not touched`);
  if (!shim) throw new Failure(`no shim at ${path}`, 'wiretape shim --list shows what there is');
  try {
    rmSync(path);
  } catch (error) {
    throw new Failure(`${path} cannot be removed (${(error as Error).message})`);
  }
  return shim;
}

/** Whether the name of a shim, typed by anybody with this PATH, runs that shim. */
export function isFirstOnPath(path: string, PATH: string): boolean {
  const first = resolveExecutable(basename(path), PATH);
  return first !== null && isSameFile(first, path);
}
