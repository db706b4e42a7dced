/** `replayProgram` in a test: closing it ends what the client started, and is red unless the client did what was recorded. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect } from 'vitest';
import { ReplayMismatch, type ReplayOptions, type ReplayProgram, replayProgram } from '../../../lib/index.ts';
import { Client } from '../../support/client.ts';
import { finished, prompt, type Recorded, record, text } from '../../support/replay-talk.ts';
import { rpc } from '../../support/session.ts';
import { it, type Place } from '../../support/store.ts';
import { waitFor } from '../../support/wait.ts';

/** Two prompts, and a notification that nobody answers. */
const TALK: Recorded[] = [
  ['>', prompt('p1', 'first')],
  ['<', finished('p1')],
  ['>', prompt('p2', 'second')],
  ['<', finished('p2')],
  ['>', { method: 'bye', params: {} }],
  'eof',
  0,
];

function programOf(place: Place, options: ReplayOptions = {}): ReplayProgram {
  record(place, TALK);
  return replayProgram('last', { home: place.home, ...options });
}

/** A client that says these lines, each after the answer to the one before. */
async function said(place: Place, { path }: ReplayProgram, ...lines: Record<string, unknown>[]): Promise<Client> {
  const client = new Client([path, '--wire'], { env: place.env });
  let answers = 0;
  for (const line of lines) {
    void client.write(rpc(line));
    if ('id' in line) await client.until('\n', 'stdout', ++answers);
  }
  return client;
}

const ALL = [prompt('a', 'first'), prompt('b', 'second'), { method: 'bye', params: {} }];

const failureOf = async (promise: Promise<unknown>) =>
  (await promise.catch((error: unknown) => error)) as ReplayMismatch;

describe.concurrent('a client that did what was recorded', () => {
  it('is green, and the report stays', async ({ place }) => {
    const program = programOf(place);
    const client = await said(place, program, ...ALL);
    client.end();
    await client.over();
    expect(program.report).toMatchObject({ ok: true });
    expect(await program.close()).toMatchObject({ ok: true, heard: 3, missing: [], first_difference: null });
    expect(program.report).toMatchObject({ ok: true });
    expect(existsSync(dirname(program.path))).toBe(false);
  });

  it('may be closed after the program: what it has written is heard, and its agent ends', async ({ place }) => {
    const program = programOf(place);
    const client = await said(place, program, ...ALL);
    expect(await program.close()).toMatchObject({ ok: true, heard: 3 });
    await client.over();
    expect(client).toMatchObject({ code: 0, signal: null });
  });

  it('may kill its agent in the end', async ({ place }) => {
    record(
      place,
      TALK.filter((_, i) => i !== 4),
    );
    const program = replayProgram('last', { home: place.home });
    const client = await said(place, program, ...ALL.slice(0, 2));
    client.kill('SIGKILL');
    await client.over();
    expect(await program.close()).toMatchObject({ ok: true, heard: 2 });
  });

  it('may run while the process of the test is blocked', async ({ place }) => {
    const program = programOf(place);
    const { status } = spawnSync(program.path, { env: place.env, input: ALL.map(rpc).join('') });
    expect(status).toBe(0);
    expect(await program.close()).toMatchObject({ ok: true, heard: 3 });
  });

  it('is not kept waiting for the recorded pace', async ({ place }) => {
    const id = record(
      place,
      [['>', prompt('p1', 'hi')], ['<', text('one')], ['<', finished('p1')], 'eof', 0],
      undefined,
      1e9,
    );
    const program = replayProgram(id, { home: place.home, speed: 1 });
    const client = new Client([program.path], { env: place.env });
    await client.write(rpc(prompt('a', 'hi')));
    await waitFor(() => readdirSync(dirname(program.path)).length > 1, 'the start of the program');
    expect(await program.close()).toMatchObject({ ok: true, sent: 2 });
    client.dispose();
  });
});

