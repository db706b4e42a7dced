/** Writes and removes shims. Only shims are ever replaced or removed. */
import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { Failure } from '../../model/failure.ts';
import { writeFileAt } from '../../storage/files/output.ts';
import { resolveExecutable } from '../proxy/executable.ts';
import { type FoundShim, isSameFile, shimAt } from './find-shims.ts';
import { type Shim, shimScript } from './script.ts';

/** The default folder for shims. */
export function shimFolder(home: string): string {
  return join(resolve(home), 'bin');
}

/** The agent for a name on the PATH or a path. A shim is replaced by its agent. */
export function findAgent(word: string, PATH: string): string {
  const found = word.includes('/') ? resolveExecutable(word) : onPath(word, PATH);
  if (!found) {
    const message = word.includes('/') ? 'not an executable file:' : 'not found on the PATH:';
    throw new Failure(`${message} ${JSON.stringify(word)}`, 'give the name or path of the program that clients start');
  }
  const passed = new Set<string>();
  let agent = found;
  for (let shim = shimAt(agent); shim && shim.agent !== ''; shim = shimAt(agent)) {
    passed.add(agent);
    if (passed.has(shim.agent) || isSameFile(agent, shim.agent))
      throw new Failure(`${found} is a shim that runs itself through other shims`);
    if (!resolveExecutable(shim.agent)) throw new Failure(`${agent} is a shim, and its agent is gone: ${shim.agent}`);
    agent = shim.agent;
  }
  return agent;
}

/** The first that is not a shim; if there are only shims, the first of them. */
function onPath(name: string, PATH: string): string | null {
  const all = PATH.split(delimiter).flatMap((folder) => resolveExecutable(name, folder) ?? []);
  return all.find((path) => shimAt(path) === null) ?? all[0] ?? null;
}

/**
 * The path of the current Node that is most likely to stay valid. A link in a folder on the PATH survives upgrades. But a
 * folder that is itself a link may come from a version manager and belong to one shell session.
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
    throw new Failure(`${path} is the agent itself`, 'write the shim elsewhere with --out FILE');
  }
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new Failure(`${path} is a folder`, 'give a file name: --out FILE');
  }
  if (existsSync(path) && !before) {
    throw new Failure(`${path} already exists and is not a shim`, 'write the shim elsewhere with --out FILE');
  }
  // A shell reads its script while it runs, so a shim in use is replaced, never overwritten.
  writeFileAt(path, [shimScript(shim, basename(path))], { force: before !== null, mode: 0o755 });
  return before;
}

export function removeShim(path: string): FoundShim {
  const shim = shimAt(path);
  if (!shim && existsSync(path)) throw new Failure(`${path} is not a shim; it was not removed`);
  if (!shim) throw new Failure(`no shim at ${path}`, 'list all shims: wiretape shim --list');
  try {
    rmSync(path);
  } catch (error) {
    throw new Failure(`cannot remove ${path}: ${(error as Error).message}`);
  }
  return shim;
}

/** Whether the name of a shim runs that shim on this PATH. */
export function isFirstOnPath(path: string, PATH: string): boolean {
  const first = resolveExecutable(basename(path), PATH);
  return first !== null && isSameFile(first, path);
}
