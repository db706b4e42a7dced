/** A path for a tape that is used again while the first session that has its tape there is still recorded. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { WIRETAPE, wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';
import { sealed, stored } from '../../support/wait.ts';

const record = (path: string, name: string) => ['record', '--tape', path, '--name', name, '--', 'cat'];

/** The first session runs when its tape is removed and the second is recorded to the same path. */
async function usedTwice(place: Place, path: string): Promise<Client> {
  const client = new Client([WIRETAPE, ...record(path, 'first')], place);
  client.write('one\n');
  await client.until('one\n');
  await stored(place, 'one');
  rmSync(path);
  await wiretape(place, record(path, 'second'), { input: Buffer.from('two\n') });
  await sealed(path);
  return client;
}

async function saidIn(place: Place, word: string): Promise<string> {
  return (await wiretapeHere(place, ['show', word, '--raw', '--from', 'client'])).stdout.toString();
}

async function verdicts(place: Place): Promise<string[]> {
  const { stdout } = await wiretapeHere(place, ['verify', 'first', 'second', '--json']);
  return stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).verdict);
}

describe.concurrent('a path that is used twice', () => {
  it('keeps both tapes: the first goes to the store when its recorder ends', async ({ place }) => {
    const path = join(place.dir, 'x.jsonl');
    const client = await usedTwice(place, path);
    const early = await wiretapeHere(place, ['show', 'first']);
    expect(early.code).toBe(2);
    expect(early.stderr.toString()).toMatch(
      /is gone: .*x\.jsonl is now the tape of .*\nhint: it is still being recorded/,
    );
    const tape = readFileSync(path);
    client.write('three\n');
    await client.until('three\n');
    client.end();
    await client.over();
    expect(client.code).toBe(0);
    expect(await saidIn(place, 'first')).toBe('one\nthree\n');
    expect(await saidIn(place, 'second')).toBe('two\n');
    expect(await verdicts(place)).toEqual(['intact', 'intact']);
    expect(readFileSync(path).equals(tape)).toBe(true);
  });

  it('keeps both if the first recorder is killed: the journal is not taken for finished', async ({ place }) => {
    const path = join(place.dir, 'x.jsonl');
    const client = await usedTwice(place, path);
    const tape = readFileSync(path);
    client.kill('SIGKILL');
    await client.over();
    expect(await saidIn(place, 'first')).toBe('one\n');
    expect(await saidIn(place, 'second')).toBe('two\n');
    expect(await verdicts(place)).toEqual(['recovered', 'intact']);
    expect(readFileSync(path).equals(tape)).toBe(true);
  });

  it('may lead to the tape through a link', async ({ place }) => {
    const [folder, link] = [mkdtempSync(join(place.dir, 'moved-')), join(place.dir, 'x.jsonl')];
    await wiretape(place, record(join(folder, 'y.jsonl'), 'first'), { input: Buffer.from('one\n') });
    symlinkSync(join(folder, 'y.jsonl'), link);
    const { stdout, code } = await wiretapeHere(place, ['verify', link, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout.toString())).toMatchObject({ verdict: 'intact', session: expect.stringMatching(/^20/) });
    // A link is an existing file: nothing is recorded over it.
    await wiretape(place, record(link, 'second'), { input: Buffer.from('two\n') });
    expect(await saidIn(place, 'first')).toBe('one\n');
    expect(await saidIn(place, 'second')).toBe('two\n');
  });
});
