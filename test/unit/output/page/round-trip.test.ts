/** What the viewer reads out of a page is what the commands say about the tape. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FACT_LIST } from '../../../../lib/analysis/facts/table.ts';
import type { Entry } from '../../../../lib/model/timeline/entries.ts';
import { isHidden } from '../../../../lib/model/timeline/hidden.ts';
import { timelineRows } from '../../../../lib/model/timeline/json.ts';
import type { Column, FrameSource } from '../../../../lib/output/viewer/source.ts';
import { embeddedSources } from '../../../../lib/output/viewer/source-embedded.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import type { Session } from '../../../../lib/session/session.ts';
import { FrameMeter, statsOf } from '../../../../lib/session/stats.ts';
import { statsRow } from '../../../../lib/session/stats-json.ts';
import { factsOfFrames } from '../../../../lib/storage/search/frames.ts';
import { tapeLines } from '../../../../lib/storage/tape/tape-lines.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';
import { bodyIn, documentOf, pageOf } from '../../../support/page.ts';
import { sample } from '../../../support/scale.ts';

const valueIn = (column: Column, at: number): unknown => {
  if (column.is === 'coded') return column.values[column.codes[at]!];
  const number = column.numbers[at]!;
  return Number.isNaN(number) ? null : number;
};

const ASKS: unknown[] = ['approval', 'question', 'client-call', 'hook'];

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

describe.each(namesOf(sample(fixtureSessions(), 30)))('%s', (_, session) => {
  it('gives back the bytes of the tape, and each frame', async () => {
    const source = await sourceOf(session);
    const tape = Buffer.concat([...tapeLines(session.metadata, session.frames())].map((piece) => Buffer.from(piece)));
    expect((await tapeIn(source)).equals(tape)).toBe(true);
    expect(source.head.tape.sha256).toBe(createHash('sha256').update(tape).digest('hex'));
    const [read, wanted]: unknown[][] = [[], []];
    for (const { f, from, raw, t, eol, event } of session.frames()) {
      const { frame } = await source.line(f);
      const at = wanted!.length;
      const lines = await source.chunk(source.chunkAt(at));
      read!.push({
        ...{ f: frame.f, t: frame.t, from: frame.from, eol: frame.eol, event: frame.event },
        ...{ bytes: Buffer.compare(frame.raw, raw) === 0, number: source.frames.f(at) },
        chunk: lines.some((line) => line.frame.f === f),
      });
      wanted!.push({ f, t, from, eol, event, bytes: true, number: f, chunk: true });
    }
    expect(read).toEqual(wanted);
    expect(source.frames.count).toBe(wanted!.length);
  });

  it('has the facts of every frame', async () => {
    const source = await sourceOf(session);
    const columns = await Promise.all(
      FACT_LIST.map(async ([name]) => [name, await source.frames.column(name)] as const),
    );
    const facts = [...factsOfFrames(session, new Pass(session))].flatMap((one) => (one ? [one.facts] : []));
    const read = facts.map((_, at) => Object.fromEntries(columns.map(([name, column]) => [name, valueIn(column, at)])));
    expect(read).toEqual(facts);
    expect(facts.length).toBe(source.frames.count);
  });

  it('has the rows of the timeline, in its order but for requests, which are in their calls', async () => {
    const source = await sourceOf(session);
    const { entries } = new Pass(session, { tree: true }).run().timeline;
    const { rows, head } = source;
    const expected = [...timelineRows(session.metadata.session, head.started, shown(entries))].map(bodyIn);
    const read: Record<string, unknown>[] = [];
    const labels: string[] = [];
    await source.loadLabels(0, rows.count);
    for (let row = 0; row < rows.count; row++) {
      read.push(bodyIn(await source.body(row)));
      labels.push(source.label(row)!);
    }
    const columns = read.map((_, row) => [rows.f[row], rows.f_end[row], rows.t[row], rows.t_end[row]]);
    expect(columns).toEqual(read.map(({ f, f_end, t, t_end }) => [f, f_end, t, t_end]));
    expect(labels.filter((label) => label.length > 120 || label.includes('\n'))).toEqual([]);
    const isAsk = (row: Record<string, unknown>) => ASKS.includes(row.kind);
    const others = (all: Record<string, unknown>[]) =>
      all.filter((row) => !isAsk(row)).map((row) => JSON.stringify(row));
    const sorted = (all: Record<string, unknown>[]) => all.map((row) => JSON.stringify(row)).sort();
    expect(others(read)).toEqual(others(expected));
    expect(sorted(read)).toEqual(sorted(expected));
  });

  it('has a tree whose rows contain one another, and rows that have the frames they show', async () => {
    const { rows, frames } = await sourceOf(session);
    const all = Array.from({ length: rows.count }, (_, row) => row);
    const isInParent = (row: number) => {
      const parent = rows.parent[row]!;
      const depth = parent < 0 ? 0 : rows.depth[parent]! + 1;
      const isWithin = parent < 0 || rows.end[row]! <= rows.end[parent]!;
      return rows.end[row]! > row && rows.depth[row] === depth && isWithin;
    };
    expect(all.filter((row) => !isInParent(row))).toEqual([]);
    const numbers = Array.from({ length: frames.count }, (_, i) => frames.f(i));
    const isInRow = (f: number) => {
      const row = frames.rowOf(f);
      return row < rows.count && (row < 0 || rows.f[row]! <= f);
    };
    expect(numbers.filter((f) => !isInRow(f))).toEqual([]);
    // Each row is found by its first frame, or shares that frame with another.
    const first = new Set(all.map((row) => rows.f[row]!));
    expect([...first].filter((f) => !first.has(rows.f[frames.rowOf(f)] ?? f))).toEqual([]);
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
