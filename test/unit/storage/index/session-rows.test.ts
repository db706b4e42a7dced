/** What the index says of a session is what its tape says: the two ways to a row of `ls` are one. */
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect } from 'vitest';
import type { Summary } from '../../../../lib/session/summary.ts';
import { summarise } from '../../../../lib/session/summary.ts';
import { openIndex } from '../../../../lib/storage/index/file.ts';
import { type IndexSource, indexSession, inTransaction } from '../../../../lib/storage/index/indexer.ts';
import { sessionKey } from '../../../../lib/storage/index/session-key.ts';
import { readRow, readRows, summaryOf } from '../../../../lib/storage/index/session-rows.ts';
import type { Database } from '../../../../lib/storage/index/sqlite.ts';
import { META } from '../../../../lib/storage/store/home.ts';
import { openPlace, using } from '../../../../lib/storage/store/open.ts';
import { placeOf } from '../../../../lib/storage/store/sessions.ts';
import { RecordKind } from '../../../../lib/storage/tape/journal.ts';
import type { TestJournal } from '../../../support/journal.ts';
import { cases } from '../../../support/scale.ts';
import { type Making, makeSession, rpc, smallTalk } from '../../../support/session.ts';
import { it, makePlace, type Place, removePlace } from '../../../support/store.ts';
import { anyText } from '../../../support/text.ts';

const notice = (message: string): never => {
  throw new Error(message);
};

/** By way of the index, and from the tape as a reader without one would. */
function bothWays(place: Place, source: IndexSource): { index: Summary; tape: Summary } {
  const db = openDb(place);
  inTransaction(db, () => indexSession(db, source));
  const index = summaryOf(readRow(db, place.home, sessionKey(source.id))!);
  expect(readRows(db, place.home).map(summaryOf)).toContainEqual(index);
  return { index, tape: using(openPlace(placeOf(place.home, source.id)), summarise) };
}

const opened = new Map<Place, Database>();

/** Opening and closing it hundreds of times would only wait for the disk. */
function openDb(place: Place): Database {
  const db = opened.get(place) ?? openIndex(place.home, { patienceMs: 1000, notice });
  // Rows may be lost in a power cut of this test.
  db.pragma('synchronous = OFF');
  opened.set(place, db);
  return db;
}

afterEach(() => {
  for (const db of opened.values()) db.close();
  opened.clear();
});

function withGap(journal: TestJournal): TestJournal {
  journal.journal.append(RecordKind.gap, 3, Buffer.from('{"stream":"agent","missing":12}'));
  return journal;
}

const KINDS: [string, (journal: TestJournal) => unknown, Making, Partial<Summary>][] = [
  ['ended', smallTalk, {}, { state: 'ended', exit: { code: 0, signal: null }, frames: 4 }],
  [
    'ended by a signal',
    (j) => j.exit(9, { code: null, signal: 'SIGTERM' }),
    {},
    { exit: { code: null, signal: 'SIGTERM' } },
  ],
  ['ended, nobody knows how', (j) => j.exit(9, {}), {}, { state: 'ended', exit: null }],
  ['killed', (j) => j.data('client', 1, 'a\n'), {}, { state: 'killed', exit: null, digest: expect.any(String) }],
  ['incomplete', (j) => withGap(j).exit(9), {}, { state: 'incomplete', gaps: 1 }],
  ['empty', () => {}, {}, { state: 'killed', frames: 1, bytes: 0 }],
  [
    'never started',
    (j) => j.event(1, { from: 'proc', event: 'spawn-failed', errno: 'ENOENT', reason: 'no' }).clock(1, RecordKind.end),
    {},
    { state: 'ended', exit: null },
  ],
  ['long', (j) => j.data('client', 1, 'a\n').exit(86_400_000_123_456), {}, { duration: 86_400_000.123456 }],
  ['short', (j) => j.exit(1), {}, { duration: 0.000001 }],
  ['not UTF-8', (j) => j.data('agent', 1, Uint8Array.of(0xff, 0xfe, 10)).exit(2), {}, { bytes: 3 }],
  [
    'a probe',
    (j) =>
      j
        .data('client', 1, rpc({ id: 1, method: 'initialize' }))
        .data('agent', 2, rpc({ id: 1, result: 0 }))
        .exit(3),
    {},
    { probe: true },
  ],
  [
    'of hostile words',
    smallTalk,
    {
      names: { name: `'"; DROP TABLE sessions; --\0\x1b[2J 名字 👩‍💻`, tags: { "'\0": '"\u2028', 日: '本', '': '' } },
      about: {
        command: ['sh', '-c', `"'\0\n\\`, '', '👾'],
        cwd: '/tmp/"\'\n',
        user: '\0',
        host: 'ü',
        dialect: "o'acp",
      },
    },
    { name: `'"; DROP TABLE sessions; --\0\x1b[2J 名字 👩‍💻`, user: '\0' },
  ],
  ['of a stranger', smallTalk, { about: { command: 'sh', cwd: 7, started_at: 'today' } }, { command: [], cwd: '' }],
  ['of no command', smallTalk, { about: { command: [] } }, { command: [] }],
];

