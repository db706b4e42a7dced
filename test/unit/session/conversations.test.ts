/** Which conversations a session names, in each protocol: on the command line, in the agent's lines, on stderr. */
import { describe, expect, it } from 'vitest';
import { conversationOf, isResumed, resumedBy } from '../../../lib/dialects/common/conversation.ts';
import { traitsOf } from '../../../lib/dialects/index.ts';
import { openSession } from '../../../lib/index.ts';

const ID = '0a0382d3-de26-474b-99c9-9a0b70c23f4e';
const naming = (dialect: string) => traitsOf(dialect).conversations;
const resumed = (dialect: string, ...words: string[]) => resumedBy(naming(dialect), ['agent', ...words]);
const named = (dialect: string, from: 'agent' | 'client', value: unknown) =>
  conversationOf(naming(dialect), { from } as never, value);

describe('the command line', () => {
  it('names the conversation to go on with', () => {
    for (const option of ['-r', '-S', '--session', '--resume']) expect(resumed('wire', '--wire', option, ID)).toBe(ID);
    expect(resumed('wire', `--session=${ID}`)).toBe(ID);
    expect(resumed('stream-json', '--resume', ID)).toBe(ID);
    expect(resumed('wire', '--continue')).toBeNull();
    expect(resumed('stream-json', '--resume', 'what did we say?')).toBeNull();
    expect(resumed('mcp', '-r', ID)).toBeNull();
  });

  it('goes on with one, with or without a name', () => {
    expect(isResumed(naming('wire'), ['kimi', '--wire', '--continue'])).toBe(true);
    expect(isResumed(naming('wire'), ['kimi', `--session=${ID}`])).toBe(true);
    expect(isResumed(naming('wire'), ['kimi', '--wire'])).toBe(false);
  });
});

describe('a line', () => {
  it('names its conversation if the agent sent it', () => {
    expect(named('acp', 'agent', { id: 1, result: { sessionId: ID } })).toBe(ID);
    expect(named('acp', 'agent', { method: 'session/update', params: { sessionId: ID } })).toBe(ID);
    expect(named('stream-json', 'agent', { type: 'system', session_id: ID })).toBe(ID);
    expect(named('stream-json', 'agent', { type: 'system', session_id: '' })).toBeNull();
    // The agent may not have what the client asks for.
    expect(named('acp', 'client', { method: 'session/load', params: { sessionId: ID } })).toBeNull();
  });

  it('is on stderr, in Wire', () => {
    const session = openSession('test/fixtures/audit/live-dg.jsonl');
    expect(session.summary().conversations).toEqual(['147f7810-004b-4dcf-8dac-aa5babc33d5a']);
    session.close();
  });
});
