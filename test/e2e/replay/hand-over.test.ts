/** Forks, signals and the end of stdin, when `wiretape replay TAPE -- AGENT` is the client. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { agentOf, drive, recorded, rowsOf } from '../../support/driving.ts';
import { WIRETAPE } from '../../support/run.ts';
import { it, makePlace, type Place, removePlace } from '../../support/store.ts';
import { sealed } from '../../support/wait.ts';

const TURN = [[{ tool: { name: 'Shell', arguments: { command: 'make' }, approval: true, result: 'done' } }]];

/** One approval, recorded once in a store of its own. */
let store: Place;
let tape: string;

beforeAll(async () => {
  store = makePlace();
  tape = await recorded(store, agentOf(store, TURN), [{ prompt: 'Build it.' }]);
});

afterAll(() => removePlace(store));

async function frameOf(place: Place, query: string): Promise<number> {
  const [row] = await rowsOf(place, 'filter', query, tape);
  return row!.f as number;
}

const linesOf = (client: Client) =>
  String(client.stdout)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe.concurrent('--until', () => {
  it('hands the running agent over: what it waits for is said again, and the rest is ours', async ({ place }) => {
    const f = await frameOf(place, 'kind:approval-answer');
    const words = ['replay', tape, '--instant', '--until', `f${f}`, '--', ...agentOf(place, TURN)];
    const client = new Client([WIRETAPE, ...words], { env: place.env });
    await client.until('\n');
    const [ask] = linesOf(client);
    expect(ask).toMatchObject({ method: 'request', params: { type: 'ApprovalRequest' } });
    const result = { request_id: ask.params.payload.id, response: 'reject' };
    await client.write(`${JSON.stringify({ jsonrpc: '2.0', id: ask.id, result })}\n`);
    await client.until('"finished"');
    client.end();
    await client.over();
    expect(client.code).toBe(0);
    expect(String(client.stderr)).toContain(`handed over before f${f}`);
    const [session] = await rowsOf(place, 'ls');
    const [row] = await rowsOf(place, 'approvals', session!.session as string);
    expect([row!.decision, row!.by]).toEqual(['deny', 'client']);
    // Only what came after the handover is ours to see.
    expect(linesOf(client).some(({ params }) => params?.type === 'TurnBegin')).toBe(false);
  });

  it('exits as the agent does', async ({ place }) => {
    const f = await frameOf(place, 'kind:prompt');
    const answers = `process.stdin.once('data', (line) => {
      console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: {} }));
      process.stdin.on('end', () => process.exit(7));
    })`;
    const options = ['--instant', '--until', `${f}`];
    const { code, report } = await drive(place, tape, [process.execPath, '-e', answers], options);
    expect([code, report.handed_over, report.sent]).toEqual([7, f, 1]);
  });
});

describe.concurrent('--until a frame that never comes', () => {
  it('is said, and exit 1', async ({ place }) => {
    const { code, report } = await drive(place, tape, agentOf(place, TURN), ['--instant', '--until', 'f9999']);
    expect([code, report.handed_over]).toEqual([1, null]);
    expect(report.departed).toContainEqual({ f: 9999, what: 'the run ended before this frame' });
  });
});

describe.concurrent('signals', () => {
  it('of a terminal reach the agent once, and end us', async ({ place }) => {
    const words = ['replay', tape, '--instant', '--', process.execPath, '-e', COUNTS_SIGNALS];
    const client = new Client([WIRETAPE, ...words], { env: place.env, detached: true });
    await client.until('ready', 'stderr');
    process.kill(-client.pid, 'SIGINT');
    await client.until('SIGINT', 'stderr');
    process.kill(-client.pid, 'SIGINT');
    await client.over();
    expect(client.signal).toBe('SIGINT');
    // The second one means that it must end now.
    expect(String(client.stderr).match(/got \w+/g)).toEqual(['got SIGINT', 'got SIGTERM']);
  });

  it('on the tape are sent again', async ({ place }) => {
    const signalled = await recordedWithSignal(place);
    const { code, report } = await drive(place, signalled, ENDS_BY_SIGNAL);
    expect(report.departed).toEqual([]);
    expect([code, report.ended]).toEqual([0, { code: 9, signal: null, timed_out: false }]);
  });
});

const COUNTS_SIGNALS = `
  for (const name of ['SIGINT', 'SIGTERM'])
    process.on(name, () => {
      console.error('got ' + name);
      if (name === 'SIGTERM') process.exit(0);
    });
  process.stdin.resume();
  setInterval(() => {}, 1000);
  console.error('ready')`;

const ENDS_BY_SIGNAL = [
  ...[process.execPath, '-e'],
  'process.on(\'SIGUSR1\', () => process.exit(9)); process.stdin.resume(); setInterval(() => {}, 1000); console.log(\'{"type":"ready"}\')',
];

async function recordedWithSignal(place: Place): Promise<string> {
  const signalled = `${place.dir}/signal.jsonl`;
  const client = new Client([WIRETAPE, 'record', '--tape', signalled, '--', ...ENDS_BY_SIGNAL], { env: place.env });
  await client.write('{"type":"hello"}\n');
  await client.until('ready');
  client.kill('SIGUSR1');
  await client.over();
  await sealed(signalled);
  return signalled;
}
