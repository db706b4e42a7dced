/** `wiretape replay TAPE -- AGENT` with real agents: what they ask, in which order, and how they end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { agentOf, drive, recorded, rowsOf } from '../../support/driving.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { wiretape } from '../../support/run.ts';
import { it, makePlace, type Place, removePlace } from '../../support/store.ts';

const shell = (command: string, more: object = {}) => ({
  tool: { name: 'Shell', arguments: { command }, approval: true, result: 'done', ...more },
});
const TWO = [[shell('ls'), shell('rm -r build')]];
const REJECT_SECOND = [
  { policy: { approve: ['approve', { response: 'reject', feedback: 'keep it' }] } },
  { prompt: 'Clean up.' },
];

const recordTwoDecisions = (place: Place) => recorded(place, agentOf(place, TWO, [[{ text: 'Done.' }]]), REJECT_SECOND);

/** Recorded once, in a store of their own: what most agents here are driven from. */
let store: Place;
let twoDecisions: string;
let twoPrompts: string;

beforeAll(async () => {
  store = makePlace();
  [twoDecisions, twoPrompts] = await Promise.all([
    recordTwoDecisions(store),
    recorded(store, agentOf(store), [{ prompt: 'one' }, { prompt: 'two' }]),
  ]);
});

afterAll(() => removePlace(store));

const decisionsIn = async (place: Place, session: string | null) =>
  (await rowsOf(place, 'approvals', session!)).map(({ description, decision, by }) => [description, decision, by]);

/** An agent of Wire that asks for an approval, and writes down how many seconds it waited for the answer. */
const TIMED = `
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const event = (type, payload) => say({ method: 'event', params: { type, payload } });
const call = { type: 'function', id: 'c', function: { name: 'Shell', arguments: '{"command":"ls"}' } };
const ask = { id: 'r', tool_call_id: 'c', sender: 'Shell', action: 'run', description: 'Run ls', display: [] };
let prompt, asked;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize')
    say({ id, result: { protocol_version: '1.10', server: { name: 'x', version: '1' }, slash_commands: [] } });
  else if (method === 'prompt') {
    prompt = id;
    event('TurnBegin', { user_input: 'go' });
    event('StepBegin', { n: 1 });
    event('ToolCall', call);
    asked = performance.now();
    say({ id: 'r', method: 'request', params: { type: 'ApprovalRequest', payload: ask } });
  } else if (id === 'r') {
    require('node:fs').writeFileSync(process.argv[1], String((performance.now() - asked) / 1000));
    const return_value = { is_error: false, output: 'a', message: '', display: [] };
    event('ToolResult', { tool_call_id: 'c', return_value });
    say({ id: prompt, result: { status: 'finished' } });
  }
});`;

