/** Blocks of a page that a thread packs, as far as it has the time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { PageBlockQueue } from '../../../../lib/output/export/html-blocks.ts';
import { TapePacking } from '../../../../lib/output/export/packed-tape.ts';
import { type Packed, Packer, type PackTask } from '../../../../lib/output/export/packer.ts';
import type { WorkerThread } from '../../../../lib/storage/system/worker-thread.ts';
import { it, type Place } from '../../../support/store.ts';

/** Answers so many questions, and then none. */
function threadFor(most: number): WorkerThread<PackTask, Packed> {
  const packer = new Packer();
  let asked = 0;
  return {
    ask: async (task) => (++asked > most ? await new Promise<Packed>(() => {}) : packer.pack(task)),
    get unanswered() {
      return Math.max(0, asked - most);
    },
    stop: async () => packer.close(),
  };
}

function longTape({ dir }: Place): string {
  const path = join(dir, 'wire.jsonl');
  const line = (f: number) => `{"f":${f},"t":${f}.000000,"from":"agent","message":"${`${f} `.repeat(40)}"}\n`;
  const lines = Array.from({ length: 20_000 }, (_, n) => line(n + 1));
  writeFileSync(path, `{"type":"metadata","wiretape":1}\n${lines.join('')}`);
  return path;
}

/** A tape with other blocks in between, as a page has them. */
async function packed(path: string, thread: WorkerThread<PackTask, Packed> | null) {
  const blocks = new PageBlockQueue(() => thread, 20);
  const written: Uint8Array[] = [];
  const keep = async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const piece of pieces) written.push(piece);
  };
  const tape = new TapePacking(blocks, 0, path);
  for (let n = 0; tape.addNext(); n++) {
    // More than may wait, so that some are added when others have been waited for.
    for (let k = 0; k < 12; k++) blocks.add({ id: `s0-b${12 * n + k}`, content: `body ${k}` });
    await keep(blocks.ready());
  }
  const numbers = Float64Array.from({ length: 100 }, (_, n) => n / 1000);
  for (const id of ['one', 'two', 'three']) blocks.addOrPack({ id, content: { parts: [numbers], sized: true } });
  await keep(blocks.rest());
  await blocks.stop();
  return { page: Buffer.concat(written).toString(), map: tape.map, sha256: tape.sha256 };
}

describe('blocks of a page', () => {
  it.for([0, 1, 2, 5, 1000])('are the same if a thread has packed %i of them', async (most, { place }) => {
    const path = longTape(place);
    const alone = await packed(path, null);
    expect(alone.map.bytes.length).toBeGreaterThan(10);
    expect(await packed(path, threadFor(most))).toEqual(alone);
  });
});
