/** Two sessions beside each other: everything is there once, and what differs is never folded away. */
import { describe, expect, it } from 'vitest';
import {
  type DiffEntry,
  type DiffOp,
  isDifference,
  type SessionDiff,
} from '../../../../../lib/analysis/diff/result.ts';
import {
  conversationLines,
  depthOf,
  doesCount,
  labelsOf,
  sectionSums,
  stopsOf,
  turnPairs,
} from '../../../../../lib/output/viewer/diff/model.ts';
import { fixtureSessions } from '../../../../support/fixture-sessions.ts';
import { sourcesOf } from '../../../../support/page.ts';

const entry = (op: DiffOp, path: string, more: Partial<DiffEntry> = {}): DiffEntry => ({
  ...{
    op,
    section: 'conversation',
    kind: path.split('/').at(-2) as DiffEntry['kind'],
    path,
    what: path,
    changes: [],
    masked: false,
  },
  a: { session: 'a', f: op === 'added' ? null : 1, path: op === 'added' ? null : path },
  b: { session: 'b', f: op === 'removed' ? null : 1, path: op === 'removed' ? null : path },
  ...more,
});

const text = (turn: number, step: number, n: number) => `/turn/${turn}/step/${step}/text/${n}`;
const said = (lines: ReturnType<typeof conversationLines>) =>
  lines.map((line) => (line.is === 'fold' ? line.entries.length : line.entry.path));

describe('a conversation', () => {
  const entries = [
    entry('same', '/turn/1'),
    entry('same', '/turn/1/step/1'),
    ...[1, 2, 3, 4, 5].map((n) => entry('same', text(1, 1, n))),
    entry('same', '/turn/1/step/2'),
    ...[1, 2, 3, 4, 5, 6].map((n) => entry('same', text(1, 2, n))),
    entry('changed', text(1, 2, 7)),
    entry('changed', text(1, 2, 8), { masked: true }),
    entry('same', '/turn/2'),
  ];

  it('folds what is the same, but not turns, what is around a difference, and what is next to it', () => {
    expect(said(conversationLines(entries, { masked: false, same: false }))).toEqual([
      '/turn/1',
      6,
      '/turn/1/step/2',
      5,
      text(1, 2, 6),
      text(1, 2, 7),
      '/turn/2',
    ]);
  });

  it('shows all of it, and what is masked, if asked to', () => {
    const all = said(conversationLines(entries, { masked: true, same: true }));
    expect(all).toEqual(entries.map(({ path }) => path));
    expect(said(conversationLines(entries, { masked: true, same: false }))).toContain(text(1, 2, 8));
  });

  it('is as deep as its paths', () => {
    expect(depthOf({ path: '/turn/1' })).toBe(0);
    expect(depthOf({ path: '/turn/1/step/2' })).toBe(1);
    expect(depthOf({ path: '/turn/1/step/2/tool-call/1/approval/1' })).toBe(3);
    expect(depthOf({ path: '' })).toBe(0);
  });

  it('names a text that differs by its own words on each side', () => {
    const changes = [{ op: 'changed' as const, path: '/text', a: 'one\n two', b: 'three' }];
    expect(labelsOf(entry('changed', '/turn/1/text/1', { changes }))).toEqual({ a: 'one two', b: 'three' });
    expect(labelsOf(entry('changed', '/turn/1/text/1'))).toEqual({ a: '/turn/1/text/1', b: '/turn/1/text/1' });
  });

  it('names a call that differs by its own title on each side', () => {
    const call = entry('changed', '/turn/1/tool-call/1');
    const sides = { a: { ...call.a, what: 'Shell ls' }, b: { ...call.b, what: 'Bash rm' } };
    expect(labelsOf({ ...call, ...sides, what: 'Shell ls' })).toEqual({ a: 'Shell ls', b: 'Bash rm' });
  });
});

describe('the timelines of both sessions', () => {
  const diff = {
    turns: [
      { a: 1, b: 1, a_f: 4, b_f: 5 },
      { a: null, b: 2, a_f: null, b_f: 9 },
      { a: 2, b: 3, a_f: 8, b_f: 20 },
    ],
  } as SessionDiff;

  it('are on one scale, and have a turn where its session has it', () => {
    const a = [
      { f: 4, t: 1, t_end: 2 },
      { f: 8, t: 5, t_end: 10 },
    ];
    const b = [
      { f: 5, t: 0, t_end: 5 },
      { f: 9, t: 6, t_end: 20 },
    ];
    expect(turnPairs(diff, a, b, 20)).toEqual([
      { a: { from: 0.05, to: 0.1 }, b: { from: 0, to: 0.25 }, turn: 0 },
      { a: null, b: { from: 0.3, to: 1 }, turn: 1 },
      { a: { from: 0.25, to: 0.5 }, b: null, turn: 2 },
    ]);
    expect(turnPairs(diff, [], [], 0)).toEqual([]);
  });
});

describe('a page of two sessions', () => {
  const sessions = fixtureSessions();
  const named = (name: string) => sessions.find(({ metadata }) => metadata.session.endsWith(name))!;

  it('has both conversations complete, and every difference in its place', async () => {
    const [a, b] = [named('wire-1.17.0/tools.jsonl') ?? sessions[0]!, named('wire-1.49.0/tools.jsonl') ?? sessions[1]!];
    const diff = (await (await sourcesOf([a, b])).diff())!;
    const lines = conversationLines(diff.entries, { masked: true, same: true });
    const entries = lines.flatMap((line) => (line.is === 'entry' ? [line.entry] : line.entries));
    expect(entries).toEqual(diff.entries.filter(({ section }) => section === 'conversation'));
    for (const side of ['a', 'b'] as const) {
      const turns = entries.filter(({ kind, op }) => kind === 'turn' && op !== 'moved').map((one) => one[side].path);
      expect(turns.filter((path) => path !== null)).toHaveLength(diff[side].turns);
    }
    const folded = conversationLines(diff.entries, { masked: false, same: false });
    for (const line of folded) if (line.is === 'fold') expect(line.entries.every(({ op }) => op === 'same')).toBe(true);
    const stops = stopsOf(diff, { masked: false, same: false });
    expect(stops).toEqual(diff.entries.filter((one) => isDifference(one) && one.section !== 'shape'));
    expect(stops.length).toBeGreaterThan(0);
    const counted = sectionSums(diff).filter(({ informal }) => !informal);
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(
      diff.entries.filter((one) => doesCount(diff, one)).length,
    );
  });

  it('counts the shape of messages only if it was asked for', async () => {
    const [a] = sessions;
    const diff = (await (await sourcesOf([a!, a!])).diff())!;
    expect(diff.same).toBe(true);
    expect(diff.counts).toEqual({});
    expect(diff.entries.some(({ op }) => op === 'same')).toBe(true);
  });
});
