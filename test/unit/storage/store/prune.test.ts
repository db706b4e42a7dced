import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choosePruned, type PruneCandidate, type PruneLimits } from '../../../../lib/storage/store/prune.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-16T00:00:00Z');
const NONE: PruneLimits = { olderThan: null, keep: null, maxSize: null, probes: false };

function candidate(daysAgo: number, more: Partial<PruneCandidate> = {}): PruneCandidate {
  const started = new Date(NOW - daysAgo * DAY).toISOString();
  return { session: `s${daysAgo}`, started, duration: 1, state: 'ended', probe: false, size: 10, ...more };
}

const ids = (sessions: PruneCandidate[], limits: Partial<PruneLimits>) =>
  choosePruned(sessions, { ...NONE, ...limits }, NOW).map(({ session, why }) => `${session.session} ${why}`);

describe('what a clean-up takes', () => {
  const sessions = [candidate(9), candidate(5, { probe: true }), candidate(3), candidate(1)];

  it('is what ended longer ago', () => {
    expect(ids(sessions, { olderThan: 4 * 86_400 })).toEqual(['s9 age', 's5 age']);
    const long = candidate(9, { duration: 8 * 86_400 });
    expect(ids([long], { olderThan: 4 * 86_400 })).toEqual([]);
  });

  it('is all but the newest', () => {
    expect(ids(sessions, { keep: 1 })).toEqual(['s9 number', 's5 number', 's3 number']);
    expect(ids(sessions, { keep: 0 })).toHaveLength(4);
    expect(ids(sessions, { keep: 9 })).toEqual([]);
  });

  it('is the oldest, until the rest fits', () => {
    expect(ids(sessions, { maxSize: 25 })).toEqual(['s9 size', 's5 size']);
    expect(ids(sessions, { maxSize: 40 })).toEqual([]);
  });

  it('is what any of the limits takes, once, for the first reason', () => {
    expect(ids(sessions, { probes: true, olderThan: 8 * 86_400, keep: 1 })).toEqual([
      's9 age',
      's5 probe',
      's3 number',
    ]);
  });

  it('never is a session that is being recorded, and leaves room for it', () => {
    const running = candidate(8, { state: 'running' });
    expect(ids([running, ...sessions.slice(2)], { olderThan: 0, keep: 0, maxSize: 0 })).toEqual(['s3 age', 's1 age']);
    expect(ids([running, ...sessions.slice(2)], { keep: 2 })).toEqual([]);
    expect(ids([running, ...sessions.slice(2)], { maxSize: 20 })).toEqual(['s3 size']);
  });

  it('fits the limits whatever there is', () => {
    const any = fc.array(fc.record({ size: fc.nat(100), running: fc.boolean(), probe: fc.boolean() }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(any, fc.nat(500), fc.nat(20), (some, maxSize, keep) => {
        const all = some.map(({ size, running, probe }, i) =>
          candidate(40 - i, { size, probe, state: running ? 'running' : 'ended' }),
        );
        const gone = new Set(choosePruned(all, { ...NONE, maxSize, keep }, NOW).map(({ session }) => session));
        const left = all.filter((session) => !gone.has(session));
        expect([...gone].every(({ state }) => state !== 'running')).toBe(true);
        const free = left.filter(({ state }) => state !== 'running');
        const total = left.reduce((sum, { size }) => sum + size, 0);
        expect(free.length).toBeLessThanOrEqual(keep);
        expect(free.length === 0 || total <= maxSize).toBe(true);
      }),
    );
  });
});
