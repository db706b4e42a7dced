/** A replay as the agent: real processes, and a client that does what was recorded, or something else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ReplayReport } from '../../../lib/replay/report.ts';
import {
  APPROVED,
  approval,
  decided,
  event,
  finished,
  prompt,
  REQUEST,
  type Recorded,
  record,
  result,
  returned,
  Talk,
  text,
} from '../../support/replay-talk.ts';
import { wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';

const reportOf = (place: Place) => JSON.parse(readFileSync(join(place.dir, 'report.json'), 'utf8')) as ReplayReport;
const reported = (place: Place) => ['--report', join(place.dir, 'report.json')];

/** Talks up to the approval, and returns the id of the request. */
async function untilAsked(talk: Talk, id = 'mine'): Promise<string> {
  talk.say(prompt(id, 'list it'));
  const { id: asked } = await talk.nextWith('ApprovalRequest');
  return asked as string;
}

describe.concurrent('a client that does what was recorded', () => {
  it('gets every line with ids of this session, and the exit code of the agent', async ({ place }) => {
    record(place, [...APPROVED.slice(0, -1), ['!', `request ${REQUEST} is over`], 3]);
    const talk = new Talk(place, 'last', ...reported(place));
    const asked = await untilAsked(talk);
    expect(asked).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
    expect(asked).not.toBe(REQUEST);
    talk.say(decided(asked, 'approve'));
    const last = await talk.nextWith('finished');
    expect(last.id).toBe('mine');
    const { code, said } = await talk.end();
    expect(code).toBe(3);
    expect(said).toEqual([`request ${asked} is over`]);
    expect(talk.lines.length).toBe(9);
    expect(talk.lines.join('\n')).not.toContain(REQUEST);
    expect(reportOf(place)).toMatchObject({ ok: true, matched: 3, sent: 9, missed: [], near: [], departed: [] });
  });

  it('may have what a redaction has taken from the tape', async ({ place }) => {
    record(place, [
      ['>', prompt('p1', 'send /[PATH_2]/a.txt to [EMAIL_1]')],
      ['<', event('TurnBegin', { user_input: 'send it' })],
      ['<', finished('p1')],
      ['>', prompt('p2', 'send /[PATH_2]/a.txt to [EMAIL_1]')],
      ['<', event('TurnBegin', { user_input: 'send it' })],
      ['<', finished('p2')],
      'eof',
      0,
    ]);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say(prompt('p1', 'send /srv/app/a.txt to me@example.com'));
    await talk.nextWith('finished');
    talk.say(prompt('p2', 'send /srv/app/b.txt to me@example.com'));
    await talk.nextWith('finished');
    expect((await talk.end()).code).toBe(1);
    expect(reportOf(place)).toMatchObject({ near: [{ f: 5, differences: [{ path: '/params/user_input' }] }] });
  });

  it('gets the same from a page that has the tape in it', async ({ place }) => {
    record(place, APPROVED);
    const [one, both] = [join(place.dir, 'page.html'), join(place.dir, 'both.html')];
    record(place, [...APPROVED.slice(0, -1), 3], '20261116T022912-k4f9');
    for (const [file, ...sessions] of [
      [one, 'k3f9'],
      [both, 'k3f9', 'k4f9'],
    ] as const) {
      const { code, stderr } = await wiretape(place, ['export', ...sessions, '--format', 'html', '-o', file]);
      expect({ code, stderr: `${stderr}` }).toMatchObject({ code: 0 });
    }
    for (const [session, exit] of [
      [one, 0],
      [`${both}@1`, 0],
      [`${both}@2`, 3],
    ] as const) {
      const talk = new Talk(place, session, ...reported(place));
      const asked = await untilAsked(talk);
      expect(asked).not.toBe(REQUEST);
      talk.say(decided(asked, 'approve'));
      expect((await talk.nextWith('finished')).id).toBe('mine');
      expect((await talk.end()).code).toBe(exit);
      expect(talk.lines.length).toBe(9);
      expect(talk.lines.join('\n')).toContain('a.txt');
      expect(reportOf(place)).toMatchObject({ ok: true, matched: 3, sent: 9, missed: [], near: [], departed: [] });
    }
  });

  it('gets the very bytes where no id had to change', async ({ place }) => {
    const odd =
      '{ "jsonrpc":"2.0",\t"method":"event","params":{"type":"ContentPart","payload":{"text":"\\u00e9 1.0","type":"text"}}}';
    record(place, [
      ['>', prompt('p1', 'hi')],
      ['<', event('TurnBegin', { user_input: 'hi' })],
      ['<', odd],
      ['<', finished('p1')],
      'eof',
      0,
    ]);
    const talk = new Talk(place, 'last', '--no-stderr');
    talk.say(prompt('other', 'hi'));
    await talk.nextWith('finished');
    expect((await talk.end()).code).toBe(0);
    expect(talk.lines[1]).toBe(odd);
  });

  it('keeps recorded ids if asked to', async ({ place }) => {
    record(place, APPROVED);
    const talk = new Talk(place, 'last', '--keep-ids');
    expect(await untilAsked(talk)).toBe(REQUEST);
    talk.say(decided(REQUEST, 'approve'));
    expect((await talk.nextWith('finished')).id).toBe('mine');
    expect((await talk.end()).code).toBe(0);
  });

  it('may start over with --loop', async ({ place }) => {
    record(place, [
      ['>', prompt('p1', 'hi')],
      ['<', event('TurnBegin', { user_input: 'hi' })],
      ['<', finished('p1')],
      'eof',
      0,
    ]);
    const talk = new Talk(place, 'last', '--loop');
    for (const id of ['a', 'b', 'c']) {
      talk.say(prompt(id, 'hi'));
      expect((await talk.nextWith('finished')).id).toBe(id);
    }
    expect((await talk.end()).code).toBe(0);
  });

  it('ends the agent with a signal as the recorded client did', async ({ place }) => {
    const lines: Recorded[] = [
      ['>', prompt('p1', 'hi')],
      ['<', event('TurnBegin', { user_input: 'hi' })],
      'SIGINT',
      ['<', text('stopped')],
      5,
    ];
    record(place, lines);
    const talk = new Talk(place, 'last');
    talk.say(prompt('p1', 'hi'));
    await talk.next();
    talk.client.kill('SIGINT');
    const { code, signal } = await talk.over();
    expect({ code, signal }).toEqual({ code: 5, signal: null });
    expect(talk.lines.at(-1)).toContain('stopped');
  });

  it('ends the agent with a signal that is not on the tape', async ({ place }) => {
    record(place, APPROVED);
    const talk = new Talk(place, 'last');
    await untilAsked(talk);
    talk.client.kill('SIGTERM');
    expect(await talk.over()).toMatchObject({ code: null, signal: 'SIGTERM' });
  });
});

