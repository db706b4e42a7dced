/** Requests that nobody answers: they cost nothing for every line that comes after them. */
import { describe, expect, it } from 'vitest';
import { dialectNamed, traitsOf } from '../../../../lib/dialects/index.ts';
import { AT_ONCE } from '../../../../lib/model/pace.ts';
import { AskPool } from '../../../../lib/replay/client/ask-pool.ts';
import type { RecordedAnswer, RecordedAsk } from '../../../../lib/replay/client/drive-step.ts';
import { LiveIds } from '../../../../lib/replay/client/live-ids.ts';
import { Replies } from '../../../../lib/replay/client/replies.ts';
import { meaningOf } from '../../../../lib/replay/client/request-meaning.ts';
import { idTreeOf } from '../../../../lib/replay/id-tree.ts';
import { FrameReader } from '../../../../lib/session/frame-reader.ts';

const traits = traitsOf('jsonrpc');
const tree = idTreeOf(traits.replay);

function conversation() {
  const [recorded, live] = [0, 1].map(() => new FrameReader(dialectNamed('jsonrpc')!, { command: [] }, false));
  const read = (reader: FrameReader, n: number) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: n, method: 'may/i', params: { n } });
    const about = { f: n, t: n, t0: null, from: 'agent', form: 'message', eol: '\n', event: null, detail: {} } as const;
    return reader.read({ ...about, raw: Buffer.from(text), text });
  };
  let looks = 0;
  const pool = new AskPool(tree, null);
  const answers = new Map<number, RecordedAnswer>();
  const asks: RecordedAsk[] = [];
  const answered: number[] = [];
  const nothing = () => {};
  const replies = new Replies(
    { pool, ids: new LiveIds(tree), traits, pace: AT_ONCE, onUnmatched: 'reject', readOn: () => false },
    {
      answer: (_, asked) => void answered.push(asked.frame.f),
      ...{ reply: nothing, stop: nothing, unmatched: nothing, departed: nothing },
    },
  );
  return {
    replies,
    answered,
    looks: () => looks,
    /** The tape has it. */
    record(n: number): void {
      const one = read(recorded!, n);
      const ask: RecordedAsk = {
        ...{ f: n, t: n, meaning: meaningOf(one), value: one.value, again: 0, state: 'open' },
        get answer() {
          looks++;
          return answers.get(n) ?? null;
        },
      };
      asks[n] = ask;
      pool.add(ask);
    },
    /** The tape has its answer too. */
    settle(n: number): void {
      const answer = { f: n, gap: 0, after: null, isLate: false, option: null, decision: 'allow' };
      answers.set(n, answer as unknown as RecordedAnswer);
      replies.recordedAnswerRead(asks[n]!);
    },
    ask: (n: number) => replies.handleRequest(read(live!, n), n, 0),
  };
}

describe('requests without an answer', () => {
  it('are not looked at again and again', () => {
    const talk = conversation();
    const many = 2000;
    for (let n = 1; n <= many; n++) talk.record(n);
    for (let n = 1; n <= many; n++) {
      talk.ask(n);
      expect(talk.replies.send(0, 0)).toBeNull();
    }
    expect([...talk.replies.open]).toHaveLength(many);
    expect(talk.looks()).toBeLessThanOrEqual(3 * many);
  });

  it('are answered when the tape is read that far, and only once', () => {
    const talk = conversation();
    for (const n of [1, 2, 3]) talk.record(n);
    for (const n of [1, 2, 3]) talk.ask(n);
    talk.replies.send(0, 0);
    expect(talk.answered).toEqual([]);
    talk.settle(2);
    talk.replies.send(0, 0);
    talk.replies.send(0, 0);
    expect(talk.answered).toEqual([2]);
    expect([...talk.replies.open].map(({ frame }) => frame.f)).toEqual([1, 3]);
  });

  it('of which most were never asked are found by their words', () => {
    const pool = new AskPool(tree, null);
    const reader = new FrameReader(dialectNamed('jsonrpc')!, { command: [] }, false);
    const asks = Array.from({ length: 3000 }, (_, i): RecordedAsk => {
      const text = JSON.stringify({ jsonrpc: '2.0', id: i, method: 'may/i', params: { i } });
      const frame = { f: i + 1, t: i, t0: null, from: 'agent', form: 'message', eol: '\n', event: null } as const;
      const one = reader.read({ ...frame, detail: {}, raw: Buffer.from(text), text });
      return { f: i + 1, t: i, meaning: meaningOf(one), value: one.value, again: 0, answer: null, state: 'open' };
    });
    for (const ask of asks) pool.add(ask);
    // Further down than are compared.
    expect(pool.take(asks[2500]!.meaning, asks[2500]!.value)?.f).toBe(2501);
    expect(pool.take(asks[2500]!.meaning, asks[2500]!.value)).toBeNull();
    expect([...pool.open]).toHaveLength(2999);
  });
});
