/**
 * kill -9 of the recorder, at any moment and on a busy machine: what was forwarded is on the tape, up to the one chunk in
 * hand, and the tape is readable (promise 6). No clock decides: the chunk in hand may be as old as it likes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { STREAMS, type Stream } from '../../../lib/model/frame.ts';
import { whileBusy } from '../../support/busy.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { type Bytes, bytesOf, finished } from '../../support/killed.ts';
import { processesWith } from '../../support/processes.ts';
import { agent, WIRETAPE, wiretape } from '../../support/run.ts';
import { cases } from '../../support/scale.ts';
import { it, makePlace, type Place, removePlace } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';
import { pause, waitFor } from '../../support/wait.ts';

/** No read returns more. */
const LARGEST_CHUNK = 1 << 16;

interface Killed {
  /** What the client sent. The agent repeats it on both of its streams. */
  sent: Buffer;
  /** What arrived at the other end of each stream, however short before the kill. */
  arrived: Bytes;
  /** The size of a chunk that begins at this byte of a stream, at most. */
  chunkAt: (byte: number) => number;
}

interface Moment {
  pace: 'line by line' | 'many at once';
  since: 'start' | 'first answer';
  afterMs: number;
}

/**
 * Talks through a recorder, and kills it after a while. `line by line`: the next line is sent when the last one has come
 * back on both streams, so that each chunk is a line. Otherwise many lines are on their way.
 */
async function talkAndKill(place: Place, { pace, since, afterMs }: Moment): Promise<Killed> {
  const log = join(place.dir, 'arrived');
  const command = ['record', '--', ...agent('echo-both.mjs', log)];
  const child = spawn(WIRETAPE, command, { env: place.env, stdio: 'pipe' });
  const sent: Buffer[] = [];
  const back = { agent: [] as Buffer[], stderr: [] as Buffer[] };
  const size = (chunks: Buffer[]) => chunks.reduce((sum, { length }) => sum + length, 0);
  const send = () => {
    const n = sent.length;
    sent.push(Buffer.from(`{"n":${n},"pad":"${'é'.repeat((n * 7) % 300)}"}\n`));
    child.stdin.write(sent.at(-1)!);
  };
  const answer = () => {
    if (child.signalCode !== null) return;
    if (pace === 'many at once') for (let i = 0; i < 2; i++) send();
    else if (Math.min(size(back.agent), size(back.stderr)) === size(sent)) send();
  };
  child.stdin.on('error', () => {});
  for (const [stream, from] of [
    ['agent', child.stdout],
    ['stderr', child.stderr],
  ] as const) {
    from.on('data', (chunk: Buffer) => {
      back[stream].push(chunk);
      answer();
    });
  }
  for (let i = 0; i < (pace === 'many at once' ? 50 : 1); i++) send();
  if (since === 'first answer') await once(child.stdout, 'data');
  await pause(afterMs);
  child.kill('SIGKILL');
  await new Promise((done) => child.once('close', done));
  // The agent reads on until EOF.
  await waitFor(() => processesWith(place.marker).length === 0, 'the end of the agent');
  return {
    sent: Buffer.concat(sent),
    arrived: {
      client: existsSync(log) ? readFileSync(log) : Buffer.alloc(0),
      agent: Buffer.concat(back.agent),
      stderr: Buffer.concat(back.stderr),
    },
    chunkAt: pace === 'many at once' ? () => LARGEST_CHUNK : lineAt(sent),
  };
}

function lineAt(lines: readonly Buffer[]): (byte: number) => number {
  return (byte) => {
    let end = 0;
    for (const { length } of lines) {
      end += length;
      if (end > byte) return end - byte;
    }
    return 0;
  };
}

/** The streams of which something that arrived was not recorded, with as much as may be missing and no more. */
function missingIn({ sent, arrived, chunkAt }: Killed, recorded: Bytes): Stream[] {
  return STREAMS.filter((stream) => {
    const [there, here] = [arrived[stream], recorded[stream]];
    // No other byte: only the end may be missing.
    expect(sent.subarray(0, here.length).equals(here)).toBe(true);
    expect(sent.subarray(0, there.length).equals(there)).toBe(true);
    if (there.length <= here.length) return false;
    expect(there.length - here.length).toBeLessThanOrEqual(chunkAt(here.length));
    return true;
  });
}

/** Finishes the tape as any reader would, and compares. */
function check(place: Place, killed: Killed): void {
  const [dir] = sessionsIn(place.home);
  if (!dir) {
    for (const stream of STREAMS) expect(killed.arrived[stream]).toHaveLength(0);
    return;
  }
  const tape = finished(place);
  // One thread moves all three streams, so there is one chunk in hand.
  expect(missingIn(killed, bytesOf(tape)).length).toBeLessThanOrEqual(1);
}

describe('a recorder that is killed', () => {
  const KILLS = cases(24);
  const AT_ONCE = 4;

  it.for(['line by line', 'many at once'] as const)(
    `loses at most the chunk in hand, on a busy machine (%s, ${KILLS} kills)`,
    async (pace) => {
      const first = Math.random();
      let tries = 0;
      let withTraffic = 0;
      const worker = async () => {
        while (tries < KILLS) {
          // Steps of the golden ratio leave no gap: no part of a recording is left out by chance.
          const moment = (first + tries * 0.618034) % 1;
          const since = tries++ % 4 === 0 ? 'start' : 'first answer';
          const place = makePlace();
          try {
            const killed = await talkAndKill(place, { pace, since, afterMs: moment * 600 });
            check(place, killed);
            if (killed.arrived.agent.length > 0) withTraffic++;
          } finally {
            await removePlace(place);
          }
        }
      };
      await whileBusy(() => Promise.all(Array.from({ length: AT_ONCE }, worker)));
      expect(withTraffic).toBeGreaterThanOrEqual(Math.floor((KILLS * 3) / 4));
    },
  );

  it('can be read by several readers at once: the same bytes, the same tape', async ({ place }) => {
    const killed = await talkAndKill(place, { pace: 'line by line', since: 'first answer', afterMs: 100 });
    expect(killed.arrived.agent.length).toBeGreaterThan(0);
    const readers = await Promise.all([
      ...STREAMS.map((stream) => wiretape(place, ['show', 'last', '--raw', '--from', stream])),
      ...[1, 2].map(() => wiretape(place, ['show', 'last', '--raw', '--from', 'agent'])),
      ...[1, 2].map(() => wiretape(place, ['verify', 'last', '--json'])),
    ]);
    for (const { code } of readers) expect(code).toBe(0);
    const [client, again, stderr, ...others] = readers.map(({ stdout }) => stdout);
    for (const stdout of others.slice(0, 2)) expect(stdout.equals(again!)).toBe(true);
    for (const stdout of others.slice(2)) expect(JSON.parse(stdout.toString())).toMatchObject({ verdict: 'recovered' });
    const missing = missingIn(killed, { client: client!, agent: again!, stderr: stderr! });
    expect(missing.length).toBeLessThanOrEqual(1);
    const row = (await wiretapeHere(place, ['ls', '--json'])).stdout.toString().trim().split('\n').at(-1);
    expect(JSON.parse(row!)).toMatchObject({ state: 'killed', exit: null });
  });
});
