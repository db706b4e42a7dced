/** A client that talks to a real agent once, behind the recorder, and then to the tape of that, in another folder. */
import { expect } from 'vitest';
import { replayProgram } from '../../../lib/replay/testing/replay-program.ts';
import { wiretape } from '../../support/run.ts';
import type { Place } from '../../support/store.ts';
import { waitFor } from '../../support/wait.ts';
import { recordingExecutable } from './executable.ts';
import { normal } from './normal.ts';
import { makeStage, type Stage } from './twice.ts';

/**
 * Both times the client must be told the same, and do what was recorded. Returns what it was told. `converse` gets the
 * agent, or what stands in its place.
 */
export async function replayed<T>(
  place: Place,
  agent: string,
  converse: (executable: string, stage: Stage) => Promise<T>,
): Promise<T> {
  const [first, second] = [makeStage(place, 'recorded'), makeStage(place, 'replayed')];
  const told = await converse(await recordingExecutable(place, agent), first);
  // SDKs do not wait for the end of their agent.
  await waitFor(async () => (await wiretape(place, ['verify', 'last'])).code === 0, 'the end of the tape');
  await using program = replayProgram('last', { home: place.home });
  const again = await converse(program.path, second);
  const { ok, unsent, unread, ...report } = (await waitFor(() => program.report, 'the end of the replay'))!;
  const { near, missed, departed, never_asked, made_up } = report;
  expect({ near, missed, departed, never_asked, made_up, unsent, unread, ok }).toEqual({
    ...{ near: [], missed: [], departed: [], never_asked: [], made_up: [], unsent: 0, unread: 0, ok: true },
  });
  // The tape has the paths of its own run.
  const moved = JSON.parse(JSON.stringify(again).replaceAll(second.dir, first.dir));
  expect(normal(moved, first.dir)).toEqual(normal(JSON.parse(JSON.stringify(told)), first.dir));
  return told;
}
