/** Requests that nobody answers: what is kept of them is bounded, and what was forgotten is not held against anybody. */
import { describe, expect, it } from 'vitest';
import { Exchanges } from '../../../lib/model/exchange.ts';
import type { Frame } from '../../../lib/model/frame.ts';
import { readJsonRpc } from '../../../lib/model/message.ts';

const LIMIT = 10_000;

function opened() {
  const exchanges = new Exchanges();
  let f = 0;
  const take = (from: Frame['from'], value: Record<string, unknown>) =>
    exchanges.take({ f: ++f, t: f, from } as Frame, readJsonRpc(value));
  const asks = (id: unknown, params: unknown = {}) => take('agent', { id, method: 'request', params });
  const answers = (id: unknown) => take('client', { id, result: {} });
  return { exchanges, asks, answers };
}

const long = (i: number) => ({ description: `${'x'.repeat(500)}${i}` });

describe('unanswered requests', () => {
  it('are kept up to a limit', () => {
    const { exchanges, asks, answers } = opened();
    let most = 0;
    for (let i = 0; i < 3 * LIMIT; i++) {
      asks(i);
      most = Math.max(most, i % 500 === 0 ? exchanges.retained : 0);
    }
    expect(most).toBeGreaterThan(LIMIT / 2);
    expect(most).toBeLessThanOrEqual(LIMIT);
    expect(exchanges.forgotten).toBe(3 * LIMIT - exchanges.retained);
    expect(answers(3 * LIMIT - 1)?.role).toBe('answers');
  });

  it('that were forgotten make no orphan of their answer', () => {
    const { asks, answers } = opened();
    expect(answers('unknown')?.role).toBe('orphan');
    for (let i = 0; i < 2 * LIMIT; i++) asks(i);
    expect(answers(0)).toEqual({ role: 'forgotten', exchange: null });
    expect(answers(null)?.role).toBe('orphan');
  });

  it('are recognised when they are sent again long after', () => {
    const { asks } = opened();
    for (let i = 0; i < 100; i++) asks(i, long(i));
    for (let i = 0; i < 100; i++)
      expect(asks(i, long(i))).toMatchObject({ role: 'asks-again', exchange: { askedF: i + 1 } });
    expect(asks(0, long(1))?.role).toBe('asks');
    expect(asks(1, {})?.role).toBe('asks');
  });

  it('under one id are few, and the latest is answered first', () => {
    const { exchanges, asks, answers } = opened();
    for (let i = 0; i < 1000; i++) asks('same', { i });
    expect(exchanges.retained).toBe(16);
    expect(answers('same')).toMatchObject({ role: 'answers', exchange: { askedF: 1000 } });
  });
});

describe('answered requests', () => {
  it('are kept up to a tenth of that, for a second answer', () => {
    const { exchanges, asks, answers } = opened();
    for (let i = 0; i < 2 * LIMIT; i++) {
      asks(i, long(i));
      answers(i);
    }
    expect(exchanges.retained).toBeLessThanOrEqual(LIMIT / 10);
    expect(exchanges.forgotten).toBe(0);
    expect(answers(2 * LIMIT - 1)?.role).toBe('duplicate');
    expect(answers(0)?.role).toBe('orphan');
  });
});
