/** A limit on what reading leaves in memory: garbage does not count, and what is kept does. */
import { expect, it } from 'vitest';
import type { Frame } from '../../../../lib/model/frame.ts';
import { withinMemory } from '../../../../lib/storage/store/bounded-memory.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';

const SIZE = 1 << 20;

function* frames(count: number): Generator<Frame> {
  const [some] = [...fixtureSessions()[0]!.frames()];
  for (let f = 1; f <= count; f++) yield { ...some!, f, raw: new Uint8Array(SIZE).fill(f) };
}

it('counts what is kept', () => {
  const kept: Frame[] = [];
  const read = () => {
    for (const frame of withinMemory(frames(400), 'page.html', 32 * SIZE)) kept.push(frame);
  };
  expect(read).toThrow('page.html: this needs more than 34 MB of memory, too much for a file from elsewhere');
  expect(kept.length).toBeGreaterThan(20);
});

it('does not count what is garbage', () => {
  let count = 0;
  for (const frame of withinMemory(frames(200), 'page.html', 32 * SIZE)) count += frame.raw.length;
  expect(count).toBe(200 * SIZE);
});
