/** A replay whose client reads late or never, tapes with lines that are not text, and ends that no process can have. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ReplayReport } from '../../../lib/replay/report.ts';
import { replayAgent } from '../../../lib/replay/testing/replay-agent.ts';
import { Client } from '../../support/client.ts';
import { event, finished, prompt, type Recorded, record, result, Talk, text } from '../../support/replay-talk.ts';
import { WIRETAPE } from '../../support/run.ts';
import { rpc } from '../../support/session.ts';
import { it, type Place } from '../../support/store.ts';

const reportOf = (place: Place) => JSON.parse(readFileSync(join(place.dir, 'report.json'), 'utf8')) as ReplayReport;
const reported = (place: Place) => ['--report', join(place.dir, 'report.json')];

/** More than a pipe holds. The line on stderr comes first. */
const LONG: Recorded[] = [
  ['>', prompt('p1', 'hi')],
  ['!', 'begun'],
  ['<', event('TurnBegin', { user_input: 'hi' })],
  ...Array.from({ length: 500 }, (_, i): Recorded => ['<', text(`${i} ${'x'.repeat(1000)}`)]),
  ['<', event('TurnEnd')],
  ['<', finished('p1')],
];

/** A client that has sent its prompt and reads stderr only. */
async function notReading(place: Place, ...args: string[]): Promise<Client> {
  const command = [WIRETAPE, 'replay', '--instant', ...args, 'last'];
  const client = new Client(command, { env: place.env, unread: ['stdout'] });
  void client.write(rpc(prompt('p1', 'hi')));
  await client.until('begun', 'stderr');
  return client;
}

const over = async (client: Client) => {
  await client.exited();
  const { code, signal } = client;
  client.dispose();
  return { code, signal };
};

describe.concurrent('a client that closes its stream and sends a signal', () => {
  const ENDED = ['eof', 'SIGTERM', { code: null, signal: 'SIGTERM' }] as const;

  it('ends the agent by the signal, as recorded', async ({ place }) => {
    record(place, [['>', prompt('p1', 'hi')], ['<', finished('p1')], ...ENDED]);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say(prompt('p1', 'hi'));
    await talk.next();
    talk.client.end();
    talk.client.kill('SIGTERM');
    expect(await talk.over()).toMatchObject({ code: null, signal: 'SIGTERM' });
    expect(reportOf(place).ok).toBe(true);
  });

  it('may leave the signal out: the agent ends by itself', async ({ place }) => {
    record(place, [['>', prompt('p1', 'hi')], ['<', finished('p1')], ...ENDED]);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say(prompt('p1', 'hi'));
    await talk.next();
    expect(await talk.end()).toMatchObject({ code: 0, signal: null });
    expect(reportOf(place).ok).toBe(true);
  });
});