describe.concurrent('a client that asks for something else', () => {
  it('is answered like the recorded one, with a warning, if only the content differs', async ({ place }) => {
    record(place, APPROVED);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say(prompt('mine', 'list them'));
    const { id } = await talk.nextWith('ApprovalRequest');
    talk.say(decided(id as string, 'approve'));
    await talk.nextWith('finished');
    const { code, said } = await talk.end();
    expect(code).toBe(1);
    expect(said[0]).toBe(
      'wiretape: prompt differs from the recorded one (f2): /params/user_input: recorded "list it", got "list them"',
    );
    const differences = [{ path: '/params/user_input', recorded: 'list it', live: 'list them' }];
    expect(reportOf(place)).toMatchObject({ ok: false, near: [{ f: 2, what: 'prompt', differences }] });
  });

  it('gets the errors of the protocol for what is not on the tape', async ({ place }) => {
    record(place, APPROVED);
    const talk = new Talk(place, 'last', '--match', 'strict', ...reported(place));
    talk.say({ id: 'x', method: 'conjure', params: {} });
    expect(await talk.next()).toMatchObject({ id: 'x', error: { code: -32601 } });
    talk.say(prompt('y', 'list them'));
    expect(await talk.next()).toMatchObject({ id: 'y', error: { code: -32602 } });
    const { code, said } = await talk.end();
    expect(code).toBe(1);
    expect(said[0]).toBe('wiretape: conjure is not on the tape: refused');
    expect(said[1]).toContain('the nearest is f2, which differs at /params/user_input');
    expect(reportOf(place).missed).toMatchObject([
      { what: 'conjure', nearest_f: null },
      { what: 'prompt', nearest_f: 2 },
    ]);
  });

  it('gets the nearest answer, or ends the replay', async ({ place }) => {
    record(place, [
      ['>', { id: 'i', method: 'initialize', params: {} }],
      ['<', result('i', { protocol_version: '1.10' })],
      'eof',
      0,
    ]);
    const warned = new Talk(place, 'last', '--on-miss', 'warn');
    for (const id of ['1', '2']) {
      warned.say({ id, method: 'initialize', params: {} });
      expect(await warned.next()).toMatchObject({ id, result: { protocol_version: '1.10' } });
    }
    expect((await warned.end()).code).toBe(1);
    const stopped = new Talk(place, 'last', '--on-miss', 'stop');
    stopped.say({ id: '1', method: 'conjure' });
    expect((await stopped.over()).code).toBe(1);
  });

  it('is refused a second prompt while a turn is open, and a cancel while none is', async ({ place }) => {
    record(place, [
      ...APPROVED.slice(0, 11),
      ['>', prompt('p2', 'again')],
      ['<', event('TurnBegin')],
      ['<', finished('p2')],
      'eof',
      0,
    ]);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say({ id: 'c0', method: 'cancel', params: {} });
    expect(await talk.next()).toMatchObject({ id: 'c0', error: { code: -32000 } });
    const asked = await untilAsked(talk);
    talk.say(prompt('early', 'again'));
    expect(await talk.next()).toMatchObject({ id: 'early', error: { code: -32000 } });
    talk.say({ id: 's', method: 'steer', params: { user_input: 'quick' } });
    expect(await talk.next()).toMatchObject({ id: 's', result: { status: 'steered' } });
    talk.say(decided(asked, 'approve'));
    await talk.nextWith('finished');
    talk.say(prompt('later', 'again'));
    expect(await talk.nextWith('finished')).toMatchObject({ id: 'later' });
    expect((await talk.end()).code).toBe(1);
    const otherwise = ['cancel is not on the tape', 'a prompt while a turn is open', 'steer is not on the tape'];
    expect(reportOf(place).departed.map(({ what }) => what)).toEqual(otherwise);
  });

  it('gets the history of the run again', async ({ place }) => {
    record(place, [...APPROVED.slice(0, 11), 'eof', 0]);
    const talk = new Talk(place, 'last');
    talk.say(decided(await untilAsked(talk), 'approve'));
    await talk.nextWith('finished');
    const before = talk.lines.length;
    talk.say({ id: 'again', method: 'replay' });
    expect(await talk.nextWith('"events"')).toMatchObject({
      id: 'again',
      result: { status: 'finished', events: 7, requests: 1 },
    });
    expect(talk.lines.slice(before, -1)).toEqual(talk.lines.slice(0, before - 1));
    await talk.end();
  });
});

