/** The recorder's side of the index: cut short, it leaves rows that nobody takes for all there are. */
import { describe, expect } from 'vitest';
import { IndexWriter } from '../../../../lib/recording/recorder/index-writer.ts';
import type { IndexSource } from '../../../../lib/storage/index/indexer.ts';
import { answersOf } from '../../../support/answers.ts';
import { dump, query } from '../../../support/index.ts';
import { makeSession, rpc } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

/** As few as there can be in a tape that takes several steps. */
const FRAMES = 1001;

function long({ home }: Place): IndexSource {
  return makeSession(home, (journal) => {
    for (let i = 0; i < FRAMES - 1; i++) {
      journal.data('agent', i, rpc({ id: i, method: 'said', params: { text: 'the words '.repeat(520) } }));
    }
    journal.exit(9000);
  });
}

function writerOf({ home }: Place, source: IndexSource): IndexWriter {
  return new IndexWriter({
    home,
    source,
    failing: (message) => expect.fail(message),
    notice: (message) => expect.fail(message),
  });
}

/** By a scan, and by full text: they look at different rows. */
const queries = ['from:agent', 'the'];

const rowsOf = ({ home }: Place) =>
  query(home, 'SELECT settled, frame_rows, (SELECT count(*) FROM frames) AS frames, digest FROM sessions');

describe('IndexWriter', () => {
  it('settles a session at the end of its tape, not before', async ({ place }) => {
    const writer = writerOf(place, long(place));
    expect(writer.step(false)).toBe(false);
    // Killed here.
    writer.close();
    expect(rowsOf(place)).toEqual([
      { settled: 0, frame_rows: expect.any(Number), frames: expect.any(Number), digest: null },
    ]);
    expect(rowsOf(place)[0]!.frames).toBeLessThan(FRAMES);
    const right = await answersOf(place.home, { byTape: true, queries });
    expect(await answersOf(place.home, { queries })).toEqual(right);
    expect(rowsOf(place)).toMatchObject([{ settled: 1, frame_rows: FRAMES, frames: FRAMES }]);
  });

  it('takes the rows of a reader that was faster for its own', async ({ place }) => {
    const writer = writerOf(place, long(place));
    expect(writer.step(false)).toBe(false);
    await answersOf(place.home, { queries });
    const made = dump(place.home);
    expect(writer.step(false)).toBe(true);
    writer.close();
    expect(dump(place.home)).toEqual(made);
  });

  it('makes the rows that a reader makes, step by step', ({ place }) => {
    const writer = writerOf(place, long(place));
    let steps = 1;
    while (!writer.step(steps < 2)) steps++;
    while (!writer.step(false)) steps++;
    writer.close();
    expect(steps).toBeGreaterThan(2);
    expect(rowsOf(place)).toMatchObject([{ settled: 1, frame_rows: FRAMES, frames: FRAMES }]);
  });
});