describe.concurrent('an agent that does what the tape says', () => {
  it('is driven to the end, and recorded as a replay of the session', async ({ place }) => {
    const tape = await recordTwoDecisions(place);
    const [original] = await rowsOf(place, 'ls');
    const { code, stderr, stdout, report } = await drive(place, tape, agentOf(place, TWO, [[{ text: 'Done.' }]]));
    expect({
      code,
      stderr: stderr.includes('2 sent, 2 answered'),
      stdout: String(stdout).includes('no differences'),
    }).toEqual({
      ...{ code: 0, stderr: true, stdout: true },
    });
    expect(report).toMatchObject({ session: original!.session, sent: 2, answered: 2, ok: true, unmatched: [] });
    expect(report.ended).toEqual({ code: 0, signal: null, timed_out: false });
    const [first, second] = await rowsOf(place, 'ls');
    expect([first!.source, second!.source]).toEqual(['record', 'replay']);
    expect(second!.session).toBe(report.replayed_as);
    const { stdout: bytes } = await wiretapeHere(place, ['export', report.replayed_as!, '--format', 'jsonl']);
    expect(JSON.parse(String(bytes).split('\n')[0]!).replay_of).toBe(original!.session);
  });

  it('gets each answer for what it asks, in whichever order it asks', async ({ place }) => {
    const [first, second] = TWO[0]!;
    const { code, report } = await drive(place, twoDecisions, agentOf(place, [[second, first]], [[{ text: 'Done.' }]]));
    expect(report).toMatchObject({ answered: 2, unmatched: [], departed: [], never_asked: [] });
    // The order of the calls is a difference, which the diff shows.
    expect(code).toBe(1);
    expect(await decisionsIn(place, report.replayed_as)).toEqual([
      ['Run command `rm -r build`', 'deny', 'client'],
      ['Run command `ls`', 'allow', 'client'],
    ]);
  });

  it('is cancelled and steered at the same points', async ({ place }) => {
    const slow = [[{ text: 'one' }, shell('make')], [{ text: 'two' }]];
    const turns = [slow, [[shell('make publish')]], [[{ text: 'bye' }]]];
    const tape = await recorded(place, agentOf(place, ...turns), [
      { policy: { hold: true } },
      { prompt: 'Build it.', wait: false },
      { wait: 'ApprovalRequest' },
      { steer: 'Quickly.' },
      { policy: { hold: false } },
      { wait: 'answer' },
      { policy: { hold: true } },
      { prompt: 'Publish it.', wait: false, expect: 'cancelled' },
      { wait: 'ApprovalRequest' },
      { cancel: true },
      { wait: 'answer' },
      { prompt: 'Bye.' },
    ]);
    const { code, report } = await drive(place, tape, agentOf(place, ...turns));
    expect(report).toMatchObject({ departed: [], never_sent: [], never_asked: [], unmatched: [] });
    expect(code).toBe(0);
    const kinds = await rowsOf(place, 'filter', 'from:client', report.replayed_as!);
    expect(kinds.map(({ kind }) => kind)).toEqual([
      ...['handshake', 'prompt', 'steer', 'approval-answer', 'prompt', 'cancel', 'prompt', 'process'],
    ]);
  });

  it('waits as long for the client as on the tape, scaled', async ({ place }) => {
    const file = join(place.dir, 'waited');
    const agent = [process.execPath, '-e', TIMED, file];
    const tape = await recorded(place, agent, [{ prompt: 'go' }], ['--delay', '0.4']);
    const [row] = await rowsOf(place, 'approvals');
    const wait = row!.wait as number;
    expect(wait).toBeGreaterThan(0);
    const waited = async (...options: string[]) => {
      expect((await drive(place, tape, agent, options)).report).toMatchObject({ ok: true, answered: 1 });
      return Number(readFileSync(file, 'utf8'));
    };
    // The agent itself measures it, so a busy machine makes it more, never less.
    expect(await waited()).toBeGreaterThan(wait - 0.01);
    expect(await waited('--speed', '2x')).toBeGreaterThan(wait / 2 - 0.01);
  });
});

describe.concurrent('an agent that asks for something else', () => {
  const OTHER = [[shell('ls'), shell('rm -r /')]];

  it('is refused by default, and nothing runs', async ({ place }) => {
    const { code, stderr, report } = await drive(place, twoDecisions, agentOf(place, OTHER));
    expect(code).toBe(1);
    expect(stderr).toContain('not on the tape: approval of Shell: Run command `rm -r /`, rejected; nearest is f');
    expect(report.unmatched).toMatchObject([{ kind: 'approval', answer: 'rejected' }]);
    expect(report.never_asked).toHaveLength(1);
    const [allowed, refused] = await rowsOf(place, 'approvals', report.replayed_as!);
    expect([allowed!.decision, refused!.decision, refused!.executed]).toEqual(['allow', 'deny', 'no']);
    expect(refused!.f).toBe(report.unmatched[0]!.f);
  });

  it('is allowed with --on-unmatched approve', async ({ place }) => {
    const { code, report } = await drive(place, twoDecisions, agentOf(place, OTHER), [
      '--instant',
      '--on-unmatched',
      'approve',
    ]);
    expect(code).toBe(1);
    expect(report.unmatched).toMatchObject([{ answer: 'approved' }]);
    expect(await decisionsIn(place, report.replayed_as)).toContainEqual(['Run command `rm -r /`', 'allow', 'client']);
  });

  it('ends the run with --on-unmatched stop', async ({ place }) => {
    const { code, report } = await drive(place, twoDecisions, agentOf(place, OTHER), [
      '--instant',
      '--on-unmatched',
      'stop',
    ]);
    expect(code).toBe(1);
    expect(report.unmatched).toMatchObject([{ answer: 'stopped' }]);
    expect(report.ended).toMatchObject({ timed_out: false });
  });
});

