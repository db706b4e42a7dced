/** Whose tape is at the path of a session that has its tape outside the store. */
import {
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { applyBudget, overBudget } from '../../../../lib/recording/recorder/apply-budget.ts';
import { JOURNAL, OWNER, TAPE } from '../../../../lib/storage/store/home.ts';
import { thisProcess } from '../../../../lib/storage/store/owner.ts';
import { settleTape } from '../../../../lib/storage/store/recover.ts';
import { LOG_FILE } from '../../../../lib/storage/store/removal.ts';
import { missingTapeFailure, otherTapeIn } from '../../../../lib/storage/store/tape-owner.ts';
import { TestJournal } from '../../../support/journal.ts';
import { makeSession, smallTalk } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const [A, B] = ['20261116T022911-aaaa', '20261116T022912-bbbb'];

/** A session whose tape is at this path. */
function elsewhere(place: Place, id: string, path: string): string {
  const { dir, tape } = makeSession(place.home, smallTalk, { id });
  renameSync(tape, path);
  symlinkSync(path, tape);
  return dir;
}

describe('a path that two sessions have their tape at', () => {
  it('is that of the session that the tape names', ({ place }) => {
    const path = join(place.dir, 'x.jsonl');
    const first = elsewhere(place, A, path);
    expect(otherTapeIn(first)).toBeNull();
    expect(missingTapeFailure(place.home, { session: A, tape: path })).toBeNull();
    const second = elsewhere(place, B, path);
    const other = { is: 'of another session', session: B };
    expect(otherTapeIn(first)).toEqual(other);
    expect(otherTapeIn(second)).toBeNull();
    expect(settleTape(first, true)).toEqual({ is: 'gone', tape: path, other, running: false });
    expect(settleTape(second, true)).toEqual({ is: 'settled', tape: path });
    expect(missingTapeFailure(place.home, { session: A, tape: path })?.message).toContain(`is now the tape of ${B}`);
    // A file that is no tape belongs to nobody.
    writeFileSync(path, 'mine');
    expect(otherTapeIn(first)).toBeNull();
    rmSync(path);
    expect(missingTapeFailure(place.home, { session: A, tape: path })).toMatchObject({ hint: `it was at ${path}` });
  });

  it('is not written to by who finishes the first, while the second has written nothing yet', ({ place }) => {
    const path = join(place.dir, 'x.jsonl');
    const [first, second] = [elsewhere(place, A, path), elsewhere(place, B, path)];
    writeFileSync(path, '');
    // The recorder of the first is dead, that of the second has just begun.
    const journal = new TestJournal(join(first, JOURNAL), { session: A });
    smallTalk(journal);
    writeFileSync(join(first, OWNER), JSON.stringify({ ...thisProcess(), pid: 2 ** 22 + 1 }));
    writeFileSync(join(second, JOURNAL), readFileSync(join(first, JOURNAL)));
    journal.journal.close();
    expect(settleTape(first, true)).toEqual({ is: 'settled', tape: join(first, TAPE) });
    expect(statSync(path).size).toBe(0);
    expect(existsSync(join(second, JOURNAL))).toBe(true);
  });

  it('is not what the budget goes by, nor what the log of removals tells of the first', ({ place }) => {
    const path = join(place.dir, 'x.jsonl');
    const first = elsewhere(place, A, path);
    elsewhere(place, B, path);
    utimesSync(first, 1, 1);
    expect(overBudget(place.home, { maxSize: null, maxAge: 86_400 } as never, Date.now())).toMatchObject([
      { session: A },
    ]);
    expect(applyBudget(place.home, { WIRETAPE_MAX_AGE: '1d' }, () => {})).toBe(1);
    expect(existsSync(path)).toBe(true);
    expect(JSON.parse(readFileSync(join(place.home, LOG_FILE), 'utf8'))).toMatchObject({
      session: A,
      digest: null,
      frames: 0,
    });
    expect(lstatSync(join(place.home, 'sessions', B, TAPE)).isSymbolicLink()).toBe(true);
  });
});
