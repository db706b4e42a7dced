/** What the viewer reads out of a page is what the commands say about the tape. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isHidden } from '../../../lib/core/timeline/hidden.ts';
import { timelineRows } from '../../../lib/core/timeline/json.ts';
import type { Entry } from '../../../lib/core/timeline/shape.ts';
import { FACT_LIST } from '../../../lib/facts/table.ts';
import { factsOfFrames } from '../../../lib/search/frames.ts';
import { Pass } from '../../../lib/session/pass.ts';
import type { Session } from '../../../lib/session/session.ts';
import { FrameMeter, statsOf } from '../../../lib/session/stats.ts';
import { statsRow } from '../../../lib/session/stats-json.ts';
import { tapeLines } from '../../../lib/tape/tape-lines.ts';
import type { Column, FrameSource } from '../../../lib/viewer/source.ts';
import { embeddedSources } from '../../../lib/viewer/source-embedded.ts';
import { fixtureSessions } from '../../support/fixture-sessions.ts';
import { documentOf, pageOf } from '../../support/page.ts';

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

/** The page of the session that was asked about last: made once for all that is asked about it. */
let last: { session: Session; page: Promise<ReturnType<typeof documentOf>> } | null = null;

async function sourceOf(session: Session): Promise<FrameSource> {
  if (last?.session !== session) last = { session, page: pageOf([session]).then(documentOf) };
  return (await embeddedSources(await last.page)).sources[0]!;
}

const namesOf = (all: readonly Session[]) => all.map((session) => [session.metadata.session, session] as const);

describe.each(namesOf(fixtureSessions()))('%s', (_, session) => {
  it('gives back the bytes of the tape, and each frame', async () => {
    const source = await sourceOf(session);
    const tape = Buffer.concat([...tapeLines(session.metadata, session.frames())].map((piece) => Buffer.from(piece)));
    expect((await tapeIn(source)).equals(tape)).toBe(true);
    expect(source.head.tape.sha256).toBe(createHash('sha256').update(tape).digest('hex'));
    let at = 0;
    for (const { f, from, raw, t, eol, event } of session.frames()) {
      const { frame } = await source.line(f);
      expect([frame.f, frame.t, frame.from, frame.eol, frame.event]).toEqual([f, t, from, eol, event]);
      expect(Buffer.compare(frame.raw, raw)).toBe(0);
      expect(source.frames.f(at)).toBe(f);
      const lines = await source.chunk(source.chunkAt(at++));
      expect(lines.some((line) => line.frame.f === f)).toBe(true);
    }
    expect(source.frames.count).toBe(at);
  });

  it('has the facts of every frame', async () => {
    const source = await sourceOf(session);
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

  it('has the rows of the timeline, in its order but for requests, which are in their calls', async () => {
    const source = await sourceOf(session);
    const { entries } = new Pass(session, { tree: true }).run().timeline;
    const { rows, head } = source;
    const expected = [...timelineRows(session.metadata.session, head.started, shown(entries))];
    const read: Record<string, unknown>[] = [];
    await source.loadLabels(0, rows.count);
    for (let row = 0; row < rows.count; row++) {
      const body = await source.body(row);
      read.push(body);
      expect([rows.f[row], rows.f_end[row]]).toEqual([body.f, body.f_end]);
      expect([rows.t[row], rows.t_end[row]]).toEqual([body.t, body.t_end]);
      expect(source.label(row)!.length).toBeLessThanOrEqual(120);
      expect(source.label(row)).not.toContain('\n');
    }
    const isAsk = (row: Record<string, unknown>) => 'request_id' in row;
    const others = (all: Record<string, unknown>[]) =>
      all.filter((row) => !isAsk(row)).map((row) => JSON.stringify(row));
    const sorted = (all: Record<string, unknown>[]) => all.map((row) => JSON.stringify(row)).sort();
    expect(others(read)).toEqual(others(expected));
    expect(sorted(read)).toEqual(sorted(expected));
  });

  it('has a tree whose rows contain one another, and rows that have the frames they show', async () => {
    const { rows, frames } = await sourceOf(session);
    for (let row = 0; row < rows.count; row++) {
      const parent = rows.parent[row]!;
      expect(rows.end[row]).toBeGreaterThan(row);
      expect(rows.depth[row]).toBe(parent < 0 ? 0 : rows.depth[parent]! + 1);
      if (parent >= 0) expect(rows.end[row]).toBeLessThanOrEqual(rows.end[parent]!);
    }
    for (let i = 0; i < frames.count; i++) {
      const row = frames.rowOf(frames.f(i));
      expect(row).toBeLessThan(rows.count);
      if (row >= 0) expect(rows.f[row]).toBeLessThanOrEqual(frames.f(i));
    }
    // Each row is found by its first frame, or shares that frame with another.
    const first = Array.from({ length: rows.count }, (_, row) => rows.f[row]);
    for (const f of first) expect(first).toContain(rows.f[frames.rowOf(f!)] ?? f);
  });

  it('has the numbers of stats', async () => {
    const { head } = await sourceOf(session);
    const meter = new FrameMeter();
    const pass = new Pass(session, { tree: true }).run(meter);
    const stats = JSON.parse(JSON.stringify(statsRow(statsOf(pass.timeline, meter, 0), pass.timeline)));
    expect(head.stats).toMatchObject(stats);
  });
});

/** Without what is never shown by itself. */
function shown(entries: Entry[]): Entry[] {
  return entries
    .filter((entry) => entry.is !== 'item' || !isHidden(entry))
    .map((entry) => ({ ...entry, entries: shown(entry.entries) }));
}