describe('a row of the index', () => {
  it.for(KINDS)('says what the tape says of a session that is %s', ([, fill, making, expected], { place }) => {
    const { index, tape } = bothWays(place, makeSession(place.home, fill, making));
    expect(index).toEqual(tape);
    expect(Object.keys(index)).toEqual(Object.keys(tape));
    expect(index).toMatchObject(expected);
  });

  it('says where a tape lies that was written elsewhere, even behind a link', ({ place }) => {
    mkdirSync(join(place.dir, 'real'));
    symlinkSync(join(place.dir, 'real'), join(place.dir, 'link'));
    const path = join(place.dir, 'link', 'run.jsonl');
    const { index, tape } = bothWays(place, makeSession(place.home, smallTalk, { tape: path }));
    expect(index).toEqual(tape);
    expect(index.tape).toBe(path);
  });

  it('says where a tape lies in a store behind a link', ({ place }) => {
    mkdirSync(join(place.dir, 'real'));
    symlinkSync(join(place.dir, 'real'), place.home);
    const { index, tape } = bothWays(place, makeSession(place.home, smallTalk));
    expect(index).toEqual(tape);
  });

  it('says what is left of a tape that somebody cut off or spoilt', ({ place }) => {
    const source = makeSession(place.home, smallTalk);
    const whole = readFileSync(source.tape);
    for (let length = whole.indexOf(10) + 1; length <= whole.length; length += 11) {
      writeFileSync(source.tape, whole.subarray(0, length));
      const { index, tape } = bothWays(place, source);
      expect(index).toEqual(tape);
    }
    writeFileSync(source.tape, whole);
    // Doubled, out of order, and no frame at all.
    const frame = whole.toString().split('\n')[2]!;
    for (const line of [frame, frame, '}{', '{"f":-1,"t":0,"from":"agent","text":"x"}', '{"type":"later"}']) {
      appendFileSync(source.tape, `${line}\n`);
      const { index, tape } = bothWays(place, source);
      expect(index).toEqual(tape);
    }
  });

  it('says any name, tag and command', async () => {
    const place = makePlace();
    try {
      const source = makeSession(place.home, smallTalk);
      const [metadata, ...rest] = readFileSync(source.tape, 'utf8').split('\n');
      fc.assert(
        fc.property(
          anyText,
          fc.dictionary(anyText, anyText),
          fc.array(anyText),
          anyText,
          (name, tags, command, cwd) => {
            writeFileSync(join(source.dir, META), JSON.stringify({ name, tags }));
            const line = JSON.stringify({ ...JSON.parse(metadata!), command, cwd });
            writeFileSync(source.tape, [line, ...rest].join('\n'));
            const { index, tape } = bothWays(place, source);
            expect(index).toEqual(tape);
          },
        ),
        { numRuns: cases(60) },
      );
    } finally {
      await removePlace(place);
    }
  });
});
