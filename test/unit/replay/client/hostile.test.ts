/** Tapes that no client ever wrote: they end, and say why. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../lib/model/frame.ts';
import { AT_ONCE } from '../../../../lib/model/pace.ts';
import { ClientRun, type ClientRunOptions } from '../../../../lib/replay/client/client-run.ts';
import type { ClientReport } from '../../../../lib/replay/client/report.ts';
import { readLines } from '../../../../lib/replay/message-reader.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';

type Said = readonly ['client' | 'agent', unknown];

function sessionOf(said: readonly Said[], t: (i: number) => number = (i) => i / 1000) {
  const frames = said.map(([from, value], i): Frame => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const head = { f: i + 1, t: t(i), t0: null, from, form: 'message' } as const;
    return { ...head, raw: Buffer.from(text), text, eol: '\n', event: null, detail: {} };
  });
  return sessionInMemory(metadataFor('hostile', ['agent']), frames);
}

/** Drives an agent in this process. `agent` answers a line with lines, and null ends it. */
async function drive(
  said: readonly Said[],
  agent: (line: string) => readonly unknown[] | null,
  options: ClientRunOptions = {},
): Promise<{ report: ClientReport; heard: string[] }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const heard: string[] = [];
  readLines(
    input,
    (line) => {
      heard.push(line);
      const lines = agent(line);
      if (lines === null) output.end();
      else for (const one of lines) output.write(`${JSON.stringify(one)}\n`);
    },
    () => output.end(),
  );
  const run = new ClientRun(sessionOf(said), { input, output }, { pace: AT_ONCE, timeout: 0.5, ...options });
  const { report } = await run.ended;
  return { report, heard };
}

const answers = (line: string) => {
  const { id, method } = JSON.parse(line);
  return method === undefined || id === undefined ? [] : [{ jsonrpc: '2.0', id, result: {} }];
};
const request = (id: unknown, method = 'x') => ['client', { jsonrpc: '2.0', id, method }] as const;
const result = (id: unknown) => ['agent', { jsonrpc: '2.0', id, result: {} }] as const;

describe('a hostile tape', () => {
  it('has ids that are objects, null, or the same again', async () => {
    const ids = ['{"a":1}', 'null', '[1]', '1', '1', '"1"', '1e400', '12345678901234567890'];
    const said = ids.map((id) => ['client', `{"jsonrpc":"2.0","method":"x","id":${id}}`] as const);
    const { report, heard } = await drive(said, () => []);
    expect(heard).toEqual(said.map(([, line]) => line));
    expect(report.sent).toBe(ids.length);
  });

  it('has many open requests, all answered before the next line', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => i);
    const said = [...many.map((id) => request(id)), ...many.map((id) => result(id)), request('last')];
    const { report, heard } = await drive(said, answers, { timeout: 4 });
    expect([report.sent, report.departed, report.never_sent]).toEqual([20_001, [], []]);
    expect(heard.at(-1)).toContain('last');
  });

  it('waits for what the agent only gives for the answer that waits for it: nobody waits for ever', async () => {
    // The recorded client sent `second` between the question and its answer, after `first` was answered.
    const said: Said[] = [
      request('first', 'initialize'),
      ['agent', { jsonrpc: '2.0', id: 'q', method: 'ask' }],
      result('first'),
      request('second'),
      ['client', { jsonrpc: '2.0', id: 'q', result: 'yes' }],
    ];
    // This agent wants its answer first.
    const { report, heard } = await drive(
      said,
      (line) => {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize') return [{ jsonrpc: '2.0', id: 'Q', method: 'ask' }];
        return method === undefined
          ? [{ jsonrpc: '2.0', id: 'first', result: {} }]
          : [{ jsonrpc: '2.0', id, result: {} }];
      },
      { timeout: 20 },
    );
    expect(heard.map((line) => JSON.parse(line).id)).toEqual(['first', 'Q', 'second']);
    expect(report).toMatchObject({ sent: 2, answered: 1, never_sent: [] });
  });

  it('goes back in time, and has times that are none', async () => {
    const said = [request(1), result(1), request(2), result(2)];
    const times = [5, Number.NaN, -3, Number.POSITIVE_INFINITY];
    const [input, output] = [new PassThrough(), new PassThrough()];
    readLines(
      input,
      (line) => {
        for (const one of answers(line)) output.write(`${JSON.stringify(one)}\n`);
      },
      () => output.end(),
    );
    const session = sessionOf(said, (i) => times[i]!);
    const { report } = await new ClientRun(
      session,
      { input, output },
      { timeout: 5, pace: { speed: 1e6, maxGap: 0.01 } },
    ).ended;
    expect(report.sent).toBe(2);
  });

  it('has lines that are no JSON: they are sent as they are', async () => {
    const lines = ['{"a":', 'plain text', '', '[1,2]', '"x"', '{"id":1,"id":2}'];
    const { heard } = await drive(
      lines.map((line) => ['client', line] as const),
      () => [],
    );
    expect(heard).toEqual(lines);
  });
});

