/** What looks random is replaced wherever it stands, and what is harmless stays. */
import { describe, expect, it } from 'vitest';
import { RedactionDetector } from '../../../../lib/analysis/redact/detector.ts';
import { editsIn } from '../../../../lib/analysis/redact/edits.ts';
import { piecesOf } from '../../../../lib/analysis/redact/leak-scan.ts';
import { redactSession } from '../../../../lib/analysis/redact/session.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { fixtureSessions, metadataFor } from '../../../support/fixture-sessions.ts';
import { inJson, lineOf, meaning, readings } from '../../../support/planting.ts';
import { AROUND, drawing, FORMS } from '../../../support/random-secrets.ts';

const randomIn = (text: string) =>
  editsIn(text, new RedactionDetector())
    .filter(({ kind }) => kind === 'random')
    .map(({ value }) => value);

const frameOf = (f: number, line: string, from: Frame['from'] = 'agent', isText = false): Frame => ({
  ...{ f, t: f, t0: null, from, form: isText ? 'text' : 'message', eol: '\n', event: null, detail: {} },
  raw: Buffer.from(line),
});

const BEGIN = [
  frameOf(1, '{"jsonrpc":"2.0","id":"1","method":"prompt","params":{"user_input":"x"}}', 'client'),
  frameOf(2, '{"jsonrpc":"2.0","method":"event","params":{"type":"TurnBegin","payload":{"user_input":"x"}}}'),
  frameOf(3, '{"jsonrpc":"2.0","method":"event","params":{"type":"StepBegin","payload":{"n":1}}}'),
];
const event = (type: string, payload: object) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'event', params: { type, payload } });

/** How a text arrives. */
const SAID: Record<string, (text: string) => Frame[]> = {
  'in one text': (text) => [frameOf(4, event('ContentPart', { type: 'text', text }))],
  'in deltas': (text) =>
    text.match(/.{1,5}/gs)!.map((piece, i) => frameOf(4 + i, event('ContentPart', { type: 'text', text: piece }))),
  'in the result of a call': (text) => [
    frameOf(
      4,
      event('ToolResult', {
        tool_call_id: 't1',
        return_value: { is_error: false, output: text, message: '', display: [] },
      }),
    ),
  ],
  'on stderr': (text) => text.split('\n').map((line, i) => frameOf(4 + i, line, 'stderr', true)),
};

/** Of how many secrets of this form one survives whole, by how they arrive. */
function survivors(form: string, turns: number): Record<string, number> {
  const left: Record<string, number> = {};
  const draw = drawing(form.length * 7919 + form.charCodeAt(0));
  for (const [how, said] of Object.entries(SAID)) {
    left[how] = 0;
    for (let turn = 0; turn < turns; turn++)
      for (const around of Object.values(AROUND)) {
        const secret = FORMS[form]!(draw);
        const session = sessionInMemory(metadataFor('random', ['kimi', '--wire']), [...BEGIN, ...said(around(secret))]);
        const pieces = [...piecesOf(redactSession(session).session)];
        if (pieces.some(({ text }) => [...readings(text)].some((one) => one.includes(secret)))) left[how]++;
      }
  }
  return left;
}

describe('what looks random', () => {
  /** Of a hundred. */
  const MOST: Record<string, number> = { 'letters, 32': 4, 'with signs, 24': 25, 'with signs, 32': 8 };

  it.each(Object.keys(FORMS))('%s: does not survive', (form) => {
    const turns = 10;
    const most = ((MOST[form] ?? 2) * turns * Object.keys(AROUND).length) / 100;
    for (const [how, count] of Object.entries(survivors(form, turns)))
      expect(count, `${form} ${how}`).toBeLessThanOrEqual(most);
  });

  it('has one pseudonym, and the rest of the text stays', () => {
    const secret = FORMS['base62, 32']!(drawing(5));
    const lines = [`{"a":"use ${secret} now"}`, `{"b":["/tmp/${secret}/x.txt","x=${secret}&y=1"]}`];
    const session = sessionInMemory(
      metadataFor('one'),
      lines.map((line, i) => frameOf(i + 1, line)),
    );
    expect([...redactSession(session).session.frames()].map(lineOf)).toEqual([
      '{"a":"use [RANDOM_1] now"}',
      '{"b":["/tmp/[RANDOM_1]/x.txt","x=[RANDOM_1]&y=1"]}',
    ]);
  });

  it('is a private key without its first line, and what a model encrypted for itself, however long', () => {
    const draw = drawing(9);
    const long = Array.from({ length: 30 }, () => FORMS['base64 of 32 bytes']!(draw).replace('=', '')).join('');
    const [key] = randomIn(`key: MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${long}`);
    expect(key?.length).toBeGreaterThan(1000);
    expect(randomIn(JSON.stringify({ type: 'thinking', thinking: 'so', signature: long }))).toEqual([long]);
    expect(randomIn(JSON.stringify({ type: 'image', data: long }))).toEqual([]);
  });
});

const HEX32 = '9f86d081884c7d659a2feaa0c55ad015';
const HEX64 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

