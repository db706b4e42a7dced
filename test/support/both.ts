/** The same scenario twice: with the agent itself, and with `wiretape record --` in front of it. */
import { createHash } from 'node:crypto';
import { Client, type ClientOptions, type Seen } from './client.ts';
import { nameOf, processesWith, watchdogsOf } from './processes.ts';
import { onlyTape, WIRETAPE } from './run.ts';
import type { Place } from './store.ts';
import type { Tape } from './tape.ts';
import { waitFor } from './wait.ts';

export interface Scene extends Place {
  recorded: boolean;
  /** The agent's own process. */
  agent(): Promise<number>;
}

/** What the client does; it may return what it found out. It need not wait for the end. */
export type Scenario<T> = (client: Client, scene: Scene) => Promise<T> | T;

export interface Run<T> {
  stdout: Buffer;
  stderr: Buffer;
  code: number | null;
  signal: NodeJS.Signals | null;
  order: Seen[];
  /** What was still running when all was over. */
  left: string[];
  result: T;
}

export interface Both<T> {
  direct: Run<T>;
  recorded: Run<T> & { tape: Tape };
}

/** Longer than anything that is about to end by itself takes. */
const SETTLING_MS = 1000;

export async function runBoth<T>(
  place: Place,
  command: readonly string[],
  scenario: Scenario<T>,
  options: Partial<ClientOptions> = {},
): Promise<Both<T>> {
  const [direct, recorded] = await Promise.all([
    play({ ...place, marker: `${place.marker}-direct` }, command, false, scenario, options),
    play(
      { ...place, marker: `${place.marker}-recorded` },
      [WIRETAPE, 'record', '--', ...command],
      true,
      scenario,
      options,
    ),
  ]);
  const tape = await onlyTape(place);
  const watchdogs = watchdogsOf(Number(tape.events('spawn')[0]?.pid ?? 0));
  recorded.left.push(...watchdogs.map(nameOf));
  return { direct, recorded: { ...recorded, tape } };
}

async function play<T>(
  place: Place,
  command: readonly string[],
  recorded: boolean,
  scenario: Scenario<T>,
  options: Partial<ClientOptions>,
): Promise<Run<T>> {
  const { marker } = place;
  const client = new Client(command, { ...options, env: { ...(options.env ?? place.env), ZOO_MARKER: marker } });
  try {
    const result = await scenario(client, { ...place, recorded, agent: () => client.agent(marker, recorded) });
    await client.over();
    const left = await leftOf(marker);
    const { stdout, stderr, code, signal, order } = client;
    return { stdout, stderr, code, signal, order, left, result };
  } finally {
    client.dispose();
  }
}

async function leftOf(marker: string): Promise<string[]> {
  await waitFor(() => processesWith(marker).length === 0, 'the end of all', SETTLING_MS).catch(() => {});
  return processesWith(marker).map(nameOf).sort();
}

/** What a client can see of a run, as two runs are compared: long streams by length and digest. */
export function seenIn<T>({ stdout, stderr, code, signal, left, result }: Run<T>): Record<string, unknown> {
  return { stdout: brief(stdout), stderr: brief(stderr), code, signal, left, result };
}

export function brief(bytes: Uint8Array): string {
  if (bytes.length < 2000) return Buffer.from(bytes).toString('latin1');
  return `${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}`;
}
