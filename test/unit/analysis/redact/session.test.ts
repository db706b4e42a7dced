/** A redacted session: equal values have equal pseudonyms, lines keep their bytes, and the options of the user hold. */
import { describe, expect, it } from 'vitest';
import { piecesOf, scanForLeaks } from '../../../../lib/analysis/redact/leak-scan.ts';
import { parseKeep, parsePath, parseRule, type RedactOptions } from '../../../../lib/analysis/redact/options.ts';
import { redactSession } from '../../../../lib/analysis/redact/session.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { fixtureSessions, metadataFor } from '../../../support/fixture-sessions.ts';
import { KEYS } from '../../../support/planted.ts';
import { replayed } from '../../../support/replaying.ts';

const KEY = KEYS.find(({ kind }) => kind === 'github-token')!.text;
const lineOf = ({ raw }: Frame) => Buffer.from(raw).toString();
const frameOf = (line: string | Buffer, i: number, head?: string): Frame => ({
  ...{ f: i + 1, t: i, t0: null, from: 'agent', form: 'message', eol: '\n', event: null, detail: {} },
  ...{ raw: Buffer.from(line as string), head },
});

function redacted(lines: (string | Buffer)[], options: RedactOptions = {}, metadata: Record<string, unknown> = {}) {
  const session = sessionInMemory(
    { ...metadataFor('x'), ...metadata },
    lines.map((line, i) => frameOf(line, i)),
  );
  const made = redactSession(session, options);
  return { ...made, made, lines: [...made.session.frames()].map(lineOf) };
}