describe.concurrent('a client that did something else', () => {
  it('is red although it takes the error, and although it is not closed yet', async ({ place }) => {
    const program = programOf(place);
    const client = await said(place, program, prompt('a', 'first'), {
      id: 'x',
      method: 'set_model',
      params: { to: 'k2' },
    });
    const failure = await failureOf(program[Symbol.asyncDispose]());
    expect(failure).toBeInstanceOf(ReplayMismatch);
    expect(failure.message).toBe(
      [
        'the client did not do what was recorded in last:',
        '  set_model is not on the tape',
        '  the client never sent prompt "second" (f4)',
        '  the client never sent bye (f6)',
        'first difference: f4',
        '  recorded: {"jsonrpc":"2.0","id":"p2","method":"prompt","params":{"user_input":"second"}}',
        '  live:     {"jsonrpc":"2.0","id":"x","method":"set_model","params":{"to":"k2"}}',
        'if the client is right, record the session again with wiretape record',
      ].join('\n'),
    );
    await client.over();
  });

  it('sees where the content differs first', async ({ place }) => {
    const program = programOf(place);
    const client = await said(place, program, prompt('a', 'first'), prompt('b', 'zweitens'), ALL[2]!);
    const { message, report } = await failureOf(program.close());
    expect(report.first_difference).toEqual({
      ...{ f: 4, path: '/params/user_input', recorded: 'second', live: 'zweitens' },
    });
    expect(message).toContain(
      'first difference: f4 /params/user_input\n  recorded: "second"\n  live:     "zweitens"\n',
    );
    client.dispose();
  });

  it('is red if it never started its agent', async ({ place }) => {
    const { message, report } = await failureOf(programOf(place).close());
    expect(report.missing.map(({ f }) => f)).toEqual([2, 4, 6]);
    expect(message).toContain(
      '\n  the client never started the program\n  the client never sent prompt "first" (f2)\n',
    );
    expect(message).toContain('  live:     nothing\n');
  });

  it('is red if it crashes', async ({ place }) => {
    const program = programOf(place);
    const client = await said(place, program, prompt('a', 'first'));
    client.end();
    await client.over();
    expect((await failureOf(program.close())).report.never_asked).toEqual([4, 6]);
  });

  it('is red if it kills its agent before the end', async ({ place }) => {
    const program = programOf(place);
    const client = await said(place, program, prompt('a', 'first'));
    client.kill('SIGKILL');
    await client.over();
    expect((await failureOf(program.close())).report.never_asked).toEqual([4, 6]);
  });

  it('is red if it kills its agent at once', async ({ place }) => {
    const program = programOf(place);
    const client = new Client([program.path], { env: place.env });
    client.kill('SIGKILL');
    await client.over();
    expect((await failureOf(program.close())).message).toMatch(/killed before it could begin|never started/);
  });
});

describe.concurrent('closing', () => {
  it('has the same outcome each time, and await using does not throw again', async ({ place }) => {
    const program = programOf(place);
    const failure = await failureOf(program.close());
    expect(failure).toBeInstanceOf(ReplayMismatch);
    expect(await failureOf(program.close())).toBe(failure);
    await expect(program[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });

  it('is red although nobody waited for it: await using does', async ({ place }) => {
    const program = programOf(place);
    void program.close();
    const [failure, later] = [await failureOf(program[Symbol.asyncDispose]()), await failureOf(program.close())];
    expect(failure).toBeInstanceOf(ReplayMismatch);
    expect(later).toBe(failure);
    await expect(program[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });

  it('hides no error of the test itself', async ({ place }) => {
    const program = programOf(place);
    const failed = await failureOf(
      program.use(() => {
        throw new Error('expected 2, got 1');
      }),
    );
    expect(failed).toMatchObject({ name: 'SuppressedError', cause: { message: 'expected 2, got 1' } });
    expect(failed).toMatchObject({ error: { name: 'ReplayMismatch' }, suppressed: { message: 'expected 2, got 1' } });
    expect(failed.message).toMatch(/never started the program.*the test failed, too: expected 2, got 1$/s);
  });

  it('hides no error of a test with await using', async ({ place }) => {
    const test = async () => {
      await using program = programOf(place);
      if (program.path) throw new Error('expected 2, got 1');
    };
    const failed = await failureOf(test());
    expect(failed).toMatchObject({ error: { name: 'ReplayMismatch' }, suppressed: { message: 'expected 2, got 1' } });
  });

  it('gives the result of the test, or its error, if that is all', async ({ place }) => {
    record(place, TALK);
    const run = (test: (program: ReplayProgram) => unknown) =>
      replayProgram('last', { home: place.home }).use(async (program) => {
        const client = await said(place, program, ...ALL);
        client.end();
        await client.over();
        return test(program);
      });
    expect(await run(() => 7)).toBe(7);
    expect(await run(({ mode }) => mode)).toBe('replay');
    await expect(run(() => Promise.reject(new Error('own')))).rejects.toThrow(/^own$/);
  });
});

describe.concurrent('a program that is started several times', () => {
  const done = async (place: Place, program: ReplayProgram, ...lines: Record<string, unknown>[]) => {
    const client = await said(place, program, ...lines);
    client.end();
    await client.over();
  };

  it('must be told what was recorded each time', async ({ place }) => {
    const program = programOf(place);
    await done(place, program, ...ALL);
    await done(place, program, ...ALL.slice(0, 1));
    await done(place, program, ...ALL);
    const { message, report } = await failureOf(program.close());
    expect(message).toMatch(/^the client did not do what was recorded in last \(run 2 of 3\):\n/);
    expect(report.never_asked).toEqual([4, 6]);
    expect(program.reports.map(({ ok }) => ok)).toEqual([true, false, true]);
  });

  it('may run side by side', async ({ place }) => {
    const program = programOf(place);
    await Promise.all([1, 2, 3].map(() => said(place, program, ...ALL)));
    await program.close();
    expect(program.reports.map(({ ok }) => ok)).toEqual([true, true, true]);
  });

  it('may be looked at first', async ({ place }) => {
    const program = programOf(place);
    await done(place, program);
    await done(place, program, ...ALL);
    expect(await program.close()).toMatchObject({ ok: true, heard: 3 });
  });

  it('must be told something at least once', async ({ place }) => {
    const program = programOf(place);
    await done(place, program);
    expect((await failureOf(program.close())).report.never_asked).toEqual([2, 4, 6]);
  });
});
