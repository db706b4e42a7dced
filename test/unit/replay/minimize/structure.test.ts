/** What can be left out of sessions of real agents, and what is left of them then. */
import { describe, expect, it } from 'vitest';
import { minimize } from '../../../../lib/replay/minimize/minimize.ts';
import { rangesOf } from '../../../../lib/replay/minimize/ranges.ts';
import { LEVELS, structureOf } from '../../../../lib/replay/minimize/structure.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { SessionTally } from '../../../../lib/session/tally.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';

function sessionOf(name: string) {
  const { frames, command } = readLineLog(new URL(`../../../fixtures/tapes/${name}.jsonl`, import.meta.url).pathname);
  const about = { session: 's', started_at: '2026-11-16T05:04:01.000000Z', cwd: '/', recorder: 'x' };
  return sessionInMemory({ type: 'metadata', wiretape: 1, ...about, command }, frames);
}

const TAPES = [
  ...['acp/kimi-allow', 'acp/qwen-reject', 'mcp/everything-progress', 'qwen-stream-json-0.15.10/agent_yolo'],
  ...['wire-0.58/subagent', 'wire-1.31.0/hooks', 'wire-1.31.0/plan_mode', 'wire-1.49.0/errors'],
];

describe.each(TAPES)('%s', (name) => {
  const session = sessionOf(name);
  const structure = structureOf(session);
  const known = new Set(structure.frames);

  it('has units of its own frames, in order, each once', () => {
    expect(structure.units.items.length).toBeGreaterThan(0);
    for (const level of LEVELS) {
      const units = structure.units[level];
      expect(units.flat().filter((f) => !known.has(f))).toEqual([]);
      expect(new Set(units.map((unit) => unit.join())).size).toBe(units.length);
      for (const unit of units) expect([...unit].sort((a, b) => a - b)).toEqual(unit);
    }
  });

  it('keeps requests and answers together, the handshake, and what the recorder saw', () => {
    const pass = new Pass(session);
    const pairs: [number, number][] = [];
    const fixed: number[] = [];
    for (const { frame, events, pairing } of pass) {
      if (events[0]?.kind === 'handshake' || frame.form === 'event') fixed.push(frame.f);
      const asked = pairing?.exchange;
      if (pairing?.role === 'answers' && asked && events[0]?.kind !== 'handshake') pairs.push([asked.askedF, frame.f]);
    }
    for (const level of LEVELS)
      for (const unit of structure.units[level]) {
        expect(unit.filter((f) => fixed.includes(f))).toEqual([]);
        for (const [asked, answered] of pairs) expect(unit.includes(asked), `f${asked}`).toBe(unit.includes(answered));
      }
  });

  it('is nothing but those if nothing is needed', async () => {
    const left = await minimize(
      structure,
      async () => 0,
      () => {},
    );
    const tally = new SessionTally();
    const pass = new Pass(
      sessionInMemory(
        session.metadata,
        [...session.frames()].filter(({ f }) => left.includes(f)),
      ),
    );
    const { counts } = pass.run(tally).timeline;
    expect(counts).toMatchObject({ turns: 0, tools: 0, approvals: 0 });
  });
});

describe('a search', () => {
  const session = sessionOf('wire-1.31.0/plan_mode');
  const structure = structureOf(session);
  /** Fails as long as these are there. */
  const needing = (...needed: number[]) => {
    let asked = 0;
    const first = async (count: number, candidate: (n: number) => readonly number[]) => {
      for (let n = 0; n < count; n++) {
        asked++;
        const kept = new Set(candidate(n));
        if (needed.every((f) => kept.has(f))) return n;
      }
      return -1;
    };
    return { first, asked: () => asked };
  };

  it('leaves what is needed and its turn, and reports each step', async () => {
    const call = structure.units.items.find((unit) => unit.length > 2)!;
    const { first, asked } = needing(call[1]!);
    const sizes: number[] = [];
    const left = await minimize(structure, first, ({ frames }) => sizes.push(frames.length));
    expect(left).toEqual(expect.arrayContaining([...call]));
    expect(left.length).toBeLessThan(structure.frames.length / 2);
    expect(sizes.at(-1)).toBe(left.length);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(asked()).toBeLessThan(200);
    // Nothing more can go.
    for (const level of LEVELS)
      for (const unit of structure.units[level])
        if (unit.some((f) => left.includes(f))) expect(unit).toContain(call[1]);
  });

  it('leaves everything if everything is needed', async () => {
    expect(await minimize(structure, needing(...structure.frames).first, () => {})).toEqual(structure.frames);
  });
});

it('writes numbers of frames in a short form', () => {
  expect(rangesOf([1, 2, 3, 9, 11, 12])).toBe('1-3,9,11-12');
  expect(rangesOf([])).toBe('');
});
