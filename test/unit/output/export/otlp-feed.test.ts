/** Spans while a session grows: each is told once, when it has ended, and at the end all are there. */
import { describe, expect, it } from 'vitest';
import { spansOf } from '../../../../lib/model/timeline/trace-spans.ts';
import { SpanFeed } from '../../../../lib/output/export/otlp-feed.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';
import { sessionOn } from '../../../support/session.ts';

describe('spans of a session that grows', () => {
  it('are the same as afterwards, each once', () => {
    for (const session of [sessionOn('samples/tapes/tour.jsonl'), ...fixtureSessions().slice(0, 60)]) {
      const feed = new SpanFeed();
      const keys: string[] = [];
      const pass = new Pass(session, { tree: true });
      let [n, end] = [0, 0];
      for (const { frame } of pass) {
        end = frame.t;
        if (++n % 7 === 0) keys.push(...feed.due(pass.timeline, end, false).map(({ key }) => key));
      }
      keys.push(...feed.due(pass.timeline, end, true).map(({ key }) => key));
      expect([session.id, new Set(keys).size]).toEqual([session.id, keys.length]);
      const all = [...spansOf(pass.timeline, end)].map(({ key }) => key);
      expect([session.id, keys.toSorted()]).toEqual([session.id, all.toSorted()]);
    }
  });

  it('are told before the session ends', () => {
    const feed = new SpanFeed();
    const pass = new Pass(sessionOn('samples/tapes/tour.jsonl'), { tree: true });
    const told: string[] = [];
    let before = 0;
    for (const { frame } of pass) {
      const due = feed.due(pass.timeline, frame.t, false);
      told.push(...due.map(({ is, name }) => `${is} ${name}`));
      if (due.some(({ is }) => is === 'turn') && before === 0) before = frame.f;
    }
    expect(told).toContain('tool Shell');
    expect(told).toContain('turn turn 1');
    expect(before).toBeLessThan(60);
  });
});
