/** How sure the two are that a session is theirs. */
import { describe, expect, it } from 'vitest';
import type { FirstLines } from '../../../lib/dialects/dialect.ts';
import { wire } from '../../../lib/dialects/wire/index.ts';
import { wireLegacy } from '../../../lib/dialects/wire-legacy/index.ts';
import { ask, error, event } from '../../support/wire.ts';

describe('recognition', () => {
  const look = (command: string[], ...lines: string[]) => {
    const first = lines.map((line) => ({
      from: line[0] === '>' ? 'client' : 'agent',
      value: JSON.parse(line.slice(1)),
    }));
    return [wire, wireLegacy].map((dialect) => dialect.recognise({ command, lines: first as FirstLines['lines'] }));
  };
  const hello = ask('1', 'initialize', { protocol_version: '1.1' });
  const run = ask('2', 'run', { input: 'x' });

  it('goes by the agent, then by the client, then by the command', () => {
    expect(look(['kimi', '--wire'])).toEqual([0.6, 0.3]);
    expect(look(['/opt/kimi-agent'])).toEqual([0.6, 0.3]);
    expect(look(['kimi', '--ui', 'wire'])).toEqual([0.6, 0.7]);
    expect(look(['kimi', '--wire'], hello)).toEqual([0.9, 0.3]);
    expect(look(['proxy'], hello)).toEqual([0.9, 0]);
    expect(look(['kimi', '--wire'], hello, error('<', '1', { code: -32601 }), run)).toEqual([0.3, 0.9]);
    expect(look(['kimi', '--wire'], hello, run, event('step_begin', { n: 1 }))).toEqual([0, 1]);
    expect(look(['kimi', '--wire'], run, event('TurnBegin', { user_input: 'x' }))).toEqual([1, 0]);
  });

  it('does not take others for it', () => {
    expect(look(['server'], ask(0, 'initialize', { protocolVersion: '2025-06-18' }))).toEqual([0, 0]);
    expect(look(['server'], ask(1, 'prompt', { messages: [] }), event('log', {}))).toEqual([0, 0]);
    expect(look([])).toEqual([0, 0]);
  });
});
