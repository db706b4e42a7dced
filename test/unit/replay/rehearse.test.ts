/** A tape against itself, in one process. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Frame, From } from '../../../lib/model/frame.ts';
import { replayBoth } from '../../../lib/replay/rehearse.ts';
import { RunTape } from '../../../lib/replay/run-tape.ts';
import { type Session, sessionInMemory } from '../../../lib/session/session.ts';
import { metadataFor } from '../../support/fixture-sessions.ts';

const event = (type: string, payload: object) => ({ method: 'event', params: { type, payload } });

function sessionOf(said: readonly [From, object][]): Session {
  const frames = said.map(([from, line], i): Frame => {
    const raw = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...line }));
    return { f: i + 1, t: 1000 * i, t0: null, from, form: 'message', raw, eol: '\n', event: null, detail: {} };
  });
  return sessionInMemory(metadataFor('cut off', ['kimi', '--wire']), frames);
}

const SAID: [From, object][] = [
  ['client', { id: 'a', method: 'prompt', params: { user_input: 'Hello' } }],
  ['agent', event('TurnBegin', { user_input: 'Hello' })],
  ['agent', event('ContentPart', { type: 'text', text: 'Hel' })],
];

it('does not sit out the patience of a client whose end is not on the tape', async () => {
  // The client would wait for so long that the agent gives up.
  const { client, agent } = await replayBoth(sessionOf(SAID), { timeout: 36_000 });
  expect([client.ok, agent.ok, agent.departed]).toEqual([true, true, []]);
});

describe('the tape of a run', () => {
  const streamed = (texts: readonly string[]) => {
    const recorded = sessionOf(SAID);
    const tape = new RunTape(recorded);
    const stream = new PassThrough();
    tape.listen('agent', stream);
    const client = new PassThrough();
    tape.listen('client', client);
    const [prompt] = [...recorded.frames()].map(({ raw }) => Buffer.from(raw).toString());
    client.emit('data', Buffer.from(`${prompt}\n`));
    stream.emit('data', Buffer.from(texts.map((text) => `${text}\n`).join('')));
    const lines = [...tape.session.frames()].filter(({ form }) => form !== 'event');
    return { isSame: tape.isSame(), lines: lines.map(({ raw }) => Buffer.from(raw).toString()), prompt };
  };
  const [begin, hel] = SAID.slice(1).map(([, line]) => JSON.stringify({ jsonrpc: '2.0', ...line })) as [string, string];

  it('has the recorded lines if they are the same', () => {
    const { isSame, lines, prompt } = streamed([begin, hel]);
    expect([isSame, lines]).toEqual([true, [prompt, begin, hel]]);
  });

  it('has what crossed, from the first difference on', () => {
    const { isSame, lines, prompt } = streamed([begin, 'other', hel]);
    expect([isSame, lines]).toEqual([false, [prompt, begin, 'other', hel]]);
  });

  it('is not the same if something is missing', () => {
    const { isSame, lines, prompt } = streamed([begin]);
    expect([isSame, lines]).toEqual([false, [prompt, begin]]);
  });
});