describe('a redacted session', () => {
  it('has equal pseudonyms for equal values, however they are written', () => {
    const [a, b, c] = redacted([
      `{"a" : "${KEY}",  "b":1}`,
      `{"a":"${KEY.replace('g', '\\u0067')}"}`,
      `{"a":"${Buffer.from(`see ${KEY}`).toString('base64')}"}`,
    ]).lines;
    expect([a, b]).toEqual(['{"a" : "[TOKEN_1]",  "b":1}', '{"a":"[TOKEN_1]"}']);
    expect(atob(JSON.parse(c!).a)).toBe('see [TOKEN_1]');
  });

  it('keeps long values in their class of length', () => {
    const long = KEYS.find(({ kind }) => kind === '1password-token')!.text;
    const { a } = JSON.parse(redacted([`{"a":"${long}"}`]).lines[0]!);
    expect([a.length, a]).toEqual([2 ** Math.floor(Math.log2(long.length)), expect.stringMatching(/^\[TOKEN_1\.+\]$/)]);
  });

  it('replaces a password that a name told elsewhere too', () => {
    const { lines } = redacted(['{"text":"use hunter2hunter3"}', '{"password":"hunter2hunter3"}']);
    expect(lines).toEqual(['{"text":"use [PASSWORD_1]"}', '{"password":"[PASSWORD_1]"}']);
  });

  it('replaces it in streamed text, too, that comes before its name', () => {
    const value = ['Hx7k', 'Q2mZp9'].join('');
    const say = (text: string) =>
      text
        .match(/.{1,4}/gs)!
        .map(
          (piece) =>
            `{"jsonrpc":"2.0","method":"event","params":{"type":"ContentPart","payload":{"type":"text","text":${JSON.stringify(piece)}}}}`,
        );
    const { lines, made } = redacted([
      '{"jsonrpc":"2.0","id":"1","method":"prompt","params":{"user_input":"x"}}',
      '{"jsonrpc":"2.0","method":"event","params":{"type":"StepBegin","payload":{"n":1}}}',
      ...say(`first ${value}, then API_KEY=${value} and then ${value} again`),
    ]);
    const text = lines.map((line) => JSON.parse(line).params.payload?.text ?? '').join('');
    expect(text).toBe('first [SECRET_1], then API_KEY=[SECRET_1] and then [SECRET_1] again');
    expect(scanForLeaks(piecesOf(made.session), { values: made.values() })).toEqual([]);
  });

  it('keeps the number of a document that is a part of another one, and the scan does not take it for a leak', () => {
    const { lines, made } = redacted(['{"a":"passport: E12345678"}', '{"b":"order 7E12345678"}']);
    expect(lines).toEqual(['{"a":"passport: [ID_1]"}', '{"b":"order 7E12345678"}']);
    expect(scanForLeaks(piecesOf(made.session), { values: made.values() })).toEqual([]);
  });

  it('is scanned as a terminal shows it', () => {
    const coloured = (text: string) => `\x1b[32m${text.slice(0, 9)}\u200b${text.slice(9)}\x1b[0m`;
    expect(scanForLeaks([{ where: 'f1', text: `see ${coloured(KEY)}` }])).toEqual([
      { kind: 'github-token', where: 'f1' },
    ]);
    expect(scanForLeaks([{ where: 'f1', text: JSON.stringify({ a: coloured(KEY) }) }])).toHaveLength(1);
  });

  it('keeps directories apart and absolute, and knows users and hosts', () => {
    const { lines, session } = redacted(
      [
        '{"p":"/home/margot/rocket/src/a.ts","q":"file:///home/margot/x","r":"margot on tardis","s":"-home-margot-rocket"}',
      ],
      {},
      { cwd: '/home/margot/rocket', user: 'margot', host: 'tardis' },
    );
    expect(session.metadata).toMatchObject({
      cwd: '/[PATH_1]',
      user: '[USER_1]',
      host: '[HOST_1]',
      redacted: { mode: 'secrets' },
    });
    expect(lines).toEqual([
      '{"p":"/[PATH_1]/src/a.ts","q":"file:///[PATH_2]/x","r":"[USER_1] on [HOST_1]","s":"[PATH_3]"}',
    ]);
  });

  it('stays JSON whatever a form takes for a value', () => {
    const { lines } = redacted([
      '{"x":"password=","y":"foo1234567"}',
      '{"card":4111111111111111,"n":12}',
      `["--token","abc12345","-v"]`,
    ]);
    expect(lines).toEqual([
      '{"x":"password=","y":"foo1234567"}',
      '{"card":1000000000000001,"n":12}',
      '["--token","[SECRET_1]","-v"]',
    ]);
  });

  it('replaces bytes that are no text, and tells the new length of a body', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(` ${KEY} `), Buffer.from([0x80])]);
    const [frame] = redactSession(sessionInMemory(metadataFor('x'), [frameOf(bytes, 0)])).session.frames();
    expect(Buffer.from(frame!.raw)).toEqual(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(' [TOKEN_1] '), Buffer.from([0x80])]),
    );
    const body = `{"a":"${KEY}"}`;
    const framed = frameOf(body, 0, `Content-Length: ${body.length}\r\n\r\n`);
    const [after] = redactSession(sessionInMemory(metadataFor('x'), [framed])).session.frames();
    expect(after!.head).toBe(`Content-Length: ${after!.raw.length}\r\n\r\n`);
  });

  it('replaces what stands in a header', () => {
    const head = `Content-Length: 13\r\nX-Api-Key: ${KEY}\r\n\r\n`;
    const [after] = redactSession(
      sessionInMemory(metadataFor('x'), [frameOf('{"a":"plain"}', 0, head)]),
    ).session.frames();
    expect(after!.head).toBe('Content-Length: 13\r\nX-Api-Key: [TOKEN_1]\r\n\r\n');
    expect(scanForLeaks(piecesOf(sessionInMemory(metadataFor('x'), [frameOf('{}', 0, head)])))).toHaveLength(1);
  });

  it('survives megabytes without a blank', () => {
    const { lines } = redacted([`{"a":"sk-1${'aB3'.repeat(1_000_000)}"}`, `{"b":"${'%41'.repeat(100_000)}"}`]);
    expect(JSON.parse(lines[0]!).a).toMatch(/^\[TOKEN_1\.{4000,}\]$/);
    expect(lines[1]).toHaveLength(300_008);
  });

  it('reads a line in blocks if it is too long to hold', () => {
    const whole = Buffer.from(`{"a":"${'x '.repeat(400_000)}${KEY} ${'y '.repeat(300_000)}"}`);
    const cut = {
      bytes: whole.length - 10,
      *whole() {
        for (let i = 0; i < whole.length; i += 65_537) yield whole.subarray(i, i + 65_537);
      },
    };
    const [frame] = redactSession(
      sessionInMemory(metadataFor('x'), [{ ...frameOf(whole.subarray(0, 10), 0), cut }]),
    ).session.frames();
    const after = Buffer.concat([...frame!.cut!.whole()].map((block) => Buffer.from(block))).toString();
    expect(after).toBe(whole.toString().replace(KEY, '[TOKEN_1]'));
    expect(frame!.raw.length + frame!.cut!.bytes).toBe(after.length);
  });

  it('follows rules, paths, literals and what is to be kept', () => {
    const options = {
      rules: [parseRule('ticket=/ACME-(?<secret>\\d+)/')!],
      paths: [parsePath('params.items[*].key')!, parsePath('params.mail')!],
      literals: ['Falcon'],
      keeps: parseKeep('*@example.com'),
    };
    const { lines } = redacted(
      [
        '{"params":{"items":[{"key":"k"},{"key":"l"}],"mail":"to x@corp.org","t":"ACME-77 of Falcon, a@example.com b@example.org"}}',
      ],
      options,
    );
    expect(lines).toEqual([
      '{"params":{"items":[{"key":"[PATH_1]"},{"key":"[PATH_2]"}],"mail":"[PATH_3]","t":"ACME-[TICKET_1] of [SECRET_1], a@example.com [EMAIL_1]"}}',
    ]);
  });

  it('has a manifest, the same however often it is read', () => {
    const { made } = redacted([`{"a":"${KEY} and ${KEY}, me@corp.org"}`]);
    const first = made.manifest();
    for (const _ of made.session.frames());
    expect(made.manifest()).toEqual(first);
    expect(first).toEqual({
      mode: 'secrets',
      kinds: [
        { kind: 'github-token', values: 1, places: 2, frames: [1] },
        { kind: 'email', values: 1, places: 1, frames: [1] },
      ],
    });
  });

  it('is marked if nothing is redacted', () => {
    const { session, lines } = redacted([`{"a":"${KEY}"}`], { mode: 'none' });
    expect([session.metadata.redacted, lines]).toEqual([{ mode: 'none' }, [`{"a":"${KEY}"}`]]);
  });

  it('replays as the original did', async () => {
    for (const session of fixtureSessions().filter((_, i) => i % 9 === 0)) {
      const { session: made } = redactSession(session);
      const { got, recorded, report } = await replayed(made);
      expect([report.missed, report.never_asked, got.length], session.id).toEqual([[], [], recorded.length]);
    }
  });
});

describe('the leak scan', () => {
  it.each([
    KEY,
    `\\u0067${KEY.slice(1)}`,
    Buffer.from(`a ${KEY}`).toString('base64'),
    encodeURIComponent(`a ${KEY}`),
    JSON.stringify(JSON.stringify({ a: KEY })).slice(1, -1),
  ])('finds what is left, and does not show it: %s', (written) => {
    const session = sessionInMemory(metadataFor('x'), [frameOf(`{"a":"${written}"}`, 0)]);
    const leaks = scanForLeaks(piecesOf(session));
    expect(leaks).toEqual([{ kind: 'github-token', where: 'f1' }]);
  });

  it('finds a value that was replaced elsewhere', () => {
    expect(scanForLeaks([{ where: 'page', text: 'pw hunter2hunter3' }], { values: ['hunter2hunter3'] })).toEqual([
      { kind: 'replaced-value', where: 'page' },
    ]);
    expect(scanForLeaks([{ where: 'page', text: 'nothing [TOKEN_1] here' }], { values: ['hunter2hunter3'] })).toEqual(
      [],
    );
  });
});