describe.concurrent('a client that departs', () => {
  it('gets the end that the protocol lays down for its answer, marked as made up', async ({ place }) => {
    record(place, [
      ...APPROVED.slice(0, 11),
      ['>', prompt('p2', 'thanks')],
      ['<', text('welcome')],
      ['<', finished('p2')],
      'eof',
      0,
    ]);
    const talk = new Talk(place, 'last', ...reported(place));
    const asked = await untilAsked(talk);
    talk.say(decided(asked, 'reject'));
    expect(await talk.next()).toMatchObject({ params: { type: 'ApprovalResponse', payload: { request_id: asked } } });
    expect(await talk.next()).toMatchObject({
      params: { type: 'ToolResult', payload: { tool_call_id: 'c1', return_value: { is_error: true } } },
    });
    expect(await talk.next()).toMatchObject({ params: { type: 'TurnEnd' } });
    expect(await talk.next()).toMatchObject({ id: 'mine', result: { status: 'finished' } });
    talk.say(prompt('next', 'thanks'));
    expect(await talk.nextWith('finished')).toMatchObject({ id: 'next' });
    const { code, said } = await talk.end();
    expect(code).toBe(1);
    expect(said[0]).toBe('wiretape: the client departed from the tape: f7: allow on the tape, deny now');
    const report = reportOf(place);
    expect(report.departed).toMatchObject([{ f: 7, next: 'made-up' }]);
    expect(report.made_up.length).toBe(4);
    expect(talk.lines.join()).not.toContain('one file');
  });

  const WRONG_ID: Recorded[] = [
    ...APPROVED.slice(0, 5),
    ['>', { id: 7, result: { request_id: REQUEST, response: 'approve' } }],
    ['<', { id: null, error: { code: -32600, message: 'Invalid request' } }],
    'eof',
    0,
  ];

  it('may answer what was answered under a wrong id: it does not get the error', async ({ place }) => {
    record(place, WRONG_ID);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say(decided(await untilAsked(talk), 'approve'));
    expect(await talk.next()).toMatchObject({ params: { type: 'ApprovalResponse', payload: { response: 'approve' } } });
    expect(await talk.next()).toMatchObject({ params: { payload: { return_value: { is_error: true } } } });
    expect(await talk.next()).toMatchObject({ params: { type: 'TurnEnd' } });
    expect(await talk.next()).toMatchObject({ id: 'mine', result: { status: 'finished' } });
    const { code, said } = await talk.end();
    expect(code).toBe(1);
    expect(said[0]).toBe(
      'wiretape: the client departed from the tape: f7: an answer with a wrong id on the tape, allow now',
    );
    expect(reportOf(place)).toMatchObject({ ok: false, departed: [{ f: 7, next: 'made-up' }], never_asked: [] });
    expect(talk.lines.join()).not.toContain('Invalid request');
  });

  it('may make the same mistake: it gets the error', async ({ place }) => {
    record(place, WRONG_ID);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say({ id: 7, result: { request_id: await untilAsked(talk), response: 'approve' } });
    expect(await talk.next()).toMatchObject({ id: null, error: { message: 'Invalid request' } });
    expect((await talk.end()).code).toBe(0);
    expect(reportOf(place).ok).toBe(true);
  });

  it('may leave out a line that is not JSON: it does not get the error', async ({ place }) => {
    const broken: Recorded[] = [
      ['>', '{"method": '],
      ['<', { id: null, error: { code: -32700, message: 'Parse error' } }],
      ...APPROVED,
    ];
    record(place, broken);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say(decided(await untilAsked(talk), 'approve'));
    await talk.nextWith('finished');
    expect((await talk.end()).code).toBe(1);
    expect(talk.lines.join()).not.toContain('Parse error');
    expect(reportOf(place)).toMatchObject({ never_asked: [2], unsent: 1 });
  });

  it('may answer what was never answered', async ({ place }) => {
    record(place, [...APPROVED.slice(0, 5), 'eof', 0]);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say(decided(await untilAsked(talk), 'reject'));
    expect(await talk.nextWith('finished')).toMatchObject({ id: 'mine' });
    const { code, said } = await talk.end();
    expect(code).toBe(1);
    expect(said[0]).toBe('wiretape: the client departed from the tape: f6: no answer on the tape, deny now');
  });

  it('goes on where another session has its answer', async ({ place }) => {
    const other = '01234567-89ab-4cde-8f01-23456789abcd';
    const denied: Recorded[] = [
      ...APPROVED.slice(0, 4),
      ['<', approval(other, 'c1', 'Run command `ls`')],
      ['>', decided(other, 'reject')],
      ['<', event('ApprovalResponse', { request_id: other, response: 'reject' })],
      ['<', text('as you like')],
      ['<', approval('11111111-2222-4333-8444-555555555555', 'c2', 'Run command `pwd`')],
      ['>', decided('11111111-2222-4333-8444-555555555555', 'approve')],
      ['<', returned('c2', '/home')],
      ['<', finished('p1')],
      'eof',
      0,
    ];
    const main = record(place, APPROVED);
    const branch = record(place, denied, '20261116T022912-b2b2');
    const talk = new Talk(place, main, branch, ...reported(place));
    const asked = await untilAsked(talk);
    talk.say(decided(asked, 'reject'));
    expect(await talk.next()).toMatchObject({ params: { type: 'ApprovalResponse', payload: { request_id: asked } } });
    expect(JSON.stringify(await talk.next())).toContain('as you like');
    const { id } = await talk.next();
    talk.say(decided(id as string, 'approve'));
    expect(JSON.stringify(await talk.next())).toContain('/home');
    expect(await talk.next()).toMatchObject({ id: 'mine', result: { status: 'finished' } });
    expect((await talk.end()).code).toBe(1);
    expect(reportOf(place).departed).toMatchObject([{ next: 'branch', branch: { session: branch, f: 7 } }]);
    expect(reportOf(place).made_up).toEqual([]);
  });

  it('may cancel a turn that was not cancelled', async ({ place }) => {
    record(place, APPROVED);
    const talk = new Talk(place, 'last');
    await untilAsked(talk);
    talk.say({ id: 'stop', method: 'cancel', params: {} });
    expect(await talk.next()).toMatchObject({ id: 'stop', result: {} });
    expect(await talk.next()).toMatchObject({ params: { type: 'TurnEnd' } });
    expect(await talk.next()).toMatchObject({ id: 'mine', result: { status: 'cancelled' } });
    expect((await talk.end()).code).toBe(1);
  });

  it('may leave out what it did of its own accord: the tape goes on', async ({ place }) => {
    const cancelled: Recorded[] = [
      ...APPROVED.slice(0, 5),
      ['>', { id: 'c', method: 'cancel', params: {} }],
      ['<', result('c', {})],
      ['<', event('TurnEnd')],
      ['<', result('p1', { status: 'cancelled' })],
      'eof',
      0,
    ];
    record(place, cancelled);
    const talk = new Talk(place, 'last', ...reported(place));
    await untilAsked(talk);
    expect(await talk.nextWith('cancelled')).toMatchObject({ id: 'mine' });
    const { code, said } = await talk.end();
    expect(code).toBe(1);
    expect(said[0]).toBe(
      'wiretape: the client departed from the tape: it did not send cancel (f7); going on as recorded',
    );
    expect(reportOf(place)).toMatchObject({ departed: [{ f: 7, next: 'as-recorded' }], unsent: 1 });
  });

  it('may end early', async ({ place }) => {
    record(place, APPROVED);
    const talk = new Talk(place, 'last', ...reported(place));
    await untilAsked(talk);
    expect((await talk.end()).code).toBe(1);
    expect(reportOf(place)).toMatchObject({ ok: false, never_asked: [7], unsent: 5 });
  });

  it('may be silent: a time limit ends the replay', async ({ place }) => {
    record(place, APPROVED);
    const talk = new Talk(place, 'last', '--timeout', '8s');
    await untilAsked(talk);
    const { code, said } = await talk.over();
    expect(code).toBe(1);
    expect(said[0]).toBe('wiretape: the client departed from the tape: it did not send approval-answer (f7) in time');
  });
});

