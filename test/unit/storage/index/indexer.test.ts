/** The rows of a tape are the same however they came about, and a request is paired with its own answer only. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { DialectChanged } from '../../../../lib/session/growing-pass.ts';
import { openIndex } from '../../../../lib/storage/index/file.ts';
import {
  forgetSession,
  type IndexSource,
  indexSession,
  inTransaction,
  RowsReplaced,
  SessionIndexer,
} from '../../../../lib/storage/index/indexer.ts';
import { sessionKey } from '../../../../lib/storage/index/session-key.ts';
import type { Database } from '../../../../lib/storage/index/sqlite.ts';
import { dump, query, type Row } from '../../../support/index.ts';
import { cases } from '../../../support/scale.ts';
import { makeSession, rpc, smallTalk } from '../../../support/session.ts';
import { it, makePlace, type Place, removePlace } from '../../../support/store.ts';

function open(place: Place): Database {
  return openIndex(place.home, {
    patienceMs: 1000,
    notice: (message) => {
      throw new Error(message);
    },
  });
}

function rowsOf(place: Place, source: IndexSource): Record<string, Row[]> {
  const db = open(place);
  inTransaction(db, () => indexSession(db, source));
  db.close();
  return dump(place.home);
}

/** Two hundred frames of every kind. */
function muchTalk(place: Place): IndexSource {
  return makeSession(
    place.home,
    (journal) => {
      journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
      for (let i = 0; i < 60; i++) {
        journal.data('client', 1000 * i + 10, rpc({ id: i, method: `ask/${i % 7}`, params: 'x'.repeat(i * 20) }));
        journal.data('agent', 1000 * i + 20, `${rpc({ id: `${i}`, method: 'may I?' })}noise é\n`);
        if (i % 3) journal.data('client', 1000 * i + 30, rpc({ id: `${i}`, error: { code: -32_000 - i } }));
        if (i % 5) journal.data('agent', 1000 * i + 40, rpc({ id: i, result: null }));
        if (i % 10 === 0) journal.clock(1000 * i + 50);
      }
      journal.data('stderr', 70_000, Uint8Array.of(0xff, 10)).exit(70_001);
    },
    { names: { name: 'much', tags: { a: 'b' } } },
  );
}

describe('rows', () => {
  it('are the same in one step or in many, of a tape that grows anyhow', async () => {
    const place = makePlace();
    try {
      const source = muchTalk(place);
      const whole = readFileSync(source.tape);
      const expected = rowsOf(place, source);
      expect(expected.frames!.length).toBeGreaterThan(200);
      const step = fc.record({ grow: fc.integer({ min: 0, max: 9000 }), atMost: fc.integer({ min: 1, max: 9000 }) });
      fc.assert(
        fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
          const db = open(place);
          db.pragma('synchronous = OFF');
          writeFileSync(source.tape, '');
          let indexer = new SessionIndexer(source);
          const advance = (atMost: number, running: boolean): boolean => {
            try {
              return inTransaction(db, () => indexer.advance(db, atMost, running));
            } catch (error) {
              // The first lines were too few to tell the dialect: it begins again, as a recorder does.
              if (!(error instanceof DialectChanged)) throw error;
              indexer.close();
              indexer = new SessionIndexer(source);
              return false;
            }
          };
          let grown = 0;
          for (const { grow, atMost } of steps) {
            appendFileSync(source.tape, whole.subarray(grown, grown + grow));
            grown = Math.min(whole.length, grown + grow);
            advance(atMost, true);
          }
          appendFileSync(source.tape, whole.subarray(grown));
          while (!advance(3000, false));
          indexer.close();
          db.close();
          expect(dump(place.home)).toEqual(expected);
        }),
        { numRuns: cases(15) },
      );
    } finally {
      await removePlace(place);
    }
  });

  it('say while the session runs how far it has come', ({ place }) => {
    const source = muchTalk(place);
    const db = open(place);
    const indexer = new SessionIndexer(source);
    expect(inTransaction(db, () => indexer.advance(db, 2000, true))).toBe(false);
    const [row] = query(place.home, 'SELECT * FROM sessions');
    expect(row).toMatchObject({
      state: 'running',
      settled: 0,
      ended: null,
      digest: null,
      name: 'much',
      tags: '{"a":"b"}',
    });
    expect(row!.frames).toBe(query(place.home, 'SELECT count(*) AS n FROM frames')[0]!.n);
    expect(row!.indexed).toBeGreaterThanOrEqual(2000);
    indexer.close();
    db.close();
  });

  it('point to their lines on the tape', ({ place }) => {
    const source = muchTalk(place);
    const { frames } = rowsOf(place, source);
    const tape = readFileSync(source.tape);
    for (const { f, offset, size } of frames!) {
      const line = tape.subarray(Number(offset), tape.indexOf(10, Number(offset))).toString();
      expect(JSON.parse(line).f).toBe(f);
      expect(line.length).toBeGreaterThan(Number(size));
    }
  });

  it('are forgotten with their session, and no others', ({ place }) => {
    const source = makeSession(place.home, smallTalk);
    const other = makeSession(place.home, smallTalk, { id: '20261116T022912-k3f9' });
    const expected = rowsOf(place, other);
    rowsOf(place, source);
    const db = open(place);
    inTransaction(db, () => forgetSession(db, sessionKey(source.id)));
    db.close();
    expect(dump(place.home)).toEqual(expected);
  });

  it('have no place for a frame number twice, and the rest is there all the same', ({ place }) => {
    const source = makeSession(place.home, smallTalk);
    const lines = readFileSync(source.tape, 'utf8').split(/(?<=\n)/);
    writeFileSync(
      source.tape,
      lines
        .flatMap((line) => [line, line])
        .slice(1)
        .join(''),
    );
    expect(rowsOf(place, source).frames!.map(({ f }) => f)).toEqual([1, 2, 3, 4]);
  });
});

