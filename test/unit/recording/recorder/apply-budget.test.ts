/** A store with a budget keeps to it: the oldest sessions go, with a note of each, and never one that is recorded. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { applyBudget, overBudget, readBudget } from '../../../../lib/recording/recorder/apply-budget.ts';
import { JOURNAL, OWNER, sessionsDir, TAPE } from '../../../../lib/storage/store/home.ts';
import { LOG_FILE, sizeOf } from '../../../../lib/storage/store/removal.ts';
import { readIds } from '../../../../lib/storage/store/sessions.ts';
import { WIRETAPE } from '../../../support/run.ts';
import { makeSession, smallTalk } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const DAY = 86_400;
const idOf = (n: number) => `20261116T0000${String(n).padStart(2, '0')}-aaaa`;

/** A session whose tape was written so many days ago. */
function add(place: Place, n: number, days: number): string {
  const { dir } = makeSession(place.home, smallTalk, { id: idOf(n), names: { name: `n${n}`, tags: {} } });
  const then = Date.now() / 1000 - days * DAY;
  utimesSync(join(dir, TAPE), then, then);
  return dir;
}

function swept(place: Place, env: NodeJS.ProcessEnv): { left: string[]; said: string[]; removed: number } {
  const said: string[] = [];
  const removed = applyBudget(place.home, env, (message) => said.push(message));
  return { left: readIds(place.home).sort(), said, removed };
}

describe('a sweep', () => {
  it('takes nothing without a budget', ({ place }) => {
    add(place, 1, 10_000);
    expect(swept(place, {})).toEqual({ left: [idOf(1)], said: [], removed: 0 });
  });

  it('takes what is too old, and notes it', ({ place }) => {
    for (const [n, days] of [10, 40, 29, 31].entries()) add(place, n, days);
    expect(swept(place, { WIRETAPE_MAX_AGE: '30d' })).toEqual({ left: [idOf(0), idOf(2)], said: [], removed: 2 });
    const log = readFileSync(join(place.home, LOG_FILE), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(log).toMatchObject([
      {
        event: 'removed',
        by: 'budget',
        session: idOf(1),
        name: 'n1',
        frames: 4,
        digest: expect.stringMatching(/^\w{64}$/),
      },
      { event: 'removed', by: 'budget', session: idOf(3) },
    ]);
  });

  it('takes the oldest until the rest fits', ({ place }) => {
    const dirs = [3, 1, 2].map((days, n) => add(place, n, days));
    const size = sizeOf(dirs[0]!);
    expect(swept(place, { WIRETAPE_MAX_SIZE: `${3 * size + 10}` }).removed).toBe(0);
    expect(swept(place, { WIRETAPE_MAX_SIZE: `${2 * size + 10}` }).left).toEqual([idOf(1), idOf(2)]);
    expect(swept(place, { WIRETAPE_MAX_SIZE: '1' }).left).toEqual([]);
  });

  it('never takes a session that is being recorded, here or where we cannot see', async ({ place }) => {
    const recorder = spawn(WIRETAPE, ['record', '--', 'cat'], { env: place.env, stdio: 'pipe' });
    recorder.stdin.write('{}\n');
    await once(recorder.stdout, 'data');
    const [running] = readIds(place.home);
    const elsewhere = add(place, 1, 100);
    writeFileSync(join(elsewhere, JOURNAL), 'x');
    writeFileSync(join(elsewhere, OWNER), JSON.stringify({ host: 'elsewhere', boot: 'other', pid: 1, start: null }));
    add(place, 2, 100);
    const env = { WIRETAPE_MAX_SIZE: '1', WIRETAPE_MAX_AGE: '1s' };
    expect(swept(place, env).left).toEqual([idOf(1), running].sort());
    recorder.stdin.end();
    await once(recorder, 'close');
  });

  it('keeps what was just imported, however old it is, and takes what cannot be read', ({ place }) => {
    makeSession(place.home, smallTalk, { id: '19990101T000000-aaaa' });
    expect(swept(place, { WIRETAPE_MAX_AGE: '1d' }).left).toEqual(['19990101T000000-aaaa']);
    const odd = add(place, 1, 0);
    rmSync(join(odd, TAPE));
    symlinkSync('/dev/zero', join(odd, TAPE));
    const empty = add(place, 2, 5);
    truncateSync(join(empty, TAPE));
    utimesSync(join(empty, TAPE), 1, 1);
    mkdirSync(join(sessionsDir(place.home), idOf(3)));
    expect(swept(place, { WIRETAPE_MAX_SIZE: '1' })).toEqual({ left: [idOf(3)], said: [], removed: 3 });
  });

  it('says a value that it cannot read once, and ignores it', ({ place }) => {
    add(place, 1, 100);
    const { left, said } = swept(place, { WIRETAPE_MAX_AGE: '30', WIRETAPE_MAX_SIZE: 'x\x1b[2J' });
    expect(left).toEqual([idOf(1)]);
    expect(said).toEqual(['WIRETAPE_MAX_SIZE: "x\\u001b[2J" is not a valid size (example: 5gb); ignoring it']);
    expect(swept(place, { WIRETAPE_MAX_AGE: '30d', WIRETAPE_MAX_SIZE: 'x' }).left).toEqual([]);
  });

  it('never throws', ({ place }) => {
    expect(swept(place, { WIRETAPE_MAX_AGE: '1s' })).toEqual({ left: [], said: [], removed: 0 });
    add(place, 1, 100);
    mkdirSync(join(place.home, LOG_FILE));
    const { left, said } = swept(place, { WIRETAPE_MAX_AGE: '1d' });
    expect(left).toEqual([idOf(1)]);
    expect(said).toEqual([expect.stringMatching(/^session .* cannot be removed \(EISDIR/)]);
    rmSync(sessionsDir(place.home), { recursive: true });
    symlinkSync(sessionsDir(place.home), sessionsDir(place.home));
    const failed: string[] = [];
    expect(applyBudget(place.home, { WIRETAPE_MAX_AGE: '1d' }, (message) => failed.push(message))).toBe(0);
    expect(failed).toEqual([expect.stringMatching(/^cannot keep the store within its budget \(ELOOP/)]);
  });
});

describe('a budget', () => {
  it('names what is over it, oldest first', ({ place }) => {
    for (let n = 0; n < 6; n++) add(place, n, 10 * n + 5);
    const budget = readBudget(place.home, { WIRETAPE_MAX_AGE: '24d' });
    const over = overBudget(place.home, budget, Date.now());
    expect(over).toMatchObject([5, 4, 3, 2].map((n) => ({ session: idOf(n), why: 'age' })));
  });
});
