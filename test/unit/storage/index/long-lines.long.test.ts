/** Lines that are too large to be read: index and tape say the same of them, and who has little memory leaves them. */
import { describe, expect } from 'vitest';
import { IndexWriter } from '../../../../lib/recording/recorder/index-writer.ts';
import { summarise } from '../../../../lib/session/summary.ts';
import { listSessions } from '../../../../lib/storage/index/catch-up.ts';
import type { IndexSource } from '../../../../lib/storage/index/indexer.ts';
import { sessionKey } from '../../../../lib/storage/index/session-key.ts';
import { auditSession } from '../../../../lib/storage/search/audit-session.ts';
import { searchFrames } from '../../../../lib/storage/search/frames.ts';
import { SessionAudits } from '../../../../lib/storage/search/session-audits.ts';
import { MAX_LINE_BYTES } from '../../../../lib/storage/tape/long-line.ts';
import { query } from '../../../support/index.ts';
import { makeSession, rpc, sessionOn, smallTalk } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const silent = { notice() {}, progress() {} };
const MANY = rpc({ method: 'many', params: Array(600_000).fill([]) });

/** Asked and answered, with a line of many values, and one that is cut, between. */
function longTalk(place: Place): IndexSource {
  return makeSession(place.home, (journal) => {
    journal.data('agent', 10, MANY).data('agent', 11, '{"jsonrpc":"2.0","method":"long","params":"needle ');
    const part = Buffer.alloc(1 << 20, 'long ');
    for (let sent = 0; sent <= MAX_LINE_BYTES; sent += part.length) journal.data('agent', 12, part);
    journal.data('agent', 13, '"}\n').data('stderr', 14, 'done\n');
    return smallTalk(journal);
  });
}

describe('a line that is too large to be read', () => {
  it('is a frame like any other, of which nothing but its first part is known', ({ place }) => {
    const source = longTalk(place);
    const { sessions } = listSessions(place.home, silent);
    expect(sessions).toEqual([summarise(sessionOn(source.tape, source))]);
    const rows = query(
      place.home,
      'SELECT f, kind, envelope, method, flags, size FROM frames ORDER BY size DESC LIMIT 2',
    );
    expect(rows.map(({ f, kind, flags, method }) => ({ f, kind, flags, method }))).toEqual([
      { f: 2, kind: 'other', flags: 'too-large', method: null },
      { f: 1, kind: 'other', flags: 'too-large', method: null },
    ]);
    expect(rows[1]!.size).toBe(MANY.length - 1);
    expect(rows[0]!.size).toBe(
      MAX_LINE_BYTES + (1 << 20) + '{"jsonrpc":"2.0","method":"long","params":"needle "}'.length,
    );
    expect(sessions[0]!.bytes).toBeGreaterThan(MAX_LINE_BYTES);
    const found = [
      ...searchFrames(sessionOn(source.tape), sessions[0]!, (frame) => frame.says('needle') || frame.size > 1e6),
    ];
    expect(found.flatMap((one) => (one ? [one.facts.f] : []))).toEqual([1, 2]);
  });

  it('is counted by the audit as what cannot be known, from the index and from the tape', ({ place }) => {
    const source = longTalk(place);
    const [summary] = listSessions(place.home, silent).sessions;
    const audits = new SessionAudits(place.home);
    expect(audits.of({ summary: summary!, key: sessionKey(source.id), place: null } as never).unread).toBe(2);
    expect(auditSession(sessionOn(source.tape)).unread).toBe(2);
    audits.close();
  });
});

describe('a recorder that may hold no long line', () => {
  const writer = (place: Place, source: IndexSource, said: string[]) =>
    new IndexWriter({
      home: place.home,
      source,
      failing: (message) => said.push(message),
      notice: (message) => said.push(message),
      longestLine: 1 << 20,
    });

  it('leaves a session with one to the next reader, and says nothing', ({ place }) => {
    const source = makeSession(place.home, (journal) => {
      journal.data('agent', 10, rpc({ method: 'long', params: 'x '.repeat(1 << 20) }));
      return smallTalk(journal);
    });
    const said: string[] = [];
    const index = writer(place, source, said);
    expect(index.step(true)).toBe(true);
    expect(index.step(false)).toBe(true);
    index.close();
    expect(said).toEqual([]);
    expect(query(place.home, 'SELECT count(*) AS n FROM frames')).toEqual([{ n: 0 }]);
    expect(listSessions(place.home, silent).sessions).toEqual([summarise(sessionOn(source.tape, source))]);
    expect(query(place.home, "SELECT count(*) AS n FROM frames WHERE method = 'long'")).toEqual([{ n: 1 }]);
  });

  it('makes the rows of one that no reader holds either', ({ place }) => {
    const source = makeSession(place.home, (journal) => {
      const part = Buffer.alloc(1 << 20, 'x');
      for (let sent = 0; sent <= MAX_LINE_BYTES; sent += part.length) journal.data('agent', 12, part);
      return smallTalk(journal.data('agent', 13, '\n'));
    });
    const said: string[] = [];
    const index = writer(place, source, said);
    while (!index.step(false)) {}
    index.close();
    const rows = query(place.home, 'SELECT * FROM frames ORDER BY f');
    expect(rows).toHaveLength(5);
    const { sessions } = listSessions(place.home, silent);
    expect(sessions).toEqual([summarise(sessionOn(source.tape, source))]);
    expect(query(place.home, 'SELECT * FROM frames ORDER BY f')).toEqual(rows);
    expect(said).toEqual([]);
  });
});
