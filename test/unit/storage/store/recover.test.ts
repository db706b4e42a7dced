/** Folders among the sessions that no recorder made: nothing outside of them is changed, and nothing waits for ever. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { JOURNAL, META, OWNER, TAPE } from '../../../../lib/storage/store/home.ts';
import { readNames } from '../../../../lib/storage/store/names.ts';
import { readOwner } from '../../../../lib/storage/store/owner.ts';
import { settleTape } from '../../../../lib/storage/store/recover.ts';
import { verifyTape } from '../../../../lib/storage/tape/verify.ts';
import { TestJournal } from '../../../support/journal.ts';
import { makeSession, smallTalk } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const DEAD = { host: hostname(), boot: 'another', pid_namespace: null, pid: 1, start: '1' };

/** A session whose recorder is dead; returns its folder. */
function abandoned(place: Place, journal: 'whole' | 'spoilt'): string {
  const { id, dir } = makeSession(place.home, smallTalk);
  writeFileSync(join(dir, OWNER), JSON.stringify(DEAD));
  if (journal === 'spoilt') writeFileSync(join(dir, JOURNAL), Buffer.alloc(5000));
  else smallTalk(new TestJournal(join(dir, JOURNAL), { session: id })).journal.close();
  return dir;
}

describe('a tape that is a link', () => {
  it('to a file that is no tape of this session leaves that file alone', ({ place }) => {
    const dir = abandoned(place, 'whole');
    const precious = join(place.dir, 'precious');
    writeFileSync(precious, 'mine');
    rmSync(join(dir, TAPE));
    symlinkSync(precious, join(dir, TAPE));
    const { tape } = settleTape(dir, true);
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    expect(lstatSync(tape).isFile()).toBe(true);
    expect(verifyTape(tape).verdict).toBe('intact');
    expect(existsSync(join(dir, JOURNAL))).toBe(false);
  });

  it('to the file that its recorder claimed is finished there', ({ place }) => {
    const dir = abandoned(place, 'whole');
    const elsewhere = join(place.dir, 'run.jsonl');
    writeFileSync(elsewhere, '');
    rmSync(join(dir, TAPE));
    symlinkSync(elsewhere, join(dir, TAPE));
    expect(settleTape(dir, true)).toEqual({ is: 'settled', tape: elsewhere });
    expect(verifyTape(elsewhere).verdict).toBe('intact');
  });
});

describe('a journal of which nothing can be read', () => {
  it('takes nothing away from the tape', ({ place }) => {
    const dir = abandoned(place, 'spoilt');
    const lines = readFileSync(join(dir, TAPE), 'utf8').split('\n');
    const unfinished = `${lines.slice(0, -2).join('\n')}\n`;
    writeFileSync(join(dir, TAPE), unfinished);
    expect(settleTape(dir, true)).toEqual({ is: 'settled', tape: join(dir, TAPE) });
    expect(readFileSync(join(dir, TAPE), 'utf8')).toBe(unfinished);
    expect(existsSync(join(dir, JOURNAL))).toBe(true);
  });
});

describe('a journal that has lost its end', () => {
  it('keeps a tape that has more beside the one that is made of it', ({ place }) => {
    const dir = abandoned(place, 'whole');
    const unfinished = `${readFileSync(join(dir, TAPE), 'utf8').split('\n').slice(0, -2).join('\n')}\n`;
    writeFileSync(join(dir, TAPE), unfinished);
    truncateSync(join(dir, JOURNAL), statSync(join(dir, JOURNAL)).size - 150);
    settleTape(dir, true);
    expect(verifyTape(join(dir, TAPE)).verdict).toBe('recovered');
    const aside = readdirSync(dir).filter((name) => name.startsWith(`${TAPE}.before-`));
    expect(aside.map((name) => readFileSync(join(dir, name), 'utf8'))).toEqual([unfinished]);
  });

  it('keeps nothing beside where the tape is the start of what comes of it', ({ place }) => {
    for (const part of [0, 0.1, 0.5, 0.99]) {
      const again = abandoned(place, 'whole');
      const tape = readFileSync(join(again, TAPE), 'utf8');
      writeFileSync(join(again, TAPE), tape.slice(0, tape.length * part));
      settleTape(again, true);
      expect(readdirSync(again).filter((name) => name.includes('.before-'))).toEqual([]);
    }
  });
});

describe('a pipe in place of a file', () => {
  it('is not waited for', ({ place }) => {
    const { dir } = makeSession(place.home, smallTalk);
    for (const name of [META, OWNER]) execFileSync('mkfifo', [join(dir, name)]);
    expect(readNames(dir)).toEqual({ name: null, tags: {} });
    expect(readOwner(dir)).toBeNull();
    for (const name of [TAPE, JOURNAL]) {
      rmSync(join(dir, name), { force: true });
      execFileSync('mkfifo', [join(dir, name)]);
      expect(() => settleTape(dir, true)).toThrow('is not a regular file');
      rmSync(join(dir, name));
    }
  });
});
