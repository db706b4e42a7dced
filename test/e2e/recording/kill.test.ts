/** kill -9 of the recorder, at any moment: nothing forwarded 10 ms before is lost, and the tape is readable (promise 6). */
import { spawn } from 'node:child_process';
import { describe, expect } from 'vitest';
import { settle } from '../../../lib/store/recover.ts';
import { verifyTape } from '../../../lib/tape/verify.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { WIRETAPE, wiretape } from '../../support/run.ts';
import { it, makePlace, type Place, removePlace } from '../../support/store.ts';
import { sessionsIn, Tape } from '../../support/tape.ts';
import { pause } from '../../support/wait.ts';

interface Killed {
  sent: Buffer;
  /** What had come back 10 ms before the kill: forwarded twice by then. */
  safe: Buffer;
}

/** Talks to `cat` through a recorder, and kills the recorder after a while. */
async function talkAndKill(place: Place, afterMs: number): Promise<Killed> {
  const child = spawn(WIRETAPE, ['record', '--', 'cat'], { env: place.env, stdio: 'pipe' });
  const sent: Buffer[] = [];
  const back: { at: number; chunk: Buffer }[] = [];
  let n = 0;
  const send = () => {
    const line = Buffer.from(`{"n":${n++},"pad":"${'é'.repeat(n % 300)}"}\n`);
    sent.push(line);
    child.stdin.write(line);
  };
  child.stdin.on('error', () => {});
  child.stdout.on('data', (chunk: Buffer) => {
    back.push({ at: performance.now(), chunk });
    if (child.signalCode === null) send();
  });
  for (let i = 0; i < 3; i++) send();
  await pause(afterMs);
  const killedAt = performance.now();
  child.kill('SIGKILL');
  await new Promise((done) => child.once('close', done));
  // The chunk in hand may be older where the recorder does not get a processor: the last one does not count.
  const safe = Buffer.concat(
    back
      .filter(({ at }) => at < killedAt - 10)
      .slice(0, -1)
      .map(({ chunk }) => chunk),
  );
  return { sent: Buffer.concat(sent), safe };
}

/** Finishes the tape as any reader would, and compares. */
function check(place: Place, { sent, safe }: Killed): void {
  const [dir] = sessionsIn(place.home);
  if (!dir) {
    expect(safe).toHaveLength(0);
    return;
  }
  const { tape: path } = settle(dir, true);
  expect(verifyTape(path).verdict).toBe('recovered');
  const tape = new Tape(dir);
  expect(tape.frames.at(-1)).toMatchObject({ from: 'proc', event: 'lost' });
  for (const from of ['client', 'agent'] as const) {
    const recorded = tape.bytesFrom(from);
    expect(recorded.length).toBeGreaterThanOrEqual(safe.length);
    expect(sent.subarray(0, recorded.length).equals(recorded)).toBe(true);
  }
}

describe('a recorder that is killed', () => {
  const KILLS = Number(process.env.WIRETAPE_KILLS ?? 30);
  const AT_ONCE = 5;

  it(`loses nothing forwarded 10 ms before, in ${KILLS} tries`, async () => {
    const first = Math.random();
    let tries = 0;
    let withTape = 0;
    // On a busy machine a recorder takes longer to begin, and is killed later.
    let reach = 350;
    const worker = async () => {
      while (tries < KILLS) {
        // Steps of the golden ratio leave no gap: no part of a recording is left out by chance.
        const moment = (first + tries++ * 0.618034) % 1;
        const place = makePlace();
        try {
          check(place, await talkAndKill(place, moment * reach));
          const begun = sessionsIn(place.home).length;
          withTape += begun;
          if (begun === 0) reach = Math.min(3000, reach * 1.1);
        } finally {
          await removePlace(place);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(withTape).toBeGreaterThan(KILLS / 10);
  }, 180_000);

  it('can be read by several readers at once: the same bytes, the same tape', async ({ place }) => {
    let { safe } = await talkAndKill(place, 600);
    // A busy machine takes longer to begin.
    for (const later of [2000, 6000]) if (safe.length === 0) ({ safe } = await talkAndKill(place, later));
    expect(safe.length).toBeGreaterThan(0);
    const readers = await Promise.all([
      ...[1, 2, 3].map(() => wiretape(place, ['show', 'last', '--raw', '--from', 'agent'])),
      ...[1, 2].map(() => wiretape(place, ['verify', 'last', '--json'])),
    ]);
    for (const { code } of readers) expect(code).toBe(0);
    for (const { stdout } of readers.slice(0, 3)) expect(stdout.equals(readers[0]!.stdout)).toBe(true);
    expect(readers[0]!.stdout.subarray(0, safe.length).equals(safe)).toBe(true);
    for (const { stdout } of readers.slice(3))
      expect(JSON.parse(stdout.toString())).toMatchObject({ verdict: 'recovered' });
    const row = (await wiretapeHere(place, ['ls', '--json'])).stdout.toString().trim().split('\n').at(-1);
    expect(JSON.parse(row!)).toMatchObject({ state: 'killed', exit: null });
  });
});
