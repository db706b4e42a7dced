/** Lines that are not sent yet: which can be sent, and what the others wait for. */
import { describe, expect, it } from 'vitest';
import { Backlog } from '../../../lib/replay/backlog.ts';
import type { AgentStep, ClientStep } from '../../../lib/replay/script-step.ts';

const hear = (f: number): ClientStep => ({ f, state: 'awaited' }) as ClientStep;

/** A line in a group of its own, and how often it was asked what it needs. */
function line(name: string, needs: ClientStep[], hopes: ClientStep[] = []) {
  const seen = { times: 0 };
  const say = {
    group: name,
    lane: '',
    prompt: null,
    about: null,
    optionalNeeds: hopes,
    order: 0,
  } as unknown as AgentStep;
  Object.defineProperty(say, 'needs', {
    get: () => {
      seen.times++;
      return needs;
    },
  });
  return { say, seen };
}

const never = () => false;

describe('what lines wait for', () => {
  it('is known without a look at each of them', () => {
    const backlog = new Backlog(() => {});
    const [needed, hoped] = [hear(7), hear(5)];
    const lines = Array.from({ length: 1000 }, (_, i) => line(`group ${i}`, [needed]));
    for (const { say } of lines) backlog.add(say);
    backlog.add(line('hopeful', [], [hoped]).say);
    expect(backlog.ready(never)).toBe(null);
    for (const { seen } of lines) seen.times = 0;
    expect([...backlog.optionalNeeds()]).toEqual([hoped]);
    expect(backlog.awaited).toBe(hoped);
    expect(lines.reduce((sum, { seen }) => sum + seen.times, 0)).toBe(0);
  });

  it('is what is left when something comes, is given up or dropped', () => {
    const dropped: AgentStep[] = [];
    const backlog = new Backlog((say) => dropped.push(say));
    const [one, other, hoped] = [hear(1), hear(2), hear(3)];
    const first = line('first', [one], [hoped]).say;
    const second = line('second', [other]).say;
    for (const say of [first, second]) backlog.add(say);
    expect(backlog.ready(never)).toBe(null);
    expect([...backlog.optionalNeeds()]).toEqual([]);
    one.state = 'came';
    backlog.wake(one);
    expect(backlog.ready(never)).toBe(null);
    expect([...backlog.optionalNeeds()]).toEqual([hoped]);
    other.state = 'given-up';
    backlog.wake(other);
    expect(backlog.ready(never)).toBe(null);
    expect(dropped).toEqual([second]);
    expect(backlog.drop(() => true)).toEqual([first]);
    expect([...backlog.optionalNeeds()]).toEqual([]);
    expect(backlog.awaited).toBe(null);
  });

  it('is not sent if the line that it complains about never comes', () => {
    const backlog = new Backlog(() => {});
    const stray = hear(4);
    const { say } = line('complaint', [], [stray]);
    backlog.add({ ...say, needs: [], about: stray });
    expect(backlog.ready(never)).toBe(null);
    stray.state = 'given-up';
    backlog.wake(stray);
    expect(backlog.ready(never)).toBe(null);
    expect(backlog.size).toBe(0);
  });
});
