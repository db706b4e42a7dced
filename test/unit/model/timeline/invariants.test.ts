/** What holds for every timeline: of the tapes in this project, and of all others where they are at hand. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TimelineBuilder, type Where } from '../../../../lib/model/timeline/builder.ts';
import type { Entry, Timeline } from '../../../../lib/model/timeline/entries.ts';
import {
  type Built,
  buildTape,
  everything,
  fixtures,
  golden,
  itemsOf,
  shared,
  stepsOf,
  turnsOf,
} from '../../../support/timeline.ts';

const tapesBelow = (root: string) =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'session-folders')
    .flatMap(({ name }) => readdirSync(join(root, name)).map((file) => join(root, name, file)))
    .filter((path) => path.endsWith('.jsonl') && !path.endsWith('.meta.jsonl'));

const folders = [
  ...new Set([...tapesBelow(fixtures), ...(shared ? tapesBelow(shared) : [])].map((path) => join(path, '..'))),
];

const tapesIn = (folder: string) =>
  readdirSync(folder)
    .filter((path) => path.endsWith('.jsonl') && !path.endsWith('.meta.jsonl'))
    .map((name) => ({ name, built: buildTape(join(folder, name)) }));

/** What is wrong with a timeline, in words. */
function* flaws(built: Built): Generator<string> {
  const { timeline, wheres, readings } = built;
  const entries = [...everything(timeline.entries)];
  const seen = new Set<Entry>();
  for (const entry of entries) {
    const name = `f${entry.f} ${entry.is === 'item' ? entry.kind : entry.is}`;
    if (seen.has(entry)) yield `${name} is there twice`;
    seen.add(entry);
    if (entry.f > entry.f_end || entry.t > entry.t_end) yield `${name} ends before it begins`;
    if (entry.is === 'step' && entry.state === 'running' && isOver(built)) yield `${name} runs after the end`;
    for (const inner of entry.entries) yield* misplaced(entry, inner, name);
  }
  const items = entries.filter((entry) => entry.is === 'item');
  const byFrame = new Map<number, Entry[]>();
  for (const item of items) byFrame.set(item.f, [...(byFrame.get(item.f) ?? []), item]);
  for (const [i, where] of wheres.entries()) yield* unplaced(where, readings[i]!.frame.f, built, byFrame);
}

function* misplaced(outer: Entry, inner: Entry, name: string): Generator<string> {
  const isBackground = inner.is === 'item' && inner.turn === null;
  if (inner.f < outer.f && !(inner.is === 'item' && inner.ask)) yield `${name} begins after f${inner.f} in it`;
  // Late answers and what runs in the background go on when what they are part of is over.
  const isLate = inner.is === 'item' && (inner.ask !== null || inner.answer !== null || inner.call !== null);
  if (inner.f_end > outer.f_end && !isBackground && !isLate && !holdsBackground(inner))
    yield `${name} ends before f${inner.f}-${inner.f_end} in it`;
  if (outer.is === 'turn' && inner.is === 'item' && inner.turn !== outer.n && !isBackground)
    yield `f${inner.f} is not of turn ${outer.n}`;
  if (outer.is === 'step' && inner.is === 'item' && !isBackground && inner.step !== outer.n)
    yield `f${inner.f} is not of step ${outer.n}`;
}

const holdsBackground = (entry: Entry) =>
  [...everything(entry.entries)].some((inner) => inner.is === 'item' && inner.turn === null);

/** A frame is part of an item that covers it, or of a step or turn that does. */
function* unplaced(
  { turn, step, item }: Where,
  f: number,
  built: Built,
  byFrame: Map<number, Entry[]>,
): Generator<string> {
  if (item !== null) {
    const covers = byFrame.get(item)?.some((one) => one.f <= f && f <= one.f_end);
    if (!covers) yield `f${f} is not in the item f${item}`;
  } else if (turn === null) yield `f${f} is part of nothing`;
  else if (!turnsOf(built).some(({ n, f: first }) => n === turn && first <= f)) yield `f${f} is not in turn ${turn}`;
  else if (
    step !== null &&
    !stepsOf(built.timeline.entries).some((one) => one.n === step && one.f <= f && f <= one.f_end)
  )
    yield `f${f} is not in step ${step}`;
}

const isOver = ({ readings }: Built) => readings.some(({ frame }) => frame.event === 'exit');

/** Steps of one agent, in one turn or one call, come one after the other. */
function* overlaps(entries: Entry[]): Generator<string> {
  const steps = entries.filter((entry) => entry.is === 'step');
  for (const [i, step] of steps.entries()) {
    const next = steps[i + 1];
    if (next && next.f < step.f) yield `step f${next.f} after step f${step.f}`;
    if (next && next.n !== step.n + 1) yield `step ${next.n} after step ${step.n}`;
  }
  for (const entry of entries) yield* overlaps(entry.entries);
}

function countsOf(built: Built): Timeline['counts'] {
  const live = itemsOf(built).filter(({ flags }) => !flags.includes('replayed'));
  return {
    turns: turnsOf(built).length,
    tools: live.filter(({ call }) => call !== null).length,
    approvals: live.filter(({ kind }) => kind === 'approval').length,
    errors: built.timeline.counts.errors,
  };
}

describe.each(folders)('%s', (folder) => {
  const tapes = tapesIn(folder);

  it('has every frame in one place, and nothing outside of what holds it', () => {
    for (const { name, built } of tapes)
      expect([name, ...flaws(built), ...overlaps(built.timeline.entries)]).toEqual([name]);
  });

  it('counts what is there', () => {
    for (const { name, built } of tapes) expect([name, built.timeline.counts]).toEqual([name, countsOf(built)]);
  });

  it('comes out the same frame by frame, looked at on the way', () => {
    for (const { name, built } of tapes) {
      const builder = new TimelineBuilder();
      const wheres = built.readings.map((reading, i) => {
        const where = builder.take(reading);
        if (i % 40 === 0) expect(golden({ ...built, timeline: builder.timeline })).not.toBe('');
        return where;
      });
      expect([name, wheres]).toEqual([name, built.wheres]);
      expect(golden({ ...built, timeline: builder.timeline })).toBe(golden(built));
    }
  });

  it('has the same sums and turns where nothing is kept', () => {
    for (const { name, built } of tapes) {
      const builder = new TimelineBuilder({ keep: false });
      const wheres = built.readings.map((reading) => builder.take(reading));
      const { counts, usage, context, wait } = builder.timeline;
      const { timeline } = built;
      expect(builder.timeline.entries).toEqual([]);
      expect([name, counts, usage, context]).toEqual([name, timeline.counts, timeline.usage, timeline.context]);
      expect(wait).toBeCloseTo(timeline.wait, 9);
      expect([name, wheres.map(({ turn, step }) => [turn, step])]).toEqual([
        name,
        built.wheres.map(({ turn, step }) => [turn, step]),
      ]);
    }
  });

  it('never throws, whatever is missing', () => {
    for (const { built } of tapes) {
      const { readings } = built;
      const cuts = [1, 2, 3, 5, 8, 13].map((part) => Math.floor(readings.length / part));
      for (const cut of cuts) {
        for (const rest of [
          readings.slice(0, cut),
          readings.slice(cut),
          readings.filter((_, i) => i % 3 !== cut % 3),
        ]) {
          const builder = new TimelineBuilder();
          for (const reading of rest) builder.take(reading);
          const entries = [...everything(builder.timeline.entries)];
          expect(entries.filter((entry) => entry.f > entry.f_end)).toEqual([]);
        }
      }
    }
  });
});
