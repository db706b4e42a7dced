/** A session in memory as the viewer reads it, with the facts that the commands know, and chunks of a few lines. */

import type { Facts } from '../../lib/analysis/facts/facts.ts';
import { type Frame, microsOf } from '../../lib/model/frame.ts';
import { positionOfPiece } from '../../lib/model/text/searchable.ts';
import type { Column, FrameSource, SourceLine } from '../../lib/output/viewer/source.ts';
import type { Session } from '../../lib/session/session.ts';
import { summarise } from '../../lib/session/summary.ts';
import { factsOfFrames } from '../../lib/storage/search/frames.ts';

const LINES = 7;
/** Columns of numbers; the others have codes. */
const NUMBERS = new Set(['f', 't', 'size', 'marks', 'latency', 'wait', 'gap', 'item', 'turn']);

/** What a search needs of a source. `read` counts the chunks that were read. */
export function memorySource(session: Session): FrameSource & { read: number } {
  const frames: Frame[] = [];
  const rows: (Facts & { piece: unknown })[] = [];
  for (const one of factsOfFrames(session)) {
    if (one === null) continue;
    frames.push(one.read.frame);
    rows.push({ ...one.facts, piece: positionOfPiece(one.read.events, one.read.value) });
  }
  const numbers = new Map(frames.map(({ f }, index) => [f, index]));
  const source = {
    read: 0,
    head: {
      summary: JSON.parse(JSON.stringify(summarise(session))),
      started: microsOf(session.metadata.started_at),
      tape: { chunks: Math.ceil(frames.length / LINES) },
    },
    frames: {
      count: frames.length,
      f: (index: number) => frames[index]!.f,
      indexOf: (f: number) => numbers.get(f) ?? -1,
      async column(name: keyof Facts | 'piece'): Promise<Column> {
        const values = rows.map((row) => row[name]);
        return NUMBERS.has(name) ? asNumbers(values as (number | null)[]) : asCodes(values);
      },
    },
    async chunk(n: number): Promise<readonly SourceLine[]> {
      source.read++;
      return frames.slice(n * LINES, (n + 1) * LINES).map((frame) => ({ bytes: frame.raw, frame }));
    },
    chunkAt: (index: number) => Math.floor(index / LINES),
  };
  return source as unknown as FrameSource & { read: number };
}

function asNumbers(values: readonly (number | null)[]): Column {
  return { is: 'numbers', numbers: Float64Array.from(values, (value) => value ?? Number.NaN) };
}

function asCodes(all: readonly unknown[]): Column {
  const values: unknown[] = [null];
  const known = new Map<string, number>([['null', 0]]);
  const codes = Uint32Array.from(all, (value) => {
    const key = typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);
    const code = known.get(key) ?? values.push(value) - 1;
    known.set(key, code);
    return code;
  });
  return { is: 'coded', codes, values };
}