describe.concurrent('a client that does not read', () => {
  it('can end the agent by a signal', async ({ place }) => {
    record(place, [...LONG, 'eof', 0]);
    const client = await notReading(place);
    client.kill('SIGTERM');
    expect(await over(client)).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('can end the agent by the recorded signal', async ({ place }) => {
    record(place, [...LONG, 'SIGTERM', 3]);
    const client = await notReading(place);
    client.kill('SIGTERM');
    expect(await over(client)).toMatchObject({ code: 3 });
  });

  it('is not waited for longer than --timeout', async ({ place }) => {
    record(place, [...LONG, 'eof', 0]);
    const client = await notReading(place, '--timeout', '1s', ...reported(place));
    expect(await over(client)).toEqual({ code: 1, signal: null });
    const { departed, unread, ok } = reportOf(place);
    expect(departed).toEqual([{ f: null, what: 'it did not read in time', next: 'ended', branch: null }]);
    expect(unread).toBeGreaterThan(0);
    expect(ok).toBe(false);
  });

  it('gets every line if it reads late, however the agent ends', async ({ place }) => {
    record(place, [...LONG, 'eof', 0]);
    const client = await notReading(place, '--fault', 'at:f506 kill');
    client.read('stdout');
    await client.over();
    expect(client.signal).toBe('SIGKILL');
    expect(client.stdout.toString().split('\n')).toHaveLength(504);
  });

  it('may destroy the streams of a replay in its own process', async ({ place }) => {
    record(place, [...LONG, 'eof', 0]);
    const agent = replayAgent('last', { home: place.home });
    agent.stdout.destroy();
    agent.stdin.write(rpc(prompt('p1', 'hi')));
    const { unread, sent } = await agent.close();
    expect(sent).toBeGreaterThan(0);
    expect(unread).toBe(sent);
  });
});

describe.concurrent('a line that is not text', () => {
  const BYTES = Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]);
  const tape: Recorded[] = [
    ['>', prompt('p1', 'hi')],
    ['!', Buffer.from([0xc3, 0x0a])],
    ['<', event('TurnBegin', { user_input: 'hi' })],
    ['<', BYTES],
    ['<', finished('p1')],
    'eof',
    0,
  ];

  async function replayed(place: Place, ...args: string[]) {
    record(place, tape);
    const talk = new Talk(place, 'last', ...args);
    talk.say(prompt('p1', 'hi'));
    const { code, signal } = await talk.end();
    const { stdout, stderr } = talk.client;
    return { code, signal, lines: stdout.toString('latin1').split('\n').slice(1), stderr };
  }

  const LINE = BYTES.toString('latin1', 0, 4);

  it('comes byte by byte as it was, on stderr too', async ({ place }) => {
    const { code, lines, stderr } = await replayed(place);
    expect(lines).toEqual([LINE, expect.stringContaining('finished'), '']);
    expect(stderr.subarray(0, 2)).toEqual(Buffer.from([0xc3, 0x0a]));
    expect(code).toBe(0);
  });

  it('has faults as any other', async ({ place }) => {
    const twice = await replayed(place, '--fault', 'at:f5 duplicate', '--fault', 'at:f5 noise:boo');
    expect(twice.lines).toEqual(['boo', LINE, LINE, expect.stringContaining('finished'), '']);
    const dropped = await replayed(place, '--fault', 'at:f5 drop');
    expect(dropped.lines).toEqual([expect.stringContaining('finished'), '']);
    const killed = await replayed(place, '--fault', 'at:f5 kill');
    expect(killed).toMatchObject({ signal: 'SIGKILL', lines: [LINE, ''] });
    const cut = await replayed(place, '--fault', 'at:f5 cut', '--fault', 'at:f5 exit:4');
    expect(cut).toMatchObject({ code: 4, lines: [LINE.slice(0, 3)] });
  });
});

