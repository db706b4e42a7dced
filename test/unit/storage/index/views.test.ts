/** The views, as somebody sees them who opens the index with `sqlite3`. */
import { describe, expect } from 'vitest';
import { listSessions } from '../../../../lib/storage/index/catch-up.ts';
import { query, type Row } from '../../../support/index.ts';
import { makeSession, rpc } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const [FIRST, SECOND] = ['20261116T022911-aaaa', '20261116T022912-bbbb'];

function fill({ home }: Place): void {
  makeSession(
    home,
    (j) => {
      j.data('client', 250_000, rpc({ id: 1, method: 'prompt' })).data('agent', 500_000, 'noise\n');
      j.data('agent', 1_000_000, rpc({ id: 1, result: 'ok' }));
      j.data('client', 1_500_000, rpc({ id: 2, method: 'prompt' }) + rpc({ id: 3, method: 'quick' }));
      j.data('agent', 1_600_000, rpc({ id: 3, error: { code: -32_601 } }));
      j.exit(3_000_000, { code: 3, signal: null });
    },
    { id: FIRST, names: { name: 'first', tags: { a: 'b' } }, about: { command: ['kimi', '--wire'], cwd: '/w' } },
  );
  makeSession(home, (j) => j.exit(10, { code: null, signal: 'SIGTERM' }), {
    id: SECOND,
    about: { started_at: '2026-11-16T02:29:12.000000Z' },
  });
  listSessions(home, { notice: (message) => expect.fail(message), progress: () => {} });
}

const rows = (place: Place, view: string): Row[] => query(place.home, `SELECT * FROM ${view}`);

describe('views', () => {
  it('session_list: the newest first', ({ place }) => {
    fill(place);
    const [second, first, ...more] = rows(place, 'session_list');
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      ...{ session: FIRST, started: '2026-11-16T02:29:11', seconds: 3, frames: 7, state: 'ended', exit: 3 },
      ...{ name: 'first', tags: '{"a":"b"}', probe: 0, command: '["kimi","--wire"]', cwd: '/w' },
    });
    expect(second).toMatchObject({ session: SECOND, exit: 'SIGTERM', name: null });
  });

  it('session_list: the newest first, also within a second', ({ place }) => {
    const made = ['900000', '100000', '500000'].map((micros, i) => {
      const about = { started_at: `2026-11-16T02:29:11.${micros}Z` };
      return makeSession(place.home, (j) => j.exit(10), { id: `20261116T022911-bbb${i}`, about }).id;
    });
    listSessions(place.home, { notice: (message) => expect.fail(message), progress: () => {} });
    expect(rows(place, 'session_list').map(({ session }) => session)).toEqual([made[0], made[2], made[1]]);
  });

  it('frame_list: every frame with its moment', ({ place }) => {
    fill(place);
    const frames = rows(place, 'frame_list').filter(({ session }) => session === FIRST);
    expect(frames.map(({ f, at, t }) => [f, at, t])).toEqual([
      [1, '2026-11-16 02:29:11.250', 0.25],
      [2, '2026-11-16 02:29:11.500', 0.5],
      [3, '2026-11-16 02:29:12.000', 1],
      [4, '2026-11-16 02:29:12.500', 1.5],
      [5, '2026-11-16 02:29:12.500', 1.5],
      [6, '2026-11-16 02:29:12.600', 1.6],
      [7, '2026-11-16 02:29:14.000', 3],
    ]);
    expect(frames[2]).toMatchObject({ from: 'agent', envelope: 'response', id: '1', pair_f: 1, latency: 0.75 });
  });

  it('unanswered_requests: who waited, and for how long', ({ place }) => {
    fill(place);
    expect(rows(place, 'unanswered_requests')).toEqual([
      { session: FIRST, f: 4, asker: 'client', method: 'prompt', id: '2', waited: 1.5, state: 'ended' },
    ]);
  });

  it('slowest_answers: the slowest first', ({ place }) => {
    fill(place);
    expect(rows(place, 'slowest_answers')).toEqual([
      { session: FIRST, f: 1, answer_f: 3, asker: 'client', method: 'prompt', latency: 0.75, code: null },
      { session: FIRST, f: 5, answer_f: 6, asker: 'client', method: 'quick', latency: 0.1, code: -32_601 },
    ]);
  });

  it('method_counts: what was said how often', ({ place }) => {
    fill(place);
    const asked = rows(place, 'method_counts').filter(({ envelope }) => envelope === 'request');
    expect(asked).toEqual([
      { session: FIRST, from: 'client', envelope: 'request', method: 'prompt', type: null, frames: 2, bytes: 84 },
      { session: FIRST, from: 'client', envelope: 'request', method: 'quick', type: null, frames: 1, bytes: 41 },
    ]);
  });
});