describe('what is harmless', () => {
  it.each([
    ...[
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      '26d9f0f8a1c0de3b0f3c9d1e2a4b5c6d7e8f9a0b',
      'commit 5ac6225',
      '1234567890'.repeat(4),
    ],
    ...[
      `sha256:${HEX64}`,
      `image@sha256:${HEX64}`,
      `${HEX64}  wiretape.tgz`,
      `${HEX32} *a.iso`,
      `MD5 (a.iso) = ${HEX32}`,
    ],
    ...[
      `"checksum": "${HEX64}"`,
      `hash = "${HEX32}"`,
      `trace_id=${HEX32}`,
      `traceparent: 00-${HEX32}-00f067aa0ba902b7-01`,
    ],
    ...[`.git/objects/ab/${HEX64.slice(0, 38)}`, `etag: "${HEX32}"`, `container id ${HEX64}`, `overlay2/${HEX64}/diff`],
    '"integrity": "sha512-NCgVJRyrU1+hsW1ILNaRqNAb9fRL4n49bwyef+wjVJQ488/bXbp0BfnNqTTExkiNQT3ugkgYKR1vK8NxsjlNSQ=="',
    'golang.org/x/sys v0.1.0 h1:kunALQeHf1/185U1i0GOB/fy1IPRDDpuoOOqRReG57U=',
    'SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8 git@example.org',
    '/nix/store/0c1p5z4kda11z1wd7cljrhk34nnbg1k4-hello-2.12/bin/hello',
    ...['msg_01M7HD6KR1NZK1CXN51JFEW28A', 'toolu_01A09q90qw90lq917835lq9', 'chatcmpl-9tXUyK2kzWkQ0GvX1bM3nR7sLdEfH'],
    ...[
      'node_modules/@modelcontextprotocol/sdk/dist/esm/server/index.js',
      'application/vnd.openxmlformats-officedocument',
    ],
    ...[
      'COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR',
      'getElementsByClassNameAndAttribute2',
      'kimi-k2-0905-preview-2026-11-18',
    ],
    ...[
      'org.springframework.beans.factory.support.DefaultListableBeanFactory',
      'linux-x86_64-gnu-cpython-312-manylinux2014',
    ],
    ...[
      '2026-11-18T01:02:03.000000Z',
      '20261118T010203-abcdef',
      'AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    ],
    ...['abcdefghijklmnopqrstuvwxyz0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'],
    ...[
      'zhongguorenminjiefangjun',
      'Donaudampfschifffahrtsgesellschaftskapitaen',
      'M160-240v-120h80v120h480v-120h80v120q0',
    ],
    ...['deadbeefdeadbeefdeadbeefdeadbeef', '0123456789abcdef0123456789abcdef', 'draft-ietf-httpbis-p4-conditional-26'],
    Buffer.from('Ordinary text that a program wrote, 你好.').toString('base64'),
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'data:font/woff2;base64,d09GMgABAAAAAAXsAA8AAAAACZAAAAWRAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGhYbg',
  ])('%s', (text) => {
    expect(randomIn(text)).toEqual([]);
    expect(randomIn(JSON.stringify({ a: `\n${text}\n` }))).toEqual([]);
  });

  const id = 'kX3vQ9pLr7TzW2mNb8Yd';
  it('an id of the session stays wherever it stands, also before it is known to be one', () => {
    const lines = [
      `{"note":"waiting for ${id}"}`,
      `{"jsonrpc":"2.0","method":"x","params":{"sessionId":"${id}","client_secret_id":"zK4wR8qMs6UyX1nPc7Ve"}}`,
      `{"a":"/var/log/${id}/out.log","b":"Qw7eR5tY3uI1oP9aS8dF"}`,
    ];
    const session = sessionInMemory(
      metadataFor('ids'),
      lines.map((line, i) => frameOf(i + 1, line)),
    );
    expect([...redactSession(session).session.frames()].map(lineOf)).toEqual([
      lines[0],
      lines[1]!.replace('zK4wR8qMs6UyX1nPc7Ve', '[RANDOM_1]'),
      lines[2]!.replace('Qw7eR5tY3uI1oP9aS8dF', '[RANDOM_2]'),
    ]);
  });

  it('real sessions mean what they meant', () => {
    for (const session of fixtureSessions().filter((_, i) => i % 9 === 0)) {
      const { dialect } = new Pass(session);
      expect(meaning(redactSession(session).session, dialect), session.id).toEqual(meaning(session, dialect));
    }
  });
});

describe('hostile text', () => {
  it.each([
    'a1B2',
    'Zx9Yw8Vu7Ts6Rq5Po4Nm3 ',
    'Zx9Yw8Vu7Ts6Rq5Po4Nm3/',
    '?a',
    '&a_',
    '%',
    '-',
    '"id":"Zx9Yw8Vu7Ts6Rq5Po4Nm3",',
    inJson('\\n'),
    `${HEX32} `,
  ])('of %j takes linear time', (part) => {
    const text = part.repeat(400_000 / part.length);
    expect(editsIn(text, new RedactionDetector())).toBeInstanceOf(Array);
    const session = sessionInMemory(metadataFor('hostile'), [frameOf(1, JSON.stringify({ text }))]);
    expect([...redactSession(session).session.frames()].length).toBe(1);
  });
});
