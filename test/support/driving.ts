/** Sessions of the sample client and agent, recorded to be replayed, and runs of `wiretape replay TAPE -- AGENT`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientReport } from '../../lib/replay/client/report.ts';
import { wiretapeHere } from './in-process.ts';
import { type Ended, type RunOptions, run, WIRETAPE, wiretape } from './run.ts';
import type { Place } from './store.ts';
import { sealed } from './wait.ts';

const sample = (path: string) => fileURLToPath(new URL(`../../samples/${path}`, import.meta.url));

/** What the sample agent does: turns of steps of directives. See samples/README.md. */
export type Turns = readonly unknown[];

let count = 0;

/** The command of a sample agent that does this. */
export function agentOf(place: Place, ...turns: Turns): string[] {
  const path = join(place.dir, `scenario-${++count}.json`);
  writeFileSync(path, JSON.stringify({ about: 'a test', turns }));
  return [process.execPath, sample('agent.mjs'), '--wire', '--pace', '0', '--scenario', path];
}

/** Records the sample client, which follows a script, against an agent. Returns the tape. */
export async function recorded(
  place: Place,
  agent: readonly string[],
  script: readonly unknown[],
  options: readonly string[] = [],
): Promise<string> {
  const tape = join(place.dir, `tape-${++count}.jsonl`);
  const path = join(place.dir, `script-${count}.json`);
  writeFileSync(path, JSON.stringify(script));
  const client = [process.execPath, sample('client.mjs'), '--quiet', ...options, '--script', path, '--'];
  const { code, stderr } = await run(place, [...client, WIRETAPE, 'record', '--tape', tape, '--', ...agent]);
  if (code !== 0) throw new Error(`the client exited with ${code}: ${stderr}`);
  await sealed(tape);
  return tape;
}

export interface Driven extends Omit<Ended, 'stderr'> {
  stderr: string;
  report: ClientReport;
}

/** Drives an agent from a tape. */
export async function drive(
  place: Place,
  tape: string,
  agent: readonly string[],
  options: readonly string[] = ['--instant'],
  how: RunOptions = {},
): Promise<Driven> {
  const path = join(place.dir, `report-${++count}.json`);
  const words = ['replay', tape, ...options, '--report', path, '--', ...agent];
  const { stderr, ...ended } = await wiretape(place, words, how);
  return { ...ended, stderr: String(stderr), report: JSON.parse(readFileSync(path, 'utf8')) as ClientReport };
}

/** The rows of a command that prints JSON lines, without a process of its own. */
export async function rowsOf(place: Place, ...words: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await wiretapeHere(place, [...words, '--json']);
  return String(stdout)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
