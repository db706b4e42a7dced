/** What the viewer reads out of a page is what the commands say about the tape. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../lib/core/frame.ts';
import { timelineRows } from '../../../lib/core/timeline/json.ts';
import { FACT_LIST } from '../../../lib/facts/table.ts';
import { factsOfFrames } from '../../../lib/search/frames.ts';
import { Pass } from '../../../lib/session/pass.ts';
import type { Session } from '../../../lib/session/session.ts';
import { tapeLines } from '../../../lib/tape/tape-lines.ts';
import type { Column, FrameSource } from '../../../lib/viewer/source.ts';
import { fixtureSessions } from '../../support/fixture-sessions.ts';
import { sourcesOf } from '../../support/page.ts';

const valueIn = (column: Column, at: number): unknown => {
  if (column.is === 'coded') return column.values[column.codes[at]!];
  const number = column.numbers[at]!;
  return Number.isNaN(number) ? null : number;
};

async function tapeIn(source: FrameSource): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source.tape()) pieces.push(piece);
  return Buffer.concat(pieces);
}

function framesOf(session: Session): Frame[] {
  return [...session.frames()].map((frame) => ({ ...frame, raw: frame.raw }));
}

describe.each(fixtureSessions().map((session) => [session.metadata.session, session] as const))('%s', (_, session) => {
  it('gives back the bytes of the tape, and each frame', async () => {
    const [source] = (await sourcesOf([session])).sources as [FrameSource];
    const tape = Buffer.concat([...tapeLines(session.metadata, session.frames())].map((piece) => Buffer.from(piece)));
    const out = await tapeIn(source);
    expect(out.equals(tape)).toBe(true);
    expect(source.head.tape.sha256).toBe(createHash('sha256').update(tape).digest('hex'));
    const frames = framesOf(session);
    expect(source.frames.count).toBe(frames.length);
    for (const frame of frames) {
      const { frame: read } = await source.line(frame.f);
      expect({ f: read.f, from: read.from, raw: Buffer.from(read.raw).toString('latin1') }).toEqual({
        ...{ f: frame.f, from: frame.from, raw: Buffer.from(frame.raw).toString('latin1') },
      });
    }
  });

  it('has the facts of every frame', async () => {
    const [source] = (await sourcesOf([session])).sources as [FrameSource];
    const columns = await Promise.all(
      FACT_LIST.map(async ([name]) => [name, await source.frames.column(name)] as const),
    );
    let at = 0;
    for (const one of factsOfFrames(session, new Pass(session))) {
      if (!one) continue;
      const read = Object.fromEntries(columns.map(([name, column]) => [name, valueIn(column, at)]));
      expect(read).toEqual(one.facts);
      at++;
    }
    expect(at).toBe(source.frames.count);
  });

  it('has the rows of the timeline', async () => {
    const [source] = (await sourcesOf([session])).sources as [FrameSource];
    const { timeline } = new Pass(session, { tree: true }).run();
    const { rows, head } = source;
    const expected = [...timelineRows(session.metadata.session, head.started, timeline.entries)];
    const texts = expected.map((row) => JSON.stringify(row)).sort();
    const seen: string[] = [];
    for (let row = 0; row < rows.count; row++) {
      const body = await source.body(row);
      seen.push(JSON.stringify(body));
      expect(rows.f[row]).toBe(body.f);
      await source.loadLabels(row, row + 1);
      expect(source.label(row)!.length).toBeLessThanOrEqual(120);
    }
    const left = texts.filter((text) => !seen.includes(text)).map((text) => JSON.parse(text).kind);
    expect(seen.filter((text) => !texts.includes(text))).toEqual([]);
    const hidden = ['usage', 'status', 'turn-end', 'step-end', 'log', 'hook-resolved'];
    expect(left.filter((kind) => !hidden.includes(kind))).toEqual([]);
  });

  it('has a tree whose rows contain one another, and a row for every frame of an item', async () => {
    const [source] = (await sourcesOf([session])).sources as [FrameSource];
    const { rows } = source;
    for (let row = 0; row < rows.count; row++) {
      expect(rows.end[row]).toBeGreaterThan(row);
      const parent = rows.parent[row]!;
      expect(rows.depth[row]).toBe(parent < 0 ? 0 : rows.depth[parent]! + 1);
      if (parent >= 0) expect(rows.end[row]).toBeLessThanOrEqual(rows.end[parent]!);
    }
    for (let i = 0; i < source.frames.count; i++) {
      const row = source.frames.rowOf(source.frames.f(i));
      if (row >= 0) expect(row).toBeLessThan(rows.count);
    }
  });
});
