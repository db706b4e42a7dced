/** Recorders that cannot be seen from here: never taken for dead, but not called running for ever either. */
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { listSessions } from '../../../../lib/storage/index/catch-up.ts';
import { activeRecorderOf } from '../../../../lib/storage/store/active-recorder.ts';
import { lifeOf, thisProcess } from '../../../../lib/storage/store/owner.ts';
import { TestJournal } from '../../../support/journal.ts';
import { makeSession, rpc } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const ID = '20261116T022911-k3f9';
const ELSEWHERE = { ...thisProcess(), host: 'elsewhere', boot: 'another' };

/** A session as a killed recorder leaves it: a tape that is behind its journal. */
function unfinished({ home }: Place, owner: object): string {
  const { dir, tape } = makeSession(home, (journal) => journal.data('client', 5, rpc({ id: 1, method: 'm' })).exit(9));
  const lines = readFileSync(tape, 'utf8').split('\n');
  writeFileSync(tape, `${lines.slice(0, 2).join('\n')}\n`);
  const journal = new TestJournal(join(dir, 'journal'), { session: ID });
  journal.data('client', 5, rpc({ id: 1, method: 'm' })).data('agent', 6, rpc({ id: 1, result: 1 }));
  journal.journal.close();
  writeFileSync(join(dir, 'owner.json'), JSON.stringify(owner));
  return dir;
}

function age(dir: string, hours: number): void {
  const then = Date.now() / 1000 - hours * 3600;
  for (const name of readdirSync(dir)) utimesSync(join(dir, name), then, then);
}

const stateOf = ({ home }: Place) =>
  listSessions(home, { notice: (message) => expect.fail(message), progress: () => {} }).sessions.map(
    ({ state, frames }) => `${state} ${frames}`,
  );

const filesOf = (dir: string) => readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'latin1')]);

describe('a recorder on another machine', () => {
  it('runs as long as it writes, and is called incomplete after a day, with nothing of it changed', ({ place }) => {
    const dir = unfinished(place, ELSEWHERE);
    const files = filesOf(dir);
    for (const [hours, state] of [
      [0, 'running 1'],
      [23, 'running 1'],
      [25, 'incomplete 1'],
    ] as const) {
      age(dir, hours);
      expect(stateOf(place)).toEqual([state]);
      expect(stateOf(place)).toEqual([state]);
    }
    expect(filesOf(dir)).toEqual(files);
    // Nor is it pruned: nobody knows.
    expect(activeRecorderOf(place.home, ID)).toBe('unknown');
    // It was only silent.
    const tape = join(dir, 'wire.jsonl');
    writeFileSync(tape, `${readFileSync(tape, 'utf8')}{"f":2,"t":1,"from":"agent","text":"back"}\n`);
    expect(stateOf(place)).toEqual(['running 2']);
  });
});

describe('a recorder in a container of this machine', () => {
  it('is dead if no process has its number there, and its tape is finished', ({ place, skip }) => {
    const here = thisProcess();
    if (here.pid_namespace !== 'pid:[4026531836]') skip('this is no place to see into containers from');
    const dir = unfinished(place, { ...here, host: 'container', pid_namespace: 'pid:[4026532999]', pid: 4_000_000 });
    expect(stateOf(place)).toEqual(['killed 3']);
    expect(readdirSync(dir)).not.toContain('journal');
  });

  it('is not judged where that cannot be known', () => {
    const here = thisProcess();
    expect(lifeOf({ ...here, pid_namespace: null, pid: 4_000_000 })).toBe('unknown');
    expect(lifeOf({ ...here, boot: 'another', host: 'elsewhere' })).toBe('unknown');
    expect(lifeOf({ ...here, boot: 'another' })).toBe('dead');
    expect(lifeOf(here)).toBe('alive');
    expect(lifeOf(null)).toBe('unknown');
  });
});
