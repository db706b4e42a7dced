/** What is found in one pass is what two passes find. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FactReader } from '../../../../lib/analysis/facts/fact-reader.ts';
import type { Facts } from '../../../../lib/analysis/facts/facts.ts';
import type { FrameFacts } from '../../../../lib/analysis/query/facts.ts';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { compileFrame } from '../../../../lib/analysis/query/predicate.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import type { Session } from '../../../../lib/session/session.ts';
import { summarise } from '../../../../lib/session/summary.ts';
import { type FoundFrame, searchFrames } from '../../../../lib/storage/search/frames.ts';
import { framesNumbered, mayChange, searchInPass } from '../../../../lib/storage/search/one-pass.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';

const QUERIES = [
  ...['', 'is:pending', 'latency:0..*', 'turn:1', 'kind:approval,tool-call approval:allow', 'by:client OR is:late'],
  ...['NOT state:ended OR from:agent', 'dialect:wire kind:text', '"the"', '/[a-z]{12}/', '@id:* from:client'],
];

interface Known {
  asked: FrameFacts;
  frame: { facts: Facts; raw: string };
}

const plain = ({ facts, frame }: FoundFrame) => ({ facts, raw: Buffer.from(frame.raw).toString('latin1') });

/** Every frame of a session, as two passes read it. */
function inTwo(session: Session): Known[] {
  const asked: FrameFacts[] = [];
  const found = searchFrames(session, summarise(session), (facts) => asked.push(facts) > 0);
  return [...found].filter((one) => one !== null).map((one, i) => ({ asked: asked[i]!, frame: plain(one) }));
}

const all = new Map(fixtureSessions().map((session) => [session, inTwo(session)]));

describe('a search in one pass', () => {
  it.each(QUERIES)('finds the same as in two: %s', (query) => {
    const expr = parseQuery(query);
    let hits = 0;
    const matches = compileFrame(expr);
    for (const [session, frames] of all) {
      const wanted = frames.flatMap(({ asked, frame }) => (matches(asked) ? [frame] : []));
      const found = [...searchInPass(session, new Pass(session), expr)].flatMap((one) => (one ? [plain(one)] : []));
      // Looks closer only where they differ: there are many.
      if (!isDeepStrictEqual(found, wanted)) expect(found, session.id).toEqual(wanted);
      hits += wanted.length;
    }
    expect(hits).toBeGreaterThan(0);
  });

  it('holds every frame that a later one says more about', () => {
    let changes = 0;
    for (const session of fixtureSessions()) {
      const pass = new Pass(session);
      const reader = new FactReader(pass);
      const open = new Set<number>();
      const check = (changed: readonly { f: number }[]) => {
        for (const { f } of changed) expect(open, `${session.id} f${f}`).toContain(f);
        changes += changed.length;
      };
      for (const read of pass) {
        const told = reader.take(read);
        check(told.changes);
        if (mayChange(read, told)) open.add(read.frame.f);
      }
      check(reader.end().changes);
    }
    expect(changes).toBeGreaterThan(100);
  });

  it('finds one frame by its number, with its answer', () => {
    const [session, frames] = [...all].find(([{ id }]) => id.startsWith('wire-1.49.0/'))!;
    for (const { frame } of frames) {
      const { f } = frame.facts;
      expect(framesNumbered(new Pass(session), f, f).map(plain)).toEqual([frame]);
    }
    expect(framesNumbered(new Pass(session), frames.length + 1, frames.length + 9)).toEqual([]);
    expect(framesNumbered(new Pass(session), 1, frames.length).map(plain)).toEqual(frames.map(({ frame }) => frame));
  });
});
