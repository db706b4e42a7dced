/** A tape against itself, in one process. */
import { expect, it } from 'vitest';
import type { Frame, From } from '../../../lib/core/frame.ts';
import { replayBoth } from '../../../lib/replay/rehearse.ts';
import { sessionInMemory } from '../../../lib/session/session.ts';
import { metadataFor } from '../../support/fixture-sessions.ts';

it('does not sit out the patience of a client whose end is not on the tape', async () => {
  const event = (type: string, payload: object) => ({ method: 'event', params: { type, payload } });
  const said: [From, object][] = [
    ['client', { id: 'a', method: 'prompt', params: { user_input: 'Hello' } }],
    ['agent', event('TurnBegin', { user_input: 'Hello' })],
    ['agent', event('ContentPart', { type: 'text', text: 'Hel' })],
  ];
  const frames = said.map(([from, line], i): Frame => {
    const raw = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...line }));
    return { f: i + 1, t: 1000 * i, t0: null, from, form: 'message', raw, eol: '\n', event: null, detail: {} };
  });
  const session = sessionInMemory(metadataFor('cut off', ['kimi', '--wire']), frames);
  // The client would wait for so long that the agent gives up.
  const { client, agent } = await replayBoth(session, { timeout: 36_000 });
  expect([client.ok, agent.ok, agent.departed]).toEqual([true, true, []]);
});
