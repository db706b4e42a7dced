/** Agents as one executable file, as clients know them, and shims in front of them. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quote } from '../../lib/model/text/shell.ts';
import { wiretape } from './run.ts';
import type { Place } from './store.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/agent.mjs', import.meta.url));

/** Writes executables into a folder. */
export const executablesIn =
  (folder: string) =>
  (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, 0o755);
    return path;
  };

/** Writes an executable that becomes the command, with its own arguments behind. */
export function makeExecutable(path: string, command: readonly string[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\nexec ${command.map(quote).join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** The command, for agents that would not know what to do with a client's arguments. */
export function ignoringArguments(command: readonly string[]): string[] {
  return ['sh', '-c', `exec ${command.map(quote).join(' ')}`];
}

/** `kimi` in a folder of its own: the sample agent, without pauses. */
export function installKimi(place: Place, ...args: string[]): string {
  return makeExecutable(join(place.dir, 'agents', 'kimi'), [process.execPath, SAMPLE, '--pace', '0', ...args]);
}

/** Makes a shim for an agent with `wiretape shim`, and returns its path. */
export async function makeShim(place: Place, agent: string, ...options: string[]): Promise<string> {
  const { code, stdout, stderr } = await wiretape(place, ['shim', agent, '--json', ...options]);
  if (code !== 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString()).path as string;
}

/** The shells of this machine. */
export const SHELLS = ['/bin/dash', '/bin/bash', '/bin/zsh', '/bin/ksh', '/bin/busybox sh'].filter(
  (shell) => spawnSync(shell.split(' ')[0]!, [...shell.split(' ').slice(1), '-c', 'exit 7']).status === 7,
);
