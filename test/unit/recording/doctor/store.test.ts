/** The doctor compares what the index has of each session with its tape, and says what differs. */
import { appendFileSync, statSync, utimesSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { checkStore } from '../../../../lib/recording/doctor/store.ts';
import { listSessions } from '../../../../lib/storage/index/catch-up.ts';
import { tamper } from '../../../support/index.ts';
import { makeSession, smallTalk } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const ID = '20261116T022911-k3f9';

function fill({ home }: Place): string {
  const { tape } = makeSession(home, smallTalk, { id: ID });
  listSessions(home, { notice: (message) => expect.fail(message), progress: () => {} });
  return tape;
}

const rowsOf = ({ home }: Place) =>
  checkStore(home, () => {})
    .filter(({ check }) => check === 'rows')
    .map(({ level, message }) => `${level}: ${message}`);

describe('rows and tapes', () => {
  it('are the same', ({ place }) => {
    fill(place);
    expect(rowsOf(place)).toEqual(['ok: match the tapes of 1 sessions']);
  });

  it.for([
    ['DELETE FROM frames WHERE f = 2', `${ID}: 3 of its 4 frames have a row`],
    ['UPDATE sessions SET bytes = 1', `${ID}: its row says 1 bytes, its tape has 94`],
    ["UPDATE sessions SET digest = 'x'", `${ID}: the digest in its row is not that of its tape`],
  ] as const)('differ after %s', ([sql, said], { place }) => {
    fill(place);
    tamper(place.home, sql);
    expect(rowsOf(place)).toEqual([`problem: ${said}`]);
  });

  it('are not compared where the tape has changed since: the next reader makes its rows', ({ place }) => {
    const tape = fill(place);
    const { atime, mtime } = statSync(tape);
    appendFileSync(tape, '{"f":5,"t":1,"from":"agent","text":"more"}\n');
    utimesSync(tape, atime, mtime);
    expect(rowsOf(place)).toEqual(['ok: match the tapes of 0 sessions']);
  });
});
