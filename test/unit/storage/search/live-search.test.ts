/** What a session that still runs is asked: told once, as soon as it is known. */
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import type { Frame, Metadata } from '../../../../lib/model/frame.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { LiveSearch } from '../../../../lib/storage/search/live-search.ts';
import { answer, ask, framesOf, type Said, tell } from '../../../support/reading.ts';

const METADATA: Metadata = {
  ...{ type: 'metadata', wiretape: 1, session: 's', started_at: '2026-11-16T02:29:11.000000Z' },
  ...{ command: ['x'], cwd: '/', recorder: 'wiretape' },
};

/** For each frame, the numbers of those that are told with it. */
function told(query: string, said: Said[]): number[][] {
  const live = new LiveSearch({ ...sessionInMemory(METADATA, []), running: true }, parseQuery(query));
  const numbers = (hits: { frame: Frame }[]) => hits.map(({ frame }) => frame.f);
  return [...framesOf(said).map((frame) => numbers(live.take(frame))), numbers(live.end())];
}

const HELLO: Said[] = [
  ['client', ask('i', 'initialize', { protocol_version: '1.10', client: { name: 'zed', version: '1' } })],
  ['agent', answer('i', { protocol_version: '1.10', server: { name: 'Kimi Code CLI', version: '2' } })],
];
const event = (type: string, payload: unknown): Said => ['agent', tell('event', { type, payload })];

describe('a session that still runs', () => {
  it('tells a request when its answer tells how long it took', () => {
    const said: Said[] = [
      ['client', ask(1, 'm')],
      ['client', ask(2, 'n')],
      ['agent', answer(1, 'x')],
    ];
    expect(told('envelope:request latency:*', said)).toEqual([[], [], [1], []]);
    expect(told('envelope:request is:pending', said)).toEqual([[1], [2], [], []]);
    expect(told('method:m', said)).toEqual([[1], [], [3], []]);
  });

  it('tells text in the frame in which it ends', () => {
    const text = (text: string) => event('ContentPart', { type: 'text', text });
    const said = [
      ...HELLO,
      event('TurnBegin', {}),
      event('StepBegin', { n: 1 }),
      text('Conn'),
      text('ection RE'),
      text('set'),
    ];
    expect(told('"connection reset"', said)).toEqual([[], [], [], [], [], [], [7], []]);
  });

  it('tells what came before it was known who speaks', () => {
    const said: Said[] = [['agent', 'noise'], ...HELLO];
    expect(told('client:zed*', said)).toEqual([[], [1, 2], [3], []]);
    expect(told('agent:kimi*', said)).toEqual([[], [], [1, 2, 3], []]);
    expect(told('agent:kimi* is:noise', said)).toEqual([[], [], [1], []]);
    expect(told('agent:other*', said)).toEqual([[], [], [], []]);
  });

  it('tells what proves to match when it is another dialect than it seemed', () => {
    // Anybody may say this; with what follows it is Wire.
    const said: Said[] = [['client', ask('p', 'prompt', {})], ['agent', 'noise'], ...HELLO];
    const all = told('kind:prompt', said).flat();
    expect(all).toEqual([1]);
    expect(told('dialect:wire', said).flat().sort()).toEqual([1, 2, 3, 4]);
    expect(told('f:*', said)).toEqual([[1], [2], [3], [4], []]);
  });

  it('does so after any number of lines on stderr', () => {
    const logs = Array.from({ length: 12_000 }, (): Said => ['stderr' as 'agent', 'a log line']);
    const all = told('kind:prompt,handshake', [['client', ask('p', 'prompt', {})], ...logs, ...HELLO]).flat();
    expect(all).toEqual([1, 12_002, 12_003]);
  });

  it('tells what only the end tells', () => {
    const payload = { id: 'r', tool_call_id: 'c', sender: 'Shell', action: 'run', description: 'ls', display: [] };
    const said: Said[] = [...HELLO, ['agent', ask('r', 'request', { type: 'ApprovalRequest', payload })]];
    expect(told('approval:none', said)).toEqual([[], [], [], [3]]);
  });
});
