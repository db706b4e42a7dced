/** A session remembers how its tape was first sealed: a tape that was edited and sealed again is not taken for it. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import { SEAL, sessionsDir } from '../../../lib/storage/store/home.ts';
import { verifyTape } from '../../../lib/storage/tape/verify.ts';
import { Client } from '../../support/client.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { reseal } from '../../support/reseal.ts';
import { WIRETAPE, wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';
import { stored } from '../../support/wait.ts';

/** Records what `cat` echoes to a tape at this path, or in the store. The session is complete when this returns. */
async function record(place: Place, path: string | null): Promise<string> {
  const tape = path === null ? [] : ['--tape', path];
  await wiretape(place, ['record', ...tape, '--', 'cat'], { input: Buffer.from('one\ntwo\n') });
  // A busy machine may have left the end to the next reader.
  await verdictOf(place, 'last');
  return sessionsIn(place.home)[0]!;
}

async function verdictOf(
  place: Place,
  word: string,
): Promise<{ verdict: string; message: string | null; code: number }> {
  const { stdout, code } = await wiretapeHere(place, ['verify', word, '--json']);
  return { ...JSON.parse(stdout.toString()), code };
}

const oneToTwo = (line: string) => line.replaceAll('"one"', '"two"');
const inPlace = (id: string, tape: string) =>
  `the tape of session ${id} is gone: ${tape} is now another tape that names this session`;

async function expectRefused(place: Place, dir: string, tape: string): Promise<void> {
  const id = basename(dir);
  const message = inPlace(id, tape);
  expect(verifyTape(tape).verdict).toMatch(/intact|recovered/);
  expect(await verdictOf(place, id)).toMatchObject({ verdict: 'unreadable', message, digest: null, code: 2 });
  for (const argv of [
    ['show', id],
    ['show', tape],
    ['why', id],
    ['stats', id],
    ['filter', 'from:client', id],
    ['tail', id],
  ]) {
    const { stderr, code } = await wiretapeHere(place, argv);
    expect(stderr.toString()).toContain(message);
    expect(code).toBe(2);
  }
  const { stdout, stderr, code } = await wiretapeHere(place, ['filter', 'from:client']);
  expect([stdout.toString(), stderr.toString(), code]).toEqual(['', `wiretape: ${id}: ${message}\n`, 2]);
}

