/** What `ls` says, and what must hold of it. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Client } from './client.ts';
import { wiretapeHere } from './in-process.ts';
import { dump, indexOf, type Row } from './index.ts';
import { run, WIRETAPE } from './run.ts';
import type { Place } from './store.ts';
import { sessionsIn } from './tape.ts';
import { waitFor } from './wait.ts';

export type LsRow = Record<string, unknown> & { session: string; state: string; frames: number; name: string | null };

export interface Listed {
  rows: LsRow[];
  said: string;
}

/** By the program that is named, which has a process of its own, or in this one. */
export async function ls(place: Place, program?: string): Promise<Listed> {
  const args = ['ls', '--all', '--json'];
  const { stdout, stderr, code } = program
    ? await run(place, [program, ...args], { streams: 'socket' })
    : await wiretapeHere(place, args);
  expect({ code, stderr: code === 0 ? '' : stderr.toString() }).toEqual({ code: 0, stderr: '' });
  const rows = stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LsRow);
  expect(rows).toHaveLength(sessionsIn(place.home).length);
  return { rows, said: stderr.toString() };
}

/** Removes the index with all that belongs to it. */
export function removeIndex({ home }: Place, parts: readonly string[] = ['', '-wal', '-shm']): void {
  for (const part of parts) rmSync(`${indexOf(home)}${part}`, { force: true });
}

/** The rows as a reader makes them who finds no index at all. */
export async function rebuilt(place: Place): Promise<Record<string, Row[]>> {
  removeIndex(place);
  expect((await ls(place)).said).toBe('');
  return dump(place.home);
}

/** A recorder in front of `cat`, in a test's hands. */
export function recordCat(place: Place, args: readonly string[] = [], program = WIRETAPE): Client {
  return new Client([program, 'record', ...args, '--', 'cat'], { env: place.env, streams: 'socket' });
}

/** Says a line and waits for its echo. */
export async function say(client: Client, line: string): Promise<void> {
  const before = client.stdout.toString().split('\n').length - 1;
  client.write(`${line}\n`);
  await client.until('\n', 'stdout', before + 1);
}

/** Until every session of the store has something on its tape; before, a reader can only say that it has just begun. */
export async function allBegun({ home }: Place): Promise<void> {
  const begun = () => sessionsIn(home).every((dir) => statSync(join(dir, 'wire.jsonl')).size > 0);
  await waitFor(begun, 'the first lines of all tapes');
}

/** Ends the session: everything came back, and nothing was said besides. */
export async function end(client: Client): Promise<void> {
  client.end();
  await client.over();
  expect({ code: client.code, stderr: client.stderr.toString() }).toEqual({ code: 0, stderr: '' });
}
