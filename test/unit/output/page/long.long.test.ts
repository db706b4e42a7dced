/** Long sessions: rows leave the timeline while it is read, and are the same as if all of it had been kept. */
import { describe, expect, it } from 'vitest';
import type { WholeSession } from '../../../../lib/analysis/why/session-examiner.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { timelineRows } from '../../../../lib/model/timeline/json.ts';
import type { FrameSource } from '../../../../lib/output/viewer/source.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { type Session, sessionInMemory } from '../../../../lib/session/session.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';
import { bodyIn, pageOf, sourcesOf } from '../../../support/page.ts';

/** Lines of Kimi Wire, a hundredth of a second apart; of the agent unless they say otherwise. */
function session(lines: Iterable<object & { from?: 'client' }>) {
  const frames: Frame[] = [];
  for (const { from = 'agent', ...message } of lines) {
    const f = frames.length + 1;
    const raw = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    frames.push({ f, t: f / 100, t0: null, from, form: 'message', raw, eol: '\n', event: null, detail: {} });
  }
  return sessionInMemory(metadataFor('long', ['kimi', '--wire']), frames);
}

const event = (type: string, payload: object) => ({ method: 'event', params: { type, payload } });
const prompt = (id: string) => ({ from: 'client' as const, id, method: 'prompt', params: { user_input: `do ${id}` } });

let calls = 0;

function* step(n: number, count: number, asks: boolean) {
  yield event('StepBegin', { n });
  for (let i = 0; i < count; i++) {
    const id = `call-${++calls}`;
    yield event('ContentPart', { type: 'text', text: `the beginning of what is said before call ${n}-${i}, ` });
    yield event('ContentPart', { type: 'text', text: 'and its end.' });
    yield event('ToolCall', { type: 'function', id, function: { name: 'Shell', arguments: '{"command": "echo ' } });
    yield event('ToolCallPart', { arguments_part: `${'x'.repeat(80)} ${i}"}` });
    if (asks) {
      const payload = {
        id: `ask-${id}`,
        tool_call_id: id,
        sender: 'Shell',
        action: 'run command',
        description: 'Run it',
      };
      yield {
        id: `r-${id}`,
        method: 'request',
        params: { type: 'ApprovalRequest', payload: { ...payload, display: [] } },
      };
      const result = { request_id: `ask-${id}`, response: 'approve' };
      yield { from: 'client' as const, id: `r-${id}`, result };
    }
    const output = `the output of call ${n}-${i}, which is long enough to be quoted from the tape`;
    yield event('ToolResult', {
      tool_call_id: id,
      return_value: { is_error: false, output, message: '', display: [] },
    });
  }
}

function* turns(count: number, steps: number, calls: number, answered = true) {
  for (let turn = 0; turn < count; turn++) {
    yield prompt(`p${turn}`);
    yield event('TurnBegin', { user_input: `do p${turn}` });
    for (let n = 1; n <= steps; n++) yield* step(n, calls, n % 2 === 0);
    if (answered || turn < count - 1) {
      yield event('TurnEnd', {});
      yield { id: `p${turn}`, result: { status: 'finished' } };
    }
  }
}

const SESSIONS = {
  'many turns': session(turns(120, 2, 3)),
  'one long turn': session(turns(1, 150, 3)),
  'a turn that never ends': session(turns(2, 140, 4, false)),
  'a long step': session(turns(1, 1, 1300)),
};

async function read(long: Session) {
  const [source] = (await sourcesOf([long])).sources as [FrameSource];
  const bodies: Record<string, unknown>[] = [];
  for (let row = 0; row < source.rows.count; row++) bodies.push(bodyIn(await source.body(row)));
  return { source, rows: source.rows, bodies };
}

describe.each(Object.entries(SESSIONS))('%s', (_, long) => {
  const page = read(long);

  it('is shown with its whole tree to whoever decides where the page begins', async () => {
    const rowsOf = ({ timeline }: Pass) => [...timelineRows('long', 0, timeline.entries)];
    let shown: unknown[] = [];
    const focus = ({ pass }: WholeSession) => {
      shown = rowsOf(pass);
      return 1;
    };
    await pageOf([long], { focus });
    expect(shown).toEqual(rowsOf(new Pass(long, { tree: true }).run()));
  });

  it('has the rows of the timeline', async () => {
    const { source, rows, bodies } = await page;
    const { entries } = new Pass(long, { tree: true }).run().timeline;
    const expected = [...timelineRows('long', source.head.started, entries)].map(bodyIn);
    const known = new Set(bodies.map((body) => JSON.stringify(body)));
    expect(rows.count).toBe(expected.length);
    expect(expected.filter((row) => !known.has(JSON.stringify(row)))).toEqual([]);
    for (let row = 0; row < rows.count; row++) {
      const parent = rows.parent[row]!;
      expect(rows.depth[row]).toBe(parent < 0 ? 0 : rows.depth[parent]! + 1);
    }
  });

  it('has requests in their calls, and waits apart from runs', async () => {
    const { rows, bodies } = await page;
    let asked = 0;
    for (const [row, { kind, approval_f }] of bodies.entries()) {
      if (kind === 'approval') expect(bodies[rows.parent[row]!]!.kind).toBe('tool-call');
      if (kind !== 'tool-call' || approval_f === null) continue;
      asked++;
      expect(rows.wait_end[row]! - rows.wait[row]!).toBeCloseTo(0.01);
      expect(rows.run[row]).toBeCloseTo(rows.wait_end[row]!);
    }
    if (long !== SESSIONS['a long step']) expect(asked).toBeGreaterThan(100);
  });
});
