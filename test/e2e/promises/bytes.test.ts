// Promises 1 and 8: the bytes that arrive are the bytes received, at once, whatever they are; and the tape has them all.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { brief, runBoth, seenIn } from '../../support/both.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { agent, onlyTape, run, WIRETAPE, wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';

const STREAMS = ['client', 'agent', 'stderr'] as const;
const QUESTIONS = '{"jsonrpc":"2.0","id":1,"method":"initialize"}\n{"id":2}\r\n\nnot json, ünïcode, no end';

/** Agents that can be driven by one input and EOF, and what they get. */
const ZOO: [string, string[], string | Buffer][] = [
  ['echo', agent('echo.mjs'), QUESTIONS],
  ['one that writes byte by byte', agent('drip.mjs'), ''],
  ['one that cuts characters', agent('cut-characters.mjs'), ''],
  ['a line of 3 MB', agent('long-line.mjs', '3000000'), ''],
  ['one that crashes in mid-line', agent('crash-mid-line.mjs'), ''],
  ['one that floods stderr', agent('flood-stderr.mjs', '1000000'), ''],
  ['odd lines', agent('odd-lines.mjs'), ''],
  ['one that reads until EOF', agent('read-all.mjs'), randomBytes(300_000)],
  ['one that asks first', agent('handshake.mjs'), 'me\n'],
  ['one that takes one line', agent('leave-early.mjs'), 'only one\n'],
  ['a grandchild that works', agent('relaunch.mjs'), QUESTIONS],
  ['a firehose', agent('firehose.mjs', '3'), ''],
  ['one that closes stdout', agent('close-stdout.mjs'), 'anybody?\n'],
  ['one that writes to both and exits', agent('exit-with.sh', '1'), ''],
  ['one that dies', agent('die-by.sh', 'TERM'), ''],
];

async function raw(place: Place, from: string): Promise<Buffer> {
  const { stdout, code } = await wiretapeHere(place, ['show', 'last', '--raw', '--from', from]);
  expect(code).toBe(0);
  return stdout;
}

describe.concurrent('with and without wiretape the client sees the same', () => {
  it.for(ZOO)('%s', async ([, command, input], { place }) => {
    const { direct, recorded } = await runBoth(place, command, (client) => client.end(input));
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    const crossed = { client: Buffer.from(input), agent: direct.stdout, stderr: direct.stderr };
    for (const from of STREAMS) {
      expect(brief(recorded.tape.bytesFrom(from))).toBe(brief(crossed[from]));
      if (crossed[from].length > 0) expect(brief(await raw(place, from))).toBe(brief(crossed[from]));
    }
    expect(recorded.tape.final).toBe(true);
  });
});

describe.concurrent('random bytes', () => {
  it.for([0, 65_536, 300_003])('%i of them', async (size, { place }) => {
    const input = randomBytes(size);
    const { direct, recorded } = await runBoth(place, ['cat'], (client) => client.end(input));
    expect(brief(direct.stdout)).toBe(brief(input));
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    for (const from of ['client', 'agent'] as const) {
      expect(brief(recorded.tape.bytesFrom(from))).toBe(brief(input));
    }
  });

  it('in pieces that end anywhere, over sockets', async ({ place }) => {
    const input = randomBytes(50_000);
    const talk = async (client: { write(data: Uint8Array): Promise<unknown>; end(): void }) => {
      for (let i = 0; i < input.length; i += 1234) await client.write(input.subarray(i, i + 1234));
      client.end();
    };
    const { direct, recorded } = await runBoth(place, agent('echo.mjs'), talk, { streams: 'socket' });
    expect(seenIn(recorded)).toEqual(seenIn(direct));
    expect(brief(recorded.tape.bytesFrom('client'))).toBe(brief(input));
  });

  it('from a file and into files', async ({ place }) => {
    const path = (name: string) => join(place.dir, name);
    const input = randomBytes(200_000);
    writeFileSync(path('in'), input);
    const script = 'cd "$1" && shift && exec "$@" <in >out 2>err';
    const agent = ['sh', '-c', 'cat; echo done >&2'];
    const { code } = await run(place, ['sh', '-c', script, 'sh', place.dir, WIRETAPE, 'record', '--', ...agent]);
    expect(code).toBe(0);
    expect(brief(readFileSync(path('out')))).toBe(brief(input));
    expect(readFileSync(path('err'), 'utf8')).toBe('done\n');
    expect(brief((await onlyTape(place)).bytesFrom('client'))).toBe(brief(input));
  });
});

