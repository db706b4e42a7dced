/** Finds the shims and agents on a PATH, and checks whether a shim still works. */
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { attempt } from '../../storage/store/home.ts';
import { filesIn } from '../../storage/store/removal.ts';
import { resolveExecutable } from '../proxy/executable.ts';
import { AGENT_NAMES } from './protocol-runs.ts';
import { HEAD_BYTES, readShim, SHIM_START, SHIM_VERSION, type Shim } from './script.ts';

export interface FoundShim extends Shim {
  path: string;
  /** Whether it can run its agent and record it. */
  working: boolean;
  /** Why not. */
  problem: string | null;
  /** An older wiretape made it, which knew fewer protocols. */
  outdated: boolean;
}

export interface FoundAgent {
  name: string;
  path: string;
  isShim: boolean;
}

/** All shims in the folders of a PATH, in order. */
export function findShims(PATH: string): FoundShim[] {
  return foldersOf(PATH).flatMap((folder) =>
    filesIn(folder)
      .sort()
      .flatMap((name) => shimAt(join(folder, name)) ?? []),
  );
}

/** All known agents in the folders of a PATH. The first of several with the same name is the one that runs. */
export function findAgents(PATH: string): FoundAgent[] {
  return AGENT_NAMES.flatMap((name) =>
    foldersOf(PATH)
      .map((folder) => join(folder, name))
      .filter((path) => resolveExecutable(path) !== null)
      .map((path) => ({ name, path, isShim: shimAt(path) !== null })),
  );
}

/** The shim at a path; null if there is no file or another one. */
export function shimAt(path: string): FoundShim | null {
  const shim = readShim(headOf(path));
  if (!shim) return null;
  const { version, ...parts } = shim;
  const problem = problemOf(path, shim, version);
  return { path, ...parts, working: problem === null, problem, outdated: version < SHIM_VERSION };
}

/** The command with a shim replaced by its agent, which it would otherwise record a second time. */
export function withoutShim(command: readonly string[], PATH = ''): readonly string[] {
  const [file, ...args] = command;
  const path = resolveExecutable(file!, PATH);
  const shim = path && shimAt(path);
  // A replay is an agent of its own, and may be recorded.
  return shim && shim.replay === null && resolveExecutable(shim.agent) && !isSameFile(path, shim.agent)
    ? [shim.agent, ...args]
    : command;
}

function problemOf(path: string, { agent, node, wiretape, replay }: Shim, version: number): string | null {
  if (version > SHIM_VERSION) return 'it was made by a newer wiretape';
  if (!resolveExecutable(path)) return 'it is not executable';
  if (isSameFile(path, agent)) return 'its agent is the shim itself';
  if (agent !== '' && !resolveExecutable(agent)) return `its agent is gone: ${agent}`;
  const nothing = replay === null ? 'it records nothing' : 'it replays nothing';
  if (!resolveExecutable(node)) return `${nothing}, because node is gone: ${node}`;
  if (!isFile(wiretape)) return `${nothing}, because wiretape is gone: ${wiretape}`;
  return null;
}

/** The folders of a PATH, without duplicates. */
function foldersOf(PATH: string): string[] {
  const folders = new Map<string, string>();
  for (const word of PATH.split(delimiter)) {
    const folder = resolve(word || '.');
    // A PATH may contain missing folders.
    const real = attempt(() => realpathSync(folder), null);
    if (real !== null && !folders.has(real)) folders.set(real, folder);
  }
  return [...folders.values()];
}

/** The first bytes of a file that looks like a shim; empty for any other. */
function headOf(path: string): string {
  // Opening a FIFO or a device could block forever.
  if (!isFile(path)) return '';
  const fd = attempt(() => openSync(path, 'r'), null);
  if (fd === null) return '';
  try {
    const start = Buffer.alloc(SHIM_START.length);
    if (readSync(fd, start) < start.length || start.toString('latin1') !== SHIM_START) return '';
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString('utf8', 0, readSync(fd, head, 0, HEAD_BYTES, 0));
  } catch {
    return '';
  } finally {
    closeSync(fd);
  }
}

export function isSameFile(a: string, b: string): boolean {
  return attempt(() => {
    const [one, other] = [statSync(a, { bigint: true }), statSync(b, { bigint: true })];
    return one.dev === other.dev && one.ino === other.ino;
  }, false);
}

function isFile(path: string): boolean {
  return attempt(() => statSync(path).isFile(), false);
}
