/**
 * Every tape of the suite, and every shared one where they are: a client that sends the recorded lines with ids of its own
 * gets every line of the agent, equal but for ids, and no miss.
 */
import { describe, expect, it } from 'vitest';
import { fixtureSessions } from '../../support/fixture-sessions.ts';
import { type Replayed, replayed } from '../../support/replaying.ts';
import { sample } from '../../support/scale.ts';
import { hasShared, openShared, sharedTapes } from '../../support/shared-tapes.ts';

/** The agent answered these only after the client had gone on, which the replay need not wait for. */
const IN_OTHER_ORDER = [
  'claude-code-2.1.325/control.jsonl',
  'dap-debugpy-1.8.22/launch.jsonl',
  'dap-debugpy/dap.jsonl',
];

function verdict({ recorded, got, report }: Replayed, isInOrder: boolean): unknown {
  const { near, missed, departed, never_asked, unsent } = report;
  const lines = (of: string[]) => (isInOrder ? of : of.length);
  return { lines: lines(got), same: lines(recorded), near, missed, departed, never_asked, unsent };
}

function clean({ recorded }: Replayed, isInOrder: boolean): unknown {
  const lines = isInOrder ? recorded : recorded.length;
  return { lines, same: lines, near: [], missed: [], departed: [], never_asked: [], unsent: 0 };
}

describe('a client that does what was recorded', () => {
  it('gets every line of every tape of the suite', async () => {
    const sessions = sample(fixtureSessions(), 60);
    expect(sessions.length).toBeGreaterThan(50);
    for (const session of sessions) {
      const isInOrder = !IN_OTHER_ORDER.some((end) => session.id.endsWith(end));
      const run = await replayed(session);
      expect(verdict(run, isInOrder), session.id).toEqual(clean(run, isInOrder));
    }
  });

  it.runIf(hasShared)('gets every line of every shared tape', async () => {
    const names = sharedTapes();
    for (const name of names) {
      const isInOrder = !IN_OTHER_ORDER.some((end) => name.endsWith(end));
      const run = await replayed(openShared(name));
      expect(verdict(run, isInOrder), name).toEqual(clean(run, isInOrder));
    }
  });
});
