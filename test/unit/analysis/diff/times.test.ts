/** Times are measurements: no pace makes two sessions different, unless times are asked for. */
import { describe, expect, it, vi } from 'vitest';
import { type DiffOptions, diffSessions } from '../../../../lib/analysis/diff/diff.ts';
import { junit } from '../../../../lib/analysis/diff/junit.ts';
import { matrixOf } from '../../../../lib/analysis/diff/matrix.ts';
import { restrictTo, type SessionDiff } from '../../../../lib/analysis/diff/result.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { diffOfPage } from '../../../../lib/output/export/html-diff.ts';
import { goldenSum } from '../../../../lib/output/terminal/diff-golden.ts';
import { diffText } from '../../../../lib/output/terminal/diff-view.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { type Session, sessionInMemory } from '../../../../lib/session/session.ts';
import { fixtureSessions, metadataFor } from '../../../support/fixture-sessions.ts';
import { readExamples } from '../../../support/rule-examples.ts';
import { sample } from '../../../support/scale.ts';
import { played } from '../../../support/scripted.ts';

vi.setConfig({ testTimeout: 120_000 });

type Pace = (t: number) => number;
const PACES: Record<string, Pace> = {
  'a hundred times as long': (t) => t * 100,
  'at once': (t) => t / 1e6,
  'with a long rest': (t) => (t < 0.05 ? t : t + 30),
};

/** The same lines at other times. */
function paced(session: Session, time: Pace): Session {
  const frames = [...session.frames()].map((frame): Frame => {
    const { t, t0 } = frame;
    return { ...frame, t: time(t), t0: t0 === null ? null : time(t0) };
  });
  return sessionInMemory(session.metadata, frames);
}

const told = ({ entries }: SessionDiff) => entries.map(({ op, path, what }) => `${op} ${path} ${what}`);

/** Of every session, what a pace makes different. */
function madeDifferent(sessions: readonly Session[], pace: Pace, options: DiffOptions = {}): string[] {
  return sessions.flatMap((session) =>
    told(diffSessions(session, paced(session, pace), options)).map((line) => `${session.metadata.session}: ${line}`),
  );
}

const broken = (most = 60) =>
  sample([...readExamples()], most).map(([rule, { command, frames }]) =>
    sessionInMemory(metadataFor(rule, [...command]), frames),
  );

/** Each in a test of its own: many sessions take a while on a busy machine. */
describe.each(Object.entries(PACES))('%s: no difference', (_, pace) => {
  it('in a recorded session', () => {
    expect(madeDifferent(sample(fixtureSessions(), 25), pace)).toEqual([]);
  });

  it('in a session that breaks a rule, although some rules allow for what is under way', () => {
    expect(madeDifferent(broken(), pace)).toEqual([]);
  });

  it('in one that breaks a rule, held strictly', () => {
    expect(madeDifferent(broken(), pace, { strict: true })).toEqual([]);
  });
});

describe('no pace makes a difference', () => {
  it('in findings, unless times are asked for', () => {
    const found = Object.values(PACES).flatMap((pace) =>
      madeDifferent(broken(Number.POSITIVE_INFINITY), pace, { timing: true }),
    );
    expect(found.join('\n')).toMatch(/\/findings\//);
  });

  it('in what the recorder saw: stalls, and pipes that others kept open for too long', () => {
    const [plain] = twice();
    const frames = [...plain.frames()];
    const [f, t] = [frames.length, frames.at(-1)!.t];
    const event = (n: number, name: string, detail: Frame['detail']): Frame => ({
      ...frames[0]!,
      ...{ f: f + n, t, t0: null, from: 'proc', form: 'event', event: name, detail, raw: Buffer.alloc(0) },
    });
    const busy = sessionInMemory(plain.metadata, [
      ...frames,
      event(1, 'stalled', { stream: 'agent', whose: 'client' }),
      event(2, 'abandoned', { streams: ['agent'] }),
    ]);
    expect(told(diffSessions(plain, busy))).toEqual([]);
    expect(told(diffSessions(plain, busy, { timing: true })).join('\n')).toMatch(/\/end/);
  });
});

/** The same script, the second time ten times as slow. */
function twice(): [Session, Session] {
  const call = { is: 'call' as const, tool: 'Shell', args: { command: 'ls' }, asked: 'approve' as const, result: 'a' };
  const session = played([{ prompt: 'go', steps: [[call]] }], 'wire', 1);
  const seconds = [...session.frames()].at(-1)!.t;
  const at = (length: number) => paced(session, (t) => (t / seconds) * length);
  return [at(1), at(10)];
}

describe('times that are asked for', () => {
  const style = { columns: 100, theme: themeFor(false), full: false, beside: false };
  const textOf = (diff: SessionDiff) => [...diffText(diff, style)].join('');

  it('count beyond a tolerance, which is said', () => {
    const diff = diffSessions(...twice(), { timing: true });
    expect(diff.same).toBe(false);
    expect(diff.tolerance).toEqual({ factor: 2, seconds: 0.1 });
    expect(diff.entries.map(({ section }) => section)).toContain('timing');
    for (const { tolerance } of diff.entries) expect(tolerance).toEqual({ factor: 2, seconds: 0.1 });
    expect(textOf(diff)).toContain('timing  (beyond a tolerance of 2x and 100 ms)');
    expect(matrixOf([diff]).same).toBe(false);
    expect([...junit([{ name: 'x', diff, trouble: null }])].join('')).toContain('(beyond 2x and 100 ms)');
    expect(diffOfPage(...twice(), { timing: true })).toMatchObject({ same: false, tolerance: { factor: 2 } });
  });

  it('do not count within it, which is said too', () => {
    for (const timing of [
      { factor: 11, seconds: 0 },
      { factor: 1, seconds: 60 },
    ]) {
      const diff = diffSessions(...twice(), { timing });
      expect(diff).toMatchObject({ same: true, entries: [], tolerance: timing });
      expect(textOf(diff)).toContain('no differences; times are within a tolerance of ');
      expect(goldenSum([{ name: 'x', diff, trouble: null }])).toContain('; times within ');
    }
  });

  it('are nowhere if they are not asked for', () => {
    const diff = diffSessions(...twice());
    expect(diff).toMatchObject({ same: true, entries: [], tolerance: null, counts: {} });
    expect(textOf(diff)).not.toMatch(/tolerance|timing/);
    expect(diffOfPage(...twice())).toMatchObject({ same: true, tolerance: null });
    const { entries } = diffOfPage(...twice());
    expect(entries.filter(({ section }) => section === 'timing')).toEqual([]);
    const asked = diffSessions(...twice(), { timing: true });
    expect(restrictTo(asked, ['conversation'])).toMatchObject({ same: true, tolerance: null });
  });
});
