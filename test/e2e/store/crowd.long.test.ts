/** Many at once: fifty recorders into a store that does not exist yet, ten readers over an index that is gone (section 5). */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { wiretapeHere } from '../../support/in-process.ts';
import { dump, filesIn, INDEX, indexOf } from '../../support/index.ts';
import { ls, rebuilt, removeIndex } from '../../support/ls.ts';
import { run, WIRETAPE, wiretape } from '../../support/run.ts';
import { makeSession, smallTalk } from '../../support/session.ts';
import { it, type Place } from '../../support/store.ts';

const CROWD = 50;

describe('fifty recorders at once', () => {
  it('make fifty complete sessions and one index that equals one made from nothing', async ({ place }) => {
    const lines = (i: number) => Array.from({ length: 20 }, (_, n) => `{"id":${n},"method":"m${i}"}\n`).join('');
    const runs = Array.from({ length: CROWD }, (_, i) =>
      run(place, [WIRETAPE, 'record', '--name', `n${i}`, '--', 'sh', '-c', `cat; exit ${i % 7}`], {
        input: lines(i),
        streams: 'socket',
      }),
    );
    for (const [i, { code, stdout, stderr }] of (await Promise.all(runs)).entries()) {
      expect({ code, stderr: stderr.toString() }).toEqual({ code: i % 7, stderr: '' });
      expect(stdout.toString()).toBe(lines(i));
    }
    const { rows, said } = await ls(place);
    expect(said).toBe('');
    expect(rows).toHaveLength(CROWD);
    for (const { name, state, exit, frames, gaps } of rows) {
      const i = Number(name!.slice(1));
      // Twenty lines each way, spawn, exit and three ends.
      expect({ state, exit, frames, gaps }).toEqual({
        state: 'ended',
        exit: { code: i % 7, signal: null },
        frames: 45,
        gaps: 0,
      });
    }
    const verified = await wiretapeHere(place, ['verify', '--json']);
    const verdicts = verified.stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).verdict);
    expect(verdicts).toEqual(Array(CROWD).fill('intact'));
    const byRecorders = dump(place.home);
    expect(byRecorders.frames).toHaveLength(CROWD * 45);
    expect(filesIn(place.home)).toEqual([INDEX, 'sessions']);
    expect(await rebuilt(place)).toEqual(byRecorders);
  });
});

const READERS = 10;

function fill({ home }: Place): void {
  for (let i = 0; i < 40; i++) {
    makeSession(home, smallTalk, {
      id: `20261116T0229${String(i).padStart(2, '0')}-k3f9`,
      about: { started_at: `2026-11-16T02:29:${String(i).padStart(2, '0')}.000000Z` },
    });
  }
}

describe('ten readers at once', () => {
  it('make one right index where there was none', async ({ place }) => {
    fill(place);
    const right = await ls(place);
    const index = dump(place.home);
    removeIndex(place);
    const lists = await Promise.all(Array.from({ length: READERS }, () => ls(place, WIRETAPE)));
    for (const list of lists) expect(list).toEqual(right);
    expect(dump(place.home)).toEqual(index);
    expect(filesIn(place.home)).toEqual([INDEX, 'sessions']);
  });

  it('set a damaged index aside once', async ({ place }) => {
    fill(place);
    const right = await ls(place);
    const index = dump(place.home);
    rmSync(`${indexOf(place.home)}-wal`, { force: true });
    writeFileSync(indexOf(place.home), 'garbage '.repeat(9999));
    const lists = await Promise.all(Array.from({ length: READERS }, () => ls(place, WIRETAPE)));
    for (const { rows } of lists) expect(rows).toEqual(right.rows);
    expect(lists.map(({ said }) => said).join('')).toMatch(/^wiretape: the index was damaged; [^\n]*\n$/);
    expect(filesIn(place.home).filter((name) => name.includes('damaged'))).toHaveLength(1);
    expect(dump(place.home)).toEqual(index);
  });
});

describe('six clean-ups at once', () => {
  it('remove every session once, and none of them minds that another was faster', async ({ place }) => {
    const ids = Array.from({ length: 300 }, (_, i) => `20260101T000000-b${String(i).padStart(3, '0')}`);
    for (const id of ids) makeSession(place.home, smallTalk, { id });
    const all = await Promise.all(
      Array.from({ length: 6 }, () => wiretape(place, ['prune', '--keep', '10', '--json'])),
    );
    for (const { code, stderr } of all) {
      expect({ code, stderr: stderr.toString() }).toEqual({ code: 0, stderr: expect.stringMatching(REMOVED) });
    }
    const removed = all.flatMap(({ stdout }) => sessionsIn(stdout.toString()));
    const noted = sessionsIn(readFileSync(join(place.home, 'log.jsonl'), 'utf8'));
    expect(removed.sort()).toEqual(noted.sort());
    expect(new Set(noted).size).toBe(290);
    expect(noted).toHaveLength(290);
  });
});

const REMOVED = /^wiretape: removed \d+ of \d+ sessions, .*\n$/;

function sessionsIn(lines: string): string[] {
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).session]));
}
