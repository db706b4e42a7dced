// `approvals` over a store of a thousand sessions with a thousand frames each, all of it in the index. Each session asks
// twenty times; the rest is text, calls and their results.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { interleave } from './lib/pairs.mjs';
import { limitRow } from './lib/rows.mjs';
import { run } from './lib/run.mjs';

const SESSIONS = 1000;
const FRAMES = 1000;
const ASKED = 20;

export async function approvals(bench) {
  return withStore(bench, async (home, env) => {
    bench.progress(`approvals: ${SESSIONS} sessions`);
    for (let i = 0; i < SESSIONS; i++) writeSession(join(home, 'sessions'), i);
    bench.progress(`approvals: indexing ${SESSIONS * FRAMES} frames`);
    await run([bench.program, 'ls'], env);
    const took = async (...args) => {
      const start = performance.now();
      let rows = 0;
      await run([bench.program, 'approvals', ...args], env, (chunk) => {
        for (const byte of chunk) if (byte === 10) rows++;
      });
      if (rows < SESSIONS) throw new Error(`approvals ${args.join(' ')}: only ${rows} lines`);
      return (performance.now() - start) / 1000;
    };
    const samples = await interleave(bench, 'approvals', {
      table: () => took(),
      json: () => took('--json'),
      query: () => took('-q', 'by:grant tool:Shell'),
    });
    const what = `approvals of ${SESSIONS} sessions, ${SESSIONS * FRAMES} frames, ${SESSIONS * ASKED} rows`;
    return [
      limitRow(what, 'time', samples.table, { most: 1 }),
      limitRow('the same with --json', 'time', samples.json, { most: 1 }),
      limitRow("the same with -q 'by:grant tool:Shell'", 'time', samples.query, { most: 1 }),
    ];
  });
}

/** A turn of Wire in which a call is asked about now and then; the last of them stands under a grant. */
function writeSession(folder, n) {
  const started = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
  const id = `${started.replace(/[-:]/g, '').slice(0, 15)}-bbbb`;
  mkdirSync(join(folder, id), { recursive: true, mode: 0o700 });
  const lines = [];
  const add = (from, what) => {
    const f = lines.length + 1;
    lines.push(JSON.stringify({ f, t: f / 1000, from, ...what }));
  };
  const say = (type, payload) =>
    add('agent', { message: { jsonrpc: '2.0', method: 'event', params: { type, payload } } });
  add('proc', { event: 'spawn', pid: 4711 });
  add('client', { message: { jsonrpc: '2.0', method: 'initialize', id: 'i', params: { protocol_version: '1.10' } } });
  add('agent', {
    message: { jsonrpc: '2.0', id: 'i', result: { protocol_version: '1.10', server: { name: 'Kimi' } } },
  });
  add('client', { message: { jsonrpc: '2.0', method: 'prompt', id: 'p', params: { user_input: 'go' } } });
  say('TurnBegin', { user_input: 'go' });
  say('StepBegin', { n: 1 });
  for (let i = 0; i < ASKED; i++) callOnce({ add, say }, `${n}-${i}`, i >= ASKED - 2);
  while (lines.length < FRAMES - 3) say('ContentPart', { type: 'text', text: `word ${lines.length} ` });
  say('TurnEnd', {});
  add('agent', { message: { jsonrpc: '2.0', id: 'p', result: { status: 'finished' } } });
  add('proc', { event: 'exit', code: 0, signal: null });
  const about = { session: id, started_at: started, command: ['kimi', '--wire'], cwd: '/work', recorder: 'bench' };
  const metadata = JSON.stringify({ type: 'metadata', wiretape: 1, ...about });
  const tape = `${[metadata, ...lines].join('\n')}\n`;
  const sha256 = createHash('sha256').update(Buffer.alloc(32)).update(tape).digest('hex');
  const seal = { type: 'seal', f: lines.length, t: lines.length / 1000, at: started, sha256, final: true };
  writeFileSync(join(folder, id, 'wire.jsonl'), `${tape}${JSON.stringify(seal)}\n`);
}

function callOnce({ add, say }, id, isGranted) {
  const call = `call-${id}`;
  const command = `npm run build -- --target ${id} --with some --more words`;
  const name = 'Shell';
  say('ToolCall', { type: 'function', id: call, function: { name, arguments: JSON.stringify({ command }) } });
  if (!isGranted) {
    const payload = { id, tool_call_id: call, sender: name, action: 'run command', description: `Run \`${command}\`` };
    add('agent', { message: { jsonrpc: '2.0', method: 'request', id, params: { type: 'ApprovalRequest', payload } } });
    const response = id.endsWith(`-${ASKED - 3}`) ? 'approve_for_session' : 'approve';
    add('client', { message: { jsonrpc: '2.0', id, result: { request_id: id, response } } });
    say('ApprovalResponse', { request_id: id, response, feedback: '' });
  }
  const output = 'built in 3 s\n';
  say('ToolResult', { tool_call_id: call, return_value: { is_error: false, output, message: '', display: [] } });
}