describe.concurrent('faults', () => {
  const tape = (place: Place) =>
    record(place, [
      ['>', prompt('p1', 'hi')],
      ['<', event('TurnBegin')],
      ['<', text('one')],
      ['<', text('two')],
      ['<', finished('p1')],
      'eof',
      0,
    ]);

  /** The whole conversation with these faults. */
  async function faulty(place: Place, ...faults: string[]) {
    tape(place);
    const talk = new Talk(place, 'last', ...faults.flatMap((fault) => ['--fault', fault]), ...reported(place));
    talk.say(prompt('p1', 'hi'));
    const ended = await talk.end();
    return { ...ended, out: talk.client.stdout.toString(), lines: talk.lines, faults: reportOf(place).faults };
  }

  it('drop and duplicate lines', async ({ place }) => {
    const { lines, faults, code } = await faulty(place, 'at:f4 drop', 'two duplicate');
    expect(lines.map((line) => /one|two|TurnBegin|finished/.exec(line)?.[0])).toEqual([
      'TurnBegin',
      'two',
      'two',
      'finished',
    ]);
    expect(faults).toEqual([
      { f: 4, fault: 'at:f4 drop' },
      { f: 5, fault: 'two duplicate' },
    ]);
    expect(code).toBe(0);
  });

  it('break lines', async ({ place }) => {
    const { out } = await faulty(place, 'at:f3 malformed', 'at:f4 cut', 'at:f5 noise:boo');
    const [first, second, third] = out.split('\n');
    expect(() => JSON.parse(first!)).toThrow();
    expect(second).toMatch(/^\{"jsonrpc".*[^}]boo$/);
    expect(third).toContain('two');
  });

  it('answer with an error', async ({ place }) => {
    const { lines } = await faulty(place, 'kind:prompt-answer error:-32003');
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ id: 'p1', error: { code: -32003 } });
  });

  it('close stdout, exit, or die', async ({ place }) => {
    expect((await faulty(place, 'at:f4 close')).lines.length).toBe(2);
    const exited = await faulty(place, 'kind:text nth:2 exit:7');
    expect({ code: exited.code, lines: exited.lines.length }).toEqual({ code: 7, lines: 3 });
    const killed = await faulty(place, 'at:f3 kill');
    expect({ signal: killed.signal, lines: killed.lines.length }).toEqual({ signal: 'SIGKILL', lines: 1 });
  });

  it('come by chance, the same for the same seed', async ({ place }) => {
    tape(place);
    const run = async (seed: string) => {
      const talk = new Talk(place, 'last', '--fault', 'chance:0.5 noise', '--seed', seed);
      talk.say(prompt('p1', 'hi'));
      await talk.end();
      return talk.lines.map((line) => line.startsWith('{'));
    };
    const runs = await Promise.all(['1', '1', '2', '3', '4'].map(run));
    expect(runs[0]).toEqual(runs[1]);
    expect(new Set(runs.map(String)).size).toBeGreaterThan(1);
  });

  it('are refused if they make no sense', async ({ place }) => {
    tape(place);
    for (const [fault, message] of [
      ['at:f4', 'invalid fault "at:f4": it names no action'],
      ['delay', 'invalid fault "delay"'],
      ['nonsense:1 drop', 'unknown qualifier'],
    ]) {
      const { code, said } = await new Talk(place, 'last', '--fault', fault!).end();
      expect({ code, said: said[0] }).toMatchObject({ code: 2, said: expect.stringContaining(message!) });
    }
  });
});

describe.concurrent('hostile tapes', () => {
  it('whose ids are objects end with the client', async ({ place }) => {
    record(place, [
      ['>', { id: { a: 1 }, method: 'prompt', params: { user_input: 'x' } }],
      ['<', { id: { a: 1 }, result: {} }],
      'eof',
      0,
    ]);
    const talk = new Talk(place, 'last');
    talk.say({ id: { a: 2 }, method: 'prompt', params: { user_input: 'x' } });
    const { code } = await talk.end();
    expect(code).not.toBeNull();
  });

  it('with more open requests than are kept end with the client', async ({ place }) => {
    const open = Array.from(
      { length: 12_000 },
      (_, i): Recorded => ['>', { id: `r${i}`, method: 'prompt', params: { user_input: `${i}` } }],
    );
    record(place, [...open, ['<', text('late')], 'eof', 0]);
    const talk = new Talk(place, 'last', ...reported(place));
    talk.say(prompt('mine', '5'));
    const { code } = await talk.end();
    expect(code).toBe(1);
    expect(reportOf(place).matched).toBeGreaterThan(0);
  });
});