describe.concurrent('a long line', () => {
  it('of 64 MB from the agent', async ({ place }) => {
    const size = 64 * 1024 * 1024;
    const { stdout, code } = await wiretape(place, ['record', '--', ...agent('long-line.mjs', String(size))]);
    expect(code).toBe(0);
    expect(stdout.length).toBe(size);
    expect(JSON.parse(stdout.toString())).toHaveProperty('method', 'blob');
    expect((await raw(place, 'agent')).equals(stdout)).toBe(true);
  });

  it('of 16 MB from the client', async ({ place }) => {
    const line = Buffer.alloc(16 * 1024 * 1024, 'client ');
    line[line.length - 1] = 10;
    const { stdout } = await wiretape(place, ['record', '--', ...agent('read-all.mjs')], { input: line });
    expect(stdout.toString()).toContain(createHash('sha256').update(line).digest('hex'));
    expect((await raw(place, 'client')).equals(line)).toBe(true);
  });
});

describe.concurrent('nothing waits for the end of a line', () => {
  it.for(['pipe', 'socket'] as const)('a question without one is answered (%s)', async (streams, { place }) => {
    const talk = async (client: { until(text: string): Promise<void>; end(data: string): void }) => {
      await client.until('who? ');
      client.end('the client\n');
    };
    const { direct, recorded } = await runBoth(place, agent('handshake.mjs'), talk, { streams });
    expect(direct.stdout.toString()).toBe('who? hello the client\n');
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });

  it('half a line of the client reaches the agent', async ({ place }) => {
    const { direct, recorded } = await runBoth(place, ['cat'], async (client) => {
      for (const part of ['{"half', '":', 'true}']) {
        await client.write(part);
        await client.until(part);
      }
      client.end();
    });
    expect(direct.stdout.toString()).toBe('{"half":true}');
    expect(seenIn(recorded)).toEqual(seenIn(direct));
  });
});

describe.concurrent('odd lines on the tape', () => {
  it('are split at byte 0x0A only, and keep their form', async ({ place }) => {
    const { stdout } = await wiretape(place, ['record', '--', ...agent('odd-lines.mjs')]);
    const frames = (await onlyTape(place)).frames.filter(({ from, event }) => from === 'agent' && !event);
    expect(frames).toHaveLength(stdout.toString('latin1').split('\n').length);
    expect(frames.at(-1)).toMatchObject({ text: 'a last line without its end\r', eol: '' });
    expect(frames[0]).toMatchObject({ message: { crlf: true }, eol: '\r\n' });
    expect(frames.filter(({ bytes }) => bytes !== undefined)).toHaveLength(5);
    expect(frames.find(({ text }) => text?.includes('bom'))?.text).toBe('\ufeff{"bom":true}');
  });

  it('come out of show --json exactly', async ({ place }) => {
    const { stdout } = await wiretape(place, ['record', '--', ...agent('odd-lines.mjs')]);
    const shown = await wiretapeHere(place, ['show', 'last', '--json', '--from', 'agent']);
    const rows = shown.stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const parts = rows
      .filter(({ event }) => !event)
      .flatMap((row) => [
        Buffer.from(row.raw ?? row.raw_base64!, row.raw === null ? 'base64' : 'utf8'),
        Buffer.from(row.eol!),
      ]);
    expect(brief(Buffer.concat(parts))).toBe(brief(stdout));
  });
});
