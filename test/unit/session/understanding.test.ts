/** How much of a session was understood, and that nobody claims more than that. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Checker } from '../../../lib/analysis/check/checker.ts';
import { acp } from '../../../lib/dialects/acp/index.ts';
import { DialectDetector } from '../../../lib/dialects/detect.ts';
import type { Dialect } from '../../../lib/dialects/dialect.ts';
import { jsonrpc } from '../../../lib/dialects/jsonrpc/index.ts';
import { lines } from '../../../lib/dialects/lines/index.ts';
import type { Finding } from '../../../lib/dialects/rules/rule.ts';
import { streamJson } from '../../../lib/dialects/stream-json/index.ts';
import { wire } from '../../../lib/dialects/wire/index.ts';
import { describeMissing, isMostlyUnread, type ReadShare, Understanding } from '../../../lib/session/understanding.ts';
import { readLineLog } from '../../../lib/storage/tape/import/line-log.ts';
import { readAll, sessionOf } from '../../support/audit.ts';
import { others, othersIn, readOther } from '../../support/others.ts';
import { answer, ask, type Said, tell } from '../../support/reading.ts';
import { fixtures } from '../../support/timeline.ts';
import { readTruth } from '../../support/truth.ts';

function shareOf(dialect: Dialect, said: Said[]): ReadShare {
  const understanding = new Understanding();
  for (const read of readAll(dialect, sessionOf(said))) understanding.take(read);
  return understanding.in(dialect.name);
}

/** An agent that has the options and the first lines of Claude, and says the rest in its own words. */
const STREAM: Said[] = [
  ['agent', { type: 'system', subtype: 'init', session_id: 's' }],
  ['client', { type: 'user', message: { role: 'user', content: 'go' } }],
  ['agent', { type: 'tool_started', tool: 'sh', cmd: 'rm -rf build' }],
  ['agent', { type: 'tool_done', tool: 'sh' }],
  ['agent', { type: 'turn_over' }],
];
/** One that shakes hands as ACP has it, and works by methods of its own. */
const RPC: Said[] = [
  ['client', ask(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} })],
  ['agent', answer(0, { protocolVersion: 1, agentCapabilities: {} })],
  ['client', ask(1, 'session/new', { cwd: '/w' })],
  ['agent', answer(1, { sessionId: 's' })],
  ...[1, 2, 3].map((n): Said => ['agent', tell('x/work', { n })]),
  ['agent', ask(9, 'x/may_i', { command: 'rm' })],
  ['client', answer(9, { ok: true })],
];

describe('what is understood', () => {
  it('is what the dialect has a word for', () => {
    expect(shareOf(streamJson, STREAM)).toEqual({ lines: 4, understood: 1, enough: false });
    expect(shareOf(acp, RPC)).toEqual({ lines: 6, understood: 2, enough: false });
    expect(shareOf(streamJson, STREAM.slice(0, 2))).toEqual({ lines: 1, understood: 1, enough: true });
  });

  it('is never enough where only envelopes or lines are known', () => {
    expect(shareOf(jsonrpc, RPC)).toMatchObject({ lines: 6, enough: false });
    expect(
      shareOf(lines, [
        ['agent', 'plain'],
        ['agent', ''],
        ['agent', { response: 'x' }],
      ]),
    ).toEqual({
      ...{ lines: 2, understood: 0, enough: false },
    });
  });

  it('is not less because of noise, of a few new lines, or of refused requests', () => {
    const noise = Array.from({ length: 30 }, (_, i): Said => ['agent', `log ${i}`]);
    expect(shareOf(streamJson, [...noise, ...STREAM.slice(0, 2)]).enough).toBe(true);
    expect(shareOf(wire, [['agent', 'kimi-cli is no longer maintained']])).toEqual({
      lines: 0,
      understood: 0,
      enough: true,
    });
    const refused = [1, 2, 3].flatMap((id): Said[] => [
      ['client', ask(id, 'no/such')],
      ['agent', { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }],
    ]);
    expect(shareOf(acp, refused).enough).toBe(true);
  });

  it('is told in words only where there was something to understand', () => {
    expect(describeMissing(shareOf(streamJson, STREAM))).toBe(
      '1 of 4 lines from the agent were understood: calls and approvals may be missing',
    );
    expect(describeMissing(shareOf(lines, [['agent', { x: 1 }]]))).toContain(
      '0 of 1 line from the agent was understood',
    );
    for (const read of [null, shareOf(lines, []), shareOf(acp, [])]) expect(describeMissing(read)).toBeNull();
  });
});

describe('rules of a protocol', () => {
  function checked(dialect: Dialect, said: Said[]) {
    const checker = new Checker({ command: ['new'], dialect: dialect.name, source: 'record' });
    const found: Finding[] = [];
    const frames = sessionOf([...said, ['exit', { code: 0 }]]);
    for (const read of readAll(dialect, frames)) found.push(...checker.take(read));
    const all = [...found, ...checker.end()];
    return {
      all: all.map(({ rule }) => rule),
      stand: all.filter((one) => checker.isHeldTo(one)).map(({ rule }) => rule),
      checker,
    };
  }

  it('are not held against a session that is mostly unread', () => {
    const { all, stand, checker } = checked(streamJson, STREAM);
    expect(all).toContain('stream-shape');
    expect(stand).toEqual([]);
    expect(checker.applied.every(({ dialects }) => dialects === null)).toBe(true);
  });

  it('are, where the agent is understood', () => {
    expect(checked(streamJson, STREAM.slice(0, 2)).stand).toContain('stream-shape');
  });

  it('of JSON-RPC are certain: each request has its answer', () => {
    const { stand, all } = checked(acp, [...RPC, ['client', answer('nobody', {})], ['agent', tell('x/y')]]);
    expect(all).toContain('acp-extension');
    expect(stand).toEqual(['rpc-unknown-answer']);
  });
});

describe('no tape of a known agent is called unread', () => {
  // Those of the suite, and of other agents, where they are at hand.
  const held = readTruth(`${fixtures}TRUTH.tsv`).map(({ tape }) => ({
    tape,
    read: () => readLineLog(`${fixtures}${tape}.jsonl`),
  }));
  const folders =
    others === null ? [] : readdirSync(others).filter((name) => !name.includes('.tsv') && !name.endsWith('.md'));
  const more = folders.flatMap(othersIn).map((tape) => ({ tape, read: () => readOther(tape) }));

  it.each([...held, ...more])('$tape', ({ tape, read }) => {
    const { command, frames } = read();
    const detector = new DialectDetector(command);
    for (const frame of frames) detector.take(frame);
    const { dialect } = detector.best;
    const understanding = new Understanding();
    for (const one of readAll(dialect, frames, command)) understanding.take(one);
    expect(isMostlyUnread(understanding.in(dialect.name))).toBe(tape.startsWith('cn-'));
  });
});