describe.concurrent('faults', () => {
  it('count lines of the agent, not of stderr', async ({ place }) => {
    record(place, [
      ['>', prompt('p1', 'hi')],
      ['!', 'one'],
      ['!', 'two'],
      ['<', event('TurnBegin', { user_input: 'hi' })],
      ['<', text('second')],
      ['<', finished('p1')],
      'eof',
      0,
    ]);
    const talk = new Talk(place, 'last', '--fault', 'nth:2 drop');
    talk.say(prompt('p1', 'hi'));
    await talk.end();
    expect(talk.lines.map((line) => /TurnBegin|second|finished/.exec(line)?.[0])).toEqual(['TurnBegin', 'finished']);
  });

  it('keep the frames of Content-Length, unless they cut one', async ({ place }) => {
    const framed = (line: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...line });
      return Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`);
    };
    const [asked, answer] = [
      { id: 1, method: 'initialize', params: {} },
      { id: 1, result: { ok: true } },
    ];
    record(place, [['>', framed(asked)], ['<', framed(answer)], 'eof', 0]);
    const faulty = async (fault: string) => {
      const talk = new Talk(place, 'last', '--fault', `at:f3 ${fault}`);
      void talk.client.write(framed(asked));
      await talk.end();
      const [, length, body] = /^Content-Length: (\d+)\r\n\r\n(.*)$/s.exec(talk.client.stdout.toString())!;
      return { length: Number(length), body: body! };
    };
    const whole = JSON.stringify({ jsonrpc: '2.0', ...answer });
    expect(await faulty('delay:1ms')).toEqual({ length: whole.length, body: whole });
    expect(await faulty('malformed')).toEqual({ length: whole.length - 1, body: whole.slice(0, -1) });
    expect(await faulty('cut')).toEqual({ length: whole.length, body: whole.slice(0, Math.ceil(whole.length / 2)) });
  });

  it('that no process can have are refused', async ({ place }) => {
    record(place, [...LONG, 'eof', 0]);
    for (const fault of ['exit:256', 'kill:SIGFOO', 'kill:SIGSTOP']) {
      const { code, said } = await new Talk(place, 'last', '--fault', fault).end();
      expect({ code, said: said[0] }).toEqual({ code: 2, said: `wiretape: invalid fault "${fault}"` });
    }
  });
});

describe.concurrent('a tape that ends in a way that no process can', () => {
  it.for([
    { code: 3.5, signal: null },
    { code: 1e12, signal: null },
    { code: -1, signal: null },
    { code: null, signal: 'SIGFOO' },
    { code: null, signal: 'SIGSTOP' },
    { code: null, signal: 'toString' },
  ])('$code $signal: the replay fails', async (how, { place }) => {
    record(place, [['>', prompt('p1', 'hi')], ['<', finished('p1')], 'eof', how]);
    const talk = new Talk(place, 'last');
    talk.say(prompt('p1', 'hi'));
    expect(await talk.end()).toMatchObject({ code: 1, signal: null });
  });
});

describe.concurrent('--loop', () => {
  it('waits for what ends the tape before it begins again', async ({ place }) => {
    record(place, [['>', prompt('p1', 'hi')], ['<', finished('p1')], ['>', { method: 'bye', params: {} }], 'eof', 0]);
    const talk = new Talk(place, '--loop', 'last', ...reported(place));
    for (const id of ['a', 'b', 'c']) {
      talk.say(prompt(id, 'hi'));
      expect(await talk.nextWith('finished')).toMatchObject({ id });
      talk.say({ method: 'bye', params: {} });
    }
    expect(await talk.end()).toMatchObject({ code: 0 });
    expect(reportOf(place)).toMatchObject({ near: [], missed: [], ok: true });
  });

  it('begins again for a client that leaves out the end', async ({ place }) => {
    record(place, [['>', prompt('p1', 'hi')], ['<', finished('p1')], ['>', { method: 'bye', params: {} }], 'eof', 0]);
    const talk = new Talk(place, '--loop', 'last', ...reported(place));
    for (const id of ['a', 'b']) {
      talk.say(prompt(id, 'hi'));
      expect(await talk.nextWith('finished')).toMatchObject({ id });
    }
    expect(await talk.end()).toMatchObject({ code: 1 });
    expect(reportOf(place)).toMatchObject({ missed: [], never_asked: [4, 4] });
  });

  it('begins with what the agent says of its own accord', async ({ place }) => {
    record(place, [['<', text('welcome')], ['>', prompt('p1', 'hi')], ['<', finished('p1')], 'eof', 0]);
    const talk = new Talk(place, '--loop', 'last');
    for (const id of ['a', 'b']) {
      await talk.nextWith('welcome');
      talk.say(prompt(id, 'hi'));
      await talk.nextWith('finished');
    }
    expect(await talk.end()).toMatchObject({ code: 0 });
  });

  it('ends if the client said nothing on the tape', async ({ place }) => {
    record(place, [['<', text('welcome')], 4]);
    const talk = new Talk(place, '--loop', 'last');
    expect(await talk.over()).toMatchObject({ code: 4 });
    expect(talk.lines).toHaveLength(1);
    talk.client.dispose();
  });
});

describe.concurrent('--report', () => {
  it('has null for what one of two lines does not have', async ({ place }) => {
    record(place, [
      ['>', { id: 'p1', method: 'prompt', params: { user_input: 'hi', a: 1 } }],
      ['<', finished('p1')],
      'eof',
      0,
    ]);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say({ id: 'mine', method: 'prompt', params: { user_input: 'hi', b: 2 } });
    await talk.end();
    expect(reportOf(place).near[0]!.differences).toEqual([
      { path: '/params/a', recorded: 1, live: null },
      { path: '/params/b', recorded: null, live: 2 },
    ]);
  });

  it('is never that of an earlier run', async ({ place }) => {
    record(place, [['>', prompt('p1', 'hi')], ['<', finished('p1')], 'eof', 0]);
    writeFileSync(join(place.dir, 'report.json'), '{"ok":true}');
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say(prompt('p1', 'hi'));
    await talk.next();
    expect(readFileSync(join(place.dir, 'report.json'), 'utf8')).toBe('');
    await talk.end();
    expect(reportOf(place).matched).toBe(2);
  });

  it('that cannot be written is said at once', async ({ place }) => {
    record(place, [['>', prompt('p1', 'hi')], ['<', result('p1', {})], 'eof', 0]);
    const path = join(place.dir, 'missing', 'report.json');
    const { code, said } = await new Talk(place, 'last', '--report', path).over();
    expect({ code, said: said[0] }).toEqual({ code: 2, said: expect.stringContaining('cannot write') });
    expect(existsSync(path)).toBe(false);
  });
});