describe('a tape without the client', () => {
  it('drives nothing, and says so', () => {
    const session = sessionOf([result(1)]);
    const streams = { input: new PassThrough(), output: new PassThrough() };
    expect(() => new ClientRun(session, streams)).toThrow('no lines from the client');
  });
});

describe('an agent', () => {
  const permission = (id: unknown, ...kinds: [optionId: string, kind: string][]) => ({
    ...{ jsonrpc: '2.0', id, method: 'session/request_permission' },
    params: {
      ...{ sessionId: 's', toolCall: { toolCallId: 'c', title: 'Run it', rawInput: { command: 'ls' } } },
      options: kinds.map(([optionId, kind]) => ({ optionId, name: kind, kind })),
    },
  });
  const prompt = { jsonrpc: '2.0', id: 2, method: 'session/prompt', params: { sessionId: 's', prompt: [] } };
  const chose = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
  const denied: Said[] = [
    ['client', { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } }],
    ['agent', { jsonrpc: '2.0', id: 0, result: { protocolVersion: 1, agentCapabilities: {} } }],
    ['client', prompt],
    ['agent', permission(7, ['1', 'allow_once'], ['2', 'reject_once'])],
    ['client', { jsonrpc: '2.0', id: 7, result: chose('2') }],
    ['agent', { jsonrpc: '2.0', id: 2, result: { stopReason: 'end_turn' } }],
  ];

  it.each([
    ['the same options', ['1', 'allow_once'], ['2', 'reject_once'], '2'],
    ['the same ids for other options', ['2', 'allow_always'], ['1', 'reject_once'], '1'],
    ['other ids', ['yes', 'allow_once'], ['no', 'reject_always'], 'no'],
  ] as const)('that offers %s is denied what was denied', async (_, yes, no, expected) => {
    const { report, heard } = await drive(denied, (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'session/prompt') return [permission('live', [...yes], [...no])];
      return [{ jsonrpc: '2.0', id: method ? id : 2, result: method ? {} : { stopReason: 'end_turn' } }];
    });
    expect(JSON.parse(heard.at(-1)!)).toEqual({ jsonrpc: '2.0', id: 'live', result: chose(expected) });
    expect(report.departed).toHaveLength(expected === '2' ? 0 : 1);
  });

  it('that nests what it asks deeper than the stack is refused', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const [input, output] = [new PassThrough(), new PassThrough()];
    const heard: string[] = [];
    readLines(
      input,
      (line) => {
        heard.push(line);
        const { method } = JSON.parse(line);
        if (method === 'go') output.write(`{"jsonrpc":"2.0","id":"q","method":"ask","params":{"a":${deep}}}\n`);
        else output.write('{"jsonrpc":"2.0","id":"go","result":{}}\n');
      },
      () => output.end(),
    );
    const said = [
      request('go', 'go'),
      ['agent', { jsonrpc: '2.0', id: 'r', method: 'ask', params: { a: 1 } }],
      result('go'),
    ] as const;
    const { report } = await new ClientRun(sessionOf(said), { input, output }, { pace: AT_ONCE, timeout: 4 }).ended;
    expect(report.unmatched.length + report.departed.length).toBeGreaterThan(0);
    expect(() => JSON.stringify(report)).not.toThrow();
  });

  it('that asks again and again what the tape does not have is refused each time', async () => {
    const said = [request('go', 'tools/call'), result('go')];
    let left = 1200;
    const { report, heard } = await drive(said, (line) => {
      const { method, id } = JSON.parse(line);
      if (method === 'tools/call' || left > 0)
        return [{ jsonrpc: '2.0', id: `q${left--}`, method: 'sampling/createMessage' }];
      return id === 'q1' ? [{ jsonrpc: '2.0', id: 'go', result: {} }] : [];
    });
    expect(heard).toHaveLength(1201);
    // So many are listed.
    expect(report.unmatched).toHaveLength(1000);
    expect(heard.slice(1).every((line) => JSON.parse(line).error !== undefined)).toBe(true);
  });

  it('that answers with anything but messages is listened to until it is silent', async () => {
    const { report } = await drive([request(1), result(1)], () => ['', 0, null, [], {}, 'noise'], { timeout: 0.2 });
    expect(report.departed[0]!.what).toBe('x: the agent was silent for 200 ms');
  });
});