describe('exchanges', () => {
  it('are paired in both directions, by the JSON type of their ids', ({ place }) => {
    const source = makeSession(place.home, (j) => {
      j.data('client', 1_000_000, rpc({ id: 1, method: 'number' })); // f1
      j.data('client', 1_100_000, rpc({ id: '1', method: 'string' })); // f2
      j.data('agent', 1_200_000, rpc({ id: 1, method: 'of the agent' })); // f3
      j.data('agent', 1_300_000, rpc({ id: '1', result: 0 })); // f4 answers f2
      j.data('client', 1_400_000, rpc({ id: 1, error: { code: -32_601 } })); // f5 answers f3
      j.data('agent', 1_500_000, rpc({ id: 1, result: null })); // f6 answers f1
      j.data('agent', 1_600_000, rpc({ id: 1, result: 'again' })); // f7 answers nothing
      j.data('client', 1_700_000, rpc({ id: null, method: 'nameless' })); // f8 cannot be answered
      j.data('client', 1_800_000, rpc({ id: 'x"\u0000', method: 'never answered' })); // f9
      j.data('stderr', 1_900_000, rpc({ id: 'x"\u0000', result: 'said on stderr' })); // f10 is no envelope: it is a log
      j.data('client', 1_950_000, rpc({ method: 'notification' })); // f11
      j.exit(2_000_000);
    });
    const { frames, exchanges } = rowsOf(place, source);
    const brief = exchanges!.map(({ f, asker, method, id, answer_f, latency, code }) => [
      f,
      asker,
      method,
      id,
      answer_f,
      latency,
      code,
    ]);
    expect(brief).toEqual([
      [1, 'client', 'number', '1', 6, 0.5, null],
      [2, 'client', 'string', '"1"', 4, 0.2, null],
      [3, 'agent', 'of the agent', '1', 5, 0.2, -32_601],
      [9, 'client', 'never answered', '"x\\"\\u0000"', null, null, null],
    ]);
    const pairs = frames!.map(({ f, pair_f, latency }) => [f, pair_f, latency]).filter(([, pair]) => pair !== null);
    expect(pairs).toEqual([
      [1, 6, 0.5],
      [2, 4, 0.2],
      [3, 5, 0.2],
      [4, 2, 0.2],
      [5, 3, 0.2],
      [6, 1, 0.5],
      // A second answer: it names its request, which keeps the first.
      [7, 1, 0.6],
    ]);
    const column = (name: string) => frames!.map((frame) => frame[name]);
    expect(column('envelope')).toEqual([
      ...['request', 'request', 'request', 'response', 'error', 'response', 'response'],
      ...['request', 'request', 'none', 'notification', 'none'],
    ]);
    expect(column('event')).toEqual([...Array(11).fill(null), 'exit']);
    expect(column('id')[3]).toBe('"1"');
    expect(column('code')[4]).toBe(-32_601);
  });
});

describe('an indexer whose rows somebody else wrote', () => {
  function begun(place: Place): { db: Database; indexer: SessionIndexer; source: IndexSource } {
    const source = muchTalk(place);
    const db = open(place);
    const indexer = new SessionIndexer(source);
    inTransaction(db, () => indexer.advance(db, 2000, true));
    return { db, indexer, source };
  }

  it.for<[string, (db: Database, source: IndexSource) => void]>([
    ['made anew', indexSession],
    ['forgotten', (db, source) => forgetSession(db, sessionKey(source.id))],
  ])('stops, and leaves them %s', ([, change], { place }) => {
    const { db, indexer, source } = begun(place);
    inTransaction(db, () => change(db, source));
    const theirs = dump(place.home);
    expect(() => inTransaction(db, () => indexer.advance(db, 2000, true))).toThrow(RowsReplaced);
    expect(dump(place.home)).toEqual(theirs);
    indexer.close();
    // A new one begins from the start.
    inTransaction(db, () => indexSession(db, source));
    expect(dump(place.home).frames!.length).toBeGreaterThan(200);
    db.close();
  });
});

describe('ids beyond 2^53', () => {
  it('are paired, kept and told as they were written', ({ place }) => {
    const [near, far] = ['9007199254740992', '9007199254740993'];
    const source = makeSession(place.home, (journal) => {
      journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
      journal.data('client', 10, `{"jsonrpc":"2.0","id":${near},"method":"a"}\n`);
      journal.data('client', 20, `{"jsonrpc":"2.0","id":${far},"method":"b"}\n`);
      journal.data('agent', 30, `{"jsonrpc":"2.0","id":${near},"result":{}}\n`);
      journal.data('agent', 40, `{"jsonrpc":"2.0","id":${far},"result":{}}\n`).exit(50);
    });
    const { frames } = rowsOf(place, source) as { frames: Row[] };
    expect(frames.slice(1, 5).map(({ id, pair_f }) => [id, pair_f])).toEqual([
      [near, 4],
      [far, 5],
      [near, 2],
      [far, 3],
    ]);
    expect(query(place.home, 'SELECT id FROM exchanges ORDER BY f')).toEqual([{ id: near }, { id: far }]);
  });
});
