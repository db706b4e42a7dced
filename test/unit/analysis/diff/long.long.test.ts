/** Long sessions: entries leave the timeline while it is read, and only what differs is read again. */
import { describe, expect, it } from 'vitest';
import { diffSessions } from '../../../../lib/analysis/diff/diff.ts';
import { played, type Script, type ScriptedItem } from '../../../support/scripted.ts';

const SHORT = 1;

function step(n: number): ScriptedItem[] {
  const asked = n % 5 === 0 ? 'approve' : null;
  return [
    { is: 'text', text: `now number ${n}` },
    { is: 'call', tool: 'Shell', args: { command: `run ${n}` }, asked, result: `done ${n}` },
  ];
}

const steps = (count: number) => Array.from({ length: count }, (_, n) => step(n));
const turns = (count: number): Script =>
  Array.from({ length: count }, (_, n) => ({ prompt: `do ${n}`, steps: [step(n)] }));

function planted(script: Script, turn: number, at: number): Script {
  const copy = structuredClone(script);
  const call = copy[turn]!.steps[at]![1]!;
  if (call.is === 'call') call.asked = 'reject';
  return copy;
}

describe.each([
  ['one long turn', [{ prompt: 'go', steps: steps(400) }], 0, 200, '/turn/1/step/201/tool-call/1/approval/1'],
  ['many turns', turns(400), 200, 0, '/turn/201/step/1/tool-call/1/approval/1'],
] as [string, Script, number, number, string][])('%s', (_, script, turn, at, path) => {
  const other = planted(script, turn, at);

  it('is the same as itself', () => {
    const diff = diffSessions(played(script, 'wire', 1), played(script, 'wire', 2), { short: SHORT });
    expect(diff.entries.filter(({ section }) => section === 'conversation')).toEqual([]);
    expect(diff.turns.every(({ op, what }) => op === 'same' && what !== '')).toBe(true);
  });

  it('has one difference, found as in short sessions', () => {
    const [a, b] = [played(script, 'wire', 1), played(other, 'wire', 2)];
    const diff = diffSessions(a, b, { short: SHORT });
    expect(diff).toEqual(diffSessions(a, b));
    const [decision] = diff.entries.filter(({ kind }) => kind === 'approval');
    expect(decision).toMatchObject({ op: 'changed', path, changes: [{ path: '/decision', a: 'allow', b: 'deny' }] });
  });

  it('is read three times at most for that', () => {
    let reads = 0;
    const counted = (session: ReturnType<typeof played>) => ({
      ...session,
      frames: () => {
        reads++;
        return session.frames();
      },
    });
    diffSessions(counted(played(script, 'wire', 1)), counted(played(other, 'wire', 2)), { short: SHORT });
    // Both begin once more, to find their protocols.
    expect(reads).toBeLessThanOrEqual(5);
  });
});

it('a long session with many approvals has all of them, and little is kept of any', () => {
  const script: Script = Array.from({ length: 500 }, (_, n) => ({
    prompt: `do ${n}`,
    steps: [[{ is: 'call', tool: 'Shell', args: { command: `run ${n}` }, asked: 'approve', result: 'ok' }]],
  }));
  const other = structuredClone(script);
  for (const n of [3, 250, 499]) (other[n]!.steps[0]![0] as { asked: string }).asked = 'reject';
  const [a, b] = [played(script, 'wire', 1), played(other, 'wire', 2)];
  const approvals = diffSessions(a, b, { short: SHORT }).entries.filter(({ section }) => section === 'approvals');
  expect(approvals.map(({ changes }) => changes[0])).toMatchObject(
    Array(3).fill({ path: '/decision', a: 'allow', b: 'deny' }),
  );
});