/** For any agent to start and answer the handshake, on a busy machine too: only what is meant to hang runs out of it. */
const LONG_ENOUGH = '8s';

const DEAF = [process.execPath, '-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"];

describe.concurrent('an agent that fails', () => {
  it('crashes: it is said where, and exit 1', async ({ place }) => {
    const { code, stderr, report } = await drive(place, twoPrompts, agentOf(place, [{ exit: 3 }]));
    expect(code).toBe(1);
    expect(stderr).toMatch(/f\d+ the agent exited with 3 before this line/);
    expect(report.ended).toEqual({ code: 3, signal: null, timed_out: false });
    expect(report.never_sent).toHaveLength(1);
  });

  it('is killed: by which signal, and exit 1', async ({ place }) => {
    const suicide = ['sh', '-c', 'read line; kill -9 $$'];
    const { code, report } = await drive(place, twoPrompts, suicide);
    expect(code).toBe(1);
    expect(report.ended).toEqual({ code: null, signal: 'SIGKILL', timed_out: false });
    expect(report.departed).toContainEqual({ f: 2, what: 'initialize: never answered' });
  });

  it('hangs: it is ended after --timeout, and exit 1', async ({ place }) => {
    const hangs = agentOf(place, [[shell('sleep', { approval: false, forever: true })]]);
    const options = ['--instant', '--timeout', LONG_ENOUGH];
    const { code, stderr, report } = await drive(place, twoPrompts, hangs, options);
    expect(code).toBe(1);
    expect(stderr).toMatch(/f\d+ prompt: the agent was silent for 8.00 s/);
    expect(report.ended).toEqual({ code: null, signal: 'SIGTERM', timed_out: true });
  });

  it('does not read: it is ended after --timeout', async ({ place }) => {
    const tape = await recorded(place, agentOf(place), [{ prompt: 'x'.repeat(4_000_000) }]);
    // It answers the handshake, and never reads again.
    const deaf = `
      const { readSync } = require('node:fs');
      const buffer = Buffer.alloc(4096);
      let text = '';
      while (!text.includes('\\n')) text += buffer.toString('utf8', 0, readSync(0, buffer));
      console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(text.split('\\n')[0]).id, result: {} }));
      setInterval(() => {}, 1000);`;
    const options = ['--instant', '--timeout', LONG_ENOUGH];
    const { code, report } = await drive(place, tape, [process.execPath, '-e', deaf], options);
    expect([code, report.ended]).toEqual([1, { code: null, signal: 'SIGTERM', timed_out: true }]);
  });

  it('ignores SIGTERM: it is killed, and the recorder says so', async ({ place }) => {
    const options = ['--instant', '--timeout', LONG_ENOUGH];
    const { code, report } = await drive(place, twoPrompts, DEAF, options);
    expect(code).toBe(1);
    expect(report.ended).toEqual({ code: null, signal: 'SIGKILL', timed_out: true });
    const [replayed] = await rowsOf(place, 'ls');
    expect(replayed).toMatchObject({ state: 'ended', exit: { code: null, signal: 'SIGKILL' } });
  });

  it('answers with another status or an error: exit 1', async ({ place }) => {
    const { code, report } = await drive(
      place,
      twoPrompts,
      agentOf(place, [{ fail: -32003, message: 'no model' }], [[{ text: 'x' }], { max_steps: true }]),
    );
    expect(code).toBe(1);
    expect(report.departed.map(({ what }) => what)).toEqual([
      'prompt: the turn ended with error, not finished',
      'prompt: the turn ended with max_steps_reached, not finished',
    ]);
  });

  it('cannot be started: 127 or 126, as for record', async ({ place }) => {
    const missing = await wiretape(place, ['replay', twoPrompts, '--', 'no-such-agent']);
    const hint = 'hint: check the name, or give the path of the program';
    expect([missing.code, String(missing.stderr)]).toEqual([
      127,
      `wiretape: agent not found: no-such-agent\n${hint}\n`,
    ]);
    const folder = await wiretape(place, ['replay', twoPrompts, '--', place.dir]);
    expect(folder.code).toBe(126);
  });
});