describe.concurrent('the first seal of a tape', () => {
  it('is remembered when the tape is complete, in a private file', async ({ place }) => {
    const tape = join(place.dir, 'x.jsonl');
    const dir = await record(place, tape);
    expect(JSON.parse(readFileSync(join(dir, SEAL), 'utf8'))).toEqual({ sha256: verifyTape(tape).digest });
    expect(statSync(join(dir, SEAL)).mode & 0o777).toBe(0o600);
    expect(await verdictOf(place, 'last')).toMatchObject({ verdict: 'intact', code: 0 });
    expect(await verdictOf(place, tape)).toMatchObject({ verdict: 'intact', session: basename(dir), code: 0 });
  });

  it('is not that of a tape that was edited and sealed again, outside the store or in it', async ({ place }) => {
    for (const path of [join(place.dir, 'x.jsonl'), null]) {
      const dir = await record(place, path);
      const tape = path ?? join(dir, 'wire.jsonl');
      await wiretapeHere(place, ['ls']);
      reseal(tape, oneToTwo);
      await expectRefused(place, dir, tape);
      // The tape by itself is in order: only its session tells.
      const copy = join(place.dir, 'copy.jsonl');
      copyFileSync(tape, copy);
      expect(await verdictOf(place, copy)).toMatchObject({ verdict: 'intact', code: 0 });
      rmSync(dir, { recursive: true });
    }
  });

  it('is what ls goes by, whose rows are those of the first tape', async ({ place }) => {
    const tape = join(place.dir, 'x.jsonl');
    const dir = await record(place, tape);
    const before = (await wiretapeHere(place, ['ls', '--json'])).stdout.toString();
    reseal(tape, (line) => line.replaceAll('"two"', '"two or three"'));
    const after = await wiretapeHere(place, ['ls', '--json']);
    expect(after.stdout.toString()).toBe(before);
    expect(after.stderr.toString()).toBe(`wiretape: ${basename(dir)}: ${inPlace(basename(dir), tape)}\n`);
    const { stderr } = await wiretapeHere(place, ['approvals', 'last']);
    expect(stderr.toString()).toContain(inPlace(basename(dir), tape));
    const removed = await wiretapeHere(place, ['rm', 'last']);
    expect(removed.stdout.toString()).toContain(
      `its tape was gone, and another tape that names this session stays at ${tape}`,
    );
  });

  it('covers the whole tape, not only what was sealed first', async ({ place }) => {
    const log = join(place.dir, 'log.jsonl');
    const lines = Array.from(
      { length: 5 },
      (_, i) => `{"t":${1_790_000_000 + 2 * i},"dir":"c2a","line":"line ${i}"}\n`,
    );
    writeFileSync(log, lines.join(''));
    await wiretapeHere(place, ['import', log]);
    const tape = join(sessionsIn(place.home)[0]!, 'wire.jsonl');
    expect(await verdictOf(place, 'last')).toMatchObject({ verdict: 'intact' });
    const seals = () => readFileSync(tape, 'utf8').match(/"sha256":"\w+/g)!;
    const before = seals();
    reseal(tape, (line) => line.replace('line 4', 'line 5'));
    expect(seals().length).toBeGreaterThan(1);
    expect(seals()[0]).toBe(before[0]);
    expect(await verdictOf(place, 'last')).toMatchObject({ verdict: 'unreadable', code: 2 });
  });

  it('is compared too if the last line is longer than any that a recorder writes', async ({ place }) => {
    const tape = join(place.dir, 'x.jsonl');
    const dir = await record(place, tape);
    reseal(tape, (line) => oneToTwo(line).replace(/"at":"[^"]*"/, `"at":"${'9'.repeat(1000)}"`));
    expect(verifyTape(tape).verdict).toBe('intact');
    const message = inPlace(basename(dir), tape);
    expect(await verdictOf(place, 'last')).toMatchObject({ verdict: 'unreadable', message, code: 2 });
  });

  it('leaves it to verify to say where a tape was altered', async ({ place }) => {
    const tape = join(place.dir, 'x.jsonl');
    await record(place, tape);
    const text = readFileSync(tape, 'utf8');
    writeFileSync(tape, text.replace('"one"', '"two"'));
    expect(await verdictOf(place, 'last')).toMatchObject({ verdict: 'altered', code: 1 });
    writeFileSync(tape, text.replace(/[^\n]*\n$/, ''));
    expect(await verdictOf(place, 'last')).toMatchObject({ verdict: 'unfinished', code: 1 });
  });

  it('is not known of a session of an older version, which is judged by its tape', async ({ place }) => {
    const tape = join(place.dir, 'x.jsonl');
    const dir = await record(place, tape);
    rmSync(join(dir, SEAL));
    expect(await verdictOf(place, 'last')).toMatchObject({ verdict: 'intact', code: 0 });
    reseal(tape, oneToTwo);
    expect(await verdictOf(place, 'last')).toMatchObject({ verdict: 'intact', code: 0 });
    expect(existsSync(join(dir, SEAL))).toBe(false);
  });
});

describe.concurrent('the first seal of a tape whose recorder was killed', () => {
  async function killed(place: Place, tape: string): Promise<string> {
    const client = new Client([WIRETAPE, 'record', '--tape', tape, '--', 'cat'], place);
    client.write('one\n');
    await client.until('one\n');
    await stored(place, 'one');
    client.kill('SIGKILL');
    await client.over();
    return sessionsIn(place.home)[0]!;
  }

  it('is that of the tape which the next reader makes', async ({ place }) => {
    const tape = join(place.dir, 'x.jsonl');
    const dir = await killed(place, tape);
    expect(await verdictOf(place, 'last')).toMatchObject({ verdict: 'recovered', code: 0 });
    expect(JSON.parse(readFileSync(join(dir, SEAL), 'utf8'))).toEqual({ sha256: verifyTape(tape).digest });
    expect(await verdictOf(place, tape)).toMatchObject({ verdict: 'recovered', code: 0 });
    reseal(tape, oneToTwo);
    await expectRefused(place, dir, tape);
  });

  it('is made from the journal, whatever the tape says that somebody finished before', async ({ place }) => {
    const tape = join(place.dir, 'x.jsonl');
    const dir = await killed(place, tape);
    // The store as the recorder left it, to find out what its tape becomes.
    const [folder, name] = [sessionsDir(place.home), basename(dir)];
    const journal = readFileSync(join(dir, 'journal'));
    await verdictOf(place, 'last');
    const [finished, moved] = [readFileSync(tape), join(place.dir, 'moved')];
    rmSync(join(dir, SEAL));
    renameSync(dir, moved);
    reseal(tape, oneToTwo);
    const forged = readFileSync(tape);
    writeFileSync(join(moved, 'journal'), journal);
    renameSync(moved, join(folder, name));
    expect(await verdictOf(place, 'last')).toMatchObject({ verdict: 'recovered', code: 0 });
    expect(readFileSync(tape).equals(finished)).toBe(true);
    const aside = readdirSync(place.dir).filter((file) => file.startsWith('x.jsonl.before-'));
    expect(aside.map((file) => readFileSync(join(place.dir, file)).equals(forged))).toEqual([true]);
  });
});
