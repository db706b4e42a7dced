/** What the lines of the agent depend on. */
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../lib/model/frame.ts';
import { Script } from '../../../lib/replay/script.ts';
import type { AgentStep } from '../../../lib/replay/script-step.ts';
import { sessionInMemory } from '../../../lib/session/session.ts';
import { metadataFor } from '../../support/fixture-sessions.ts';

type Line = ['client' | 'agent', Record<string, unknown> | string];

function saysOf(lines: readonly (Line | 'eof')[]): AgentStep[] {
  const frames = lines.map((line, i): Frame => {
    const at = { f: i + 1, t: i, t0: null } as const;
    if (line === 'eof')
      return { ...at, from: 'client', form: 'event', raw: new Uint8Array(), eol: '', event: 'eof', detail: {} };
    const [from, said] = line;
    const text = typeof said === 'string' ? said : JSON.stringify({ jsonrpc: '2.0', ...said });
    const form = typeof said === 'string' ? 'text' : 'message';
    return { ...at, from, form, raw: Buffer.from(text), eol: '\n', event: null, detail: {} };
  });
  const script = new Script(sessionInMemory(metadataFor('script', ['kimi', '--wire']), frames));
  const says: AgentStep[] = [];
  for (let step = script.next(); step; step = script.next()) if (step.is === 'say') says.push(step);
  return says;
}

const prompt = (id: string): Line => ['client', { id, method: 'prompt', params: { user_input: id } }];
const event = (type: string, payload: object = {}): Line => ['agent', { method: 'event', params: { type, payload } }];
const frames = (list: readonly { f: number }[]) => list.map(({ f }) => f);

describe('a client that closes its stream before the turn of its prompt begins', () => {
  it('has closed it when the turn begins', () => {
    const [begin] = saysOf([prompt('a'), 'eof', event('TurnBegin', { user_input: 'a' })]);
    expect([frames(begin!.needs), frames(begin!.optionalNeeds)]).toEqual([[1], [2]]);
  });

  it('may have sent further prompts, whose turns come later', () => {
    const [begin] = saysOf([prompt('a'), prompt('b'), 'eof', event('TurnBegin', { user_input: 'a' })]);
    expect(frames(begin!.optionalNeeds)).not.toContain(3);
  });
});

describe('an error that answers nothing', () => {
  const error: Line = ['agent', { id: null, error: { code: -32700, message: 'Parse error' } }];

  it('is about a line that no agent can take', () => {
    const [said] = saysOf([['client', '{"method": '], error]);
    expect([said!.about?.f, frames(said!.optionalNeeds)]).toEqual([1, [1]]);
  });

  it('is about nothing if the client said something else since', () => {
    const says = saysOf([['client', '{"method": '], prompt('a'), event('TurnBegin', { user_input: 'a' }), error]);
    expect(says.map(({ about }) => about)).toEqual([null, null]);
  });
});
