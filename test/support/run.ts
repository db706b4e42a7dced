/** The program under test, run to its end, and the agents of the zoo as commands. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locate, openPlace } from '../../lib/storage/store/open.ts';
import { Client, type ClientOptions } from './client.ts';
import type { Place } from './store.ts';
import { sessionsIn, Tape } from './tape.ts';

/** The built program; WIRETAPE_BIN names another one (a copy that was broken on purpose, say). */
export const WIRETAPE = process.env.WIRETAPE_BIN ?? fileURLToPath(new URL('../../dist/bin/wiretape', import.meta.url));

/** Whether the launcher was compiled: it passes on what Node alone cannot. */
export const HAS_LAUNCHER = existsSync(join(dirname(WIRETAPE), 'launch'));
export const NO_LAUNCHER = 'the launcher needs a C compiler';

/** The command that starts an agent of the zoo. */
export function agent(name: string, ...args: string[]): string[] {
  const path = fileURLToPath(new URL(`../fixtures/agents/${name}`, import.meta.url));
  return [name.endsWith('.sh') ? 'sh' : process.execPath, path, ...args];
}

export interface Ended {
  stdout: Buffer;
  stderr: Buffer;
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface RunOptions extends Partial<ClientOptions> {
  input?: string | Uint8Array;
}

/** Runs a command to its end: input, EOF, output, exit. */
export async function run(place: Place, command: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const client = new Client(command, { ...options, env: options.env ?? place.env });
  try {
    client.end(options.input);
    await client.over();
    const { stdout, stderr, code, signal } = client;
    return { stdout, stderr, code, signal };
  } finally {
    client.dispose();
  }
}

export function wiretape(place: Place, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return run(place, [WIRETAPE, ...args], options);
}

/** The tape of the store's only session, finished by a reader if its recorder left that to one. */
export async function onlyTape(place: Place): Promise<Tape> {
  const [dir, ...others] = sessionsIn(place.home);
  if (!dir || others.length > 0) throw new Error(`one session expected, not ${others.length + (dir ? 1 : 0)}`);
  if (existsSync(`${dir}/journal`)) openPlace(locate(place.home, 'last')).close();
  return new Tape(dir);
}
