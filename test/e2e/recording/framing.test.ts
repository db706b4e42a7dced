/** Content-Length frames, with real processes: nothing changes for the client, and the tape has every byte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { brief, runBoth, seenIn } from '../../support/both.ts';
import { Client } from '../../support/client.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { agent, onlyTape, WIRETAPE, wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';
import { waitFor } from '../../support/wait.ts';

const frame = (message: object, more = '') => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`;
};
const SERVER = agent('content-length.mjs');

async function raw(place: Place, from: string): Promise<Buffer> {
  const { stdout, code } = await wiretapeHere(place, ['show', 'last', '--raw', '--from', from]);
  expect(code).toBe(0);
  return stdout;
}

async function json(place: Place, ...args: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await wiretapeHere(place, [...args, '--json']);
  const rows = stdout.toString().trimEnd().split('\n');
  return rows.filter((row) => row !== '').map((row) => JSON.parse(row) as Record<string, unknown>);
}

describe.concurrent('with and without wiretape the client sees the same', () => {
  it.for<[string, string, number]>([
    ['messages', frame({ id: 1, method: 'a', params: 'größe' }) + frame({ id: 2, method: 'b' }, 'X-a: b\r\n'), 2],
    ['a body of 3 MB', frame({ id: 1, method: 'big', params: { length: 3_000_000 } }), 1],
    ['a line between two frames', frame({ id: 1, method: 'a' }) + frame({ id: 2, method: 'noise' }), 2],
    ['a length in characters', frame({ id: 1, method: 'short' }) + frame({ id: 2, method: 'b' }), 3],
    ['half a body', frame({ id: 1, method: 'half' }), 1],
  ])('%s', async ([, input, bodies], { place }) => {
    // In pieces that end anywhere.
    const talk = async (client: { write(data: string): Promise<unknown>; end(): void }) => {
      for (let at = 0; at < input.length; at += 7) await client.write(input.slice(at, at + 7));
      client.end();
    };
    const { direct, recorded } = await runBoth(place, SERVER, talk);
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    const { tape } = recorded;
    expect(brief(tape.bytesFrom('client'))).toBe(brief(Buffer.from(input)));
    expect(brief(tape.bytesFrom('agent'))).toBe(brief(direct.stdout));
    for (const [from, bytes] of [['client', Buffer.from(input)] as const, ['agent', direct.stdout] as const]) {
      expect(brief(await raw(place, from))).toBe(brief(bytes));
    }
    const framed = tape.frames.filter(({ from, head }) => from === 'agent' && head !== undefined);
    expect(framed).toHaveLength(bodies);
    expect(tape.final).toBe(true);
  });
});

describe('a recorded session', () => {
  it('is paired, searched, verified, exported and imported by its bodies', async ({ place }) => {
    const input = frame({ id: 1, method: 'hello' }) + frame({ id: 2, method: 'hello', params: { word: 'größe' } });
    const { stdout } = await wiretape(place, ['record', '--', ...SERVER], { input });
    const [found] = await json(place, 'filter', 'from:agent id:2');
    expect(found).toMatchObject({ envelope: 'response', method: 'hello', eol: '' });
    expect(found!.head).toMatch(/^Content-Length: \d+\r\n\r\n$/);
    const frame2 = await wiretapeHere(place, ['filter', 'from:agent id:2', '--raw']);
    expect(stdout.toString().endsWith(frame2.stdout.toString())).toBe(true);
    expect((await wiretapeHere(place, ['verify', 'last'])).code).toBe(0);
    expect((await wiretapeHere(place, ['check', 'last'])).code).toBe(0);
    const exported = await wiretapeHere(place, ['export', 'last', '--format', 'jsonl', '-o', `${place.dir}/x.jsonl`]);
    expect(exported.code).toBe(0);
    const [imported] = await json(place, 'import', `${place.dir}/x.jsonl`);
    const again = await wiretapeHere(place, ['show', String(imported!.session), '--raw', '--from', 'agent']);
    expect(again.stdout.equals(stdout)).toBe(true);
  });

  it('says where a header was missing', async ({ place }) => {
    const input = frame({ id: 1, method: 'a' }) + frame({ id: 2, method: 'noise' });
    await wiretape(place, ['record', '--', ...SERVER], { input });
    const tape = await onlyTape(place);
    expect(tape.events('unframed')).toMatchObject([{ from: 'proc', stream: 'agent', reason: 'no header' }]);
    const findings = await json(place, 'check', 'last', '--fail-on', 'never');
    expect(findings).toMatchObject([{ rule: 'io-framing', severity: 'error', fault: 'agent' }]);
  });

  it('is explained while half a body is under way', async ({ place }) => {
    const client = new Client([WIRETAPE, 'record', '--', ...SERVER], place);
    try {
      await client.write(frame({ id: 1, method: 'half' }));
      await client.until('{"jsonrpc":"2.0",');
      const owes = async () => (await json(place, 'why', 'last')).find(({ rule }) => rule === 'no-line-end');
      const found = await waitFor(owes, 'the half body to be noticed');
      expect(found).toMatchObject({ owes: 'agent' });
      expect(found!.cause).toMatch(/has written 17 of the 100 bytes that its header announces/);
    } finally {
      client.end();
      await client.over();
      client.dispose();
    }
  });

  it('of a recorder that is killed in the middle of a body is recovered with what there is', async ({ place }) => {
    const client = new Client([WIRETAPE, 'record', '--', ...SERVER], place);
    await client.write(frame({ id: 1, method: 'a' }) + frame({ id: 2, method: 'half' }));
    await client.until('Content-Length: 100\r\n\r\n{"jsonrpc":"2.0",');
    const stdout = Buffer.from(client.stdout);
    await waitFor(
      () => journal(place).includes('Content-Length: 100\r\n\r\n{"jsonrpc"'),
      'the half body in the journal',
    );
    client.kill('SIGKILL');
    await client.over();
    const tape = await onlyTape(place);
    expect(tape.bytesFrom('agent').equals(stdout)).toBe(true);
    const last = tape.frames.filter(({ from }) => from === 'agent').at(-1)!;
    expect(last).toMatchObject({ head: 'Content-Length: 100\r\n\r\n', text: '{"jsonrpc":"2.0",' });
    expect(await json(place, 'verify', 'last')).toMatchObject([{ verdict: 'recovered' }]);
    client.dispose();
  });
});

function journal(place: Place): Buffer {
  return readFileSync(join(sessionsIn(place.home)[0]!, 'journal'));
}
