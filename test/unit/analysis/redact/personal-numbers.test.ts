/** What tells who somebody is, in the forms that people write it in; and what only looks like it. All of it is made up. */
import { describe, expect, it } from 'vitest';
import { RedactionDetector } from '../../../../lib/analysis/redact/detector.ts';
import { editsIn, insideStrings } from '../../../../lib/analysis/redact/edits.ts';
import { piecesOf, scanForLeaks } from '../../../../lib/analysis/redact/leak-scan.ts';
import type { CountryPreset } from '../../../../lib/analysis/redact/presets.ts';
import { redactSession } from '../../../../lib/analysis/redact/session.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';
import { lineOf } from '../../../support/planting.ts';

const detector = new RedactionDetector();
/** Through the sieve, as a line goes. */
const found = (text: string, by = detector) =>
  editsIn(text, by).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
const MAILS = [
  'email zhang.san@公司.cn',
  'email 张三@公司.cn',
  'email иван@почта.рф',
  'email li@例子.中国',
  'email josé@exämple.de',
];

describe('phone numbers', () => {
  it.each([
    ['phone 13812345678', '13812345678'],
    ['电话：13912345679。', '13912345679'],
    ['手机号13812345678', '13812345678'],
    ['{"phone":"13512345671"}', '13512345671'],
    ['138 1234 5678', '138 1234 5678'],
    ['138-1234-5678', '138-1234-5678'],
    ['+86 137 1234 5670', '+86 137 1234 5670'],
    ['+8613712345670', '+8613712345670'],
    ['tel 010-62345678', '010-62345678'],
    ['0755-8234 5678', '0755-8234 5678'],
    ['(010) 62345678', '(010) 62345678'],
    ['+1 (415) 555-2671', '+1 (415) 555-2671'],
    ['(415) 555-2671', '(415) 555-2671'],
    ['call 415-555-2671 now', '415-555-2671'],
    ['+49 170 1234567', '+49 170 1234567'],
    ['+33 6 12 34 56 78', '+33 6 12 34 56 78'],
    ['+44 20 7946 0958', '+44 20 7946 0958'],
  ])('%s', (text, phone) => {
    expect(found(text)).toEqual([`phone ${phone}`]);
  });

  it('stand in JSON as numbers, and become numbers of as many digits', () => {
    const text = '{"phone":13812345678,"list":[13912345679],"at":1794853672353,"bytes":16106127360}';
    const edits = insideStrings(text, editsIn(text, detector));
    expect(edits.map(({ value, isNumber }) => [value, isNumber])).toEqual([
      ['13812345678', true],
      ['13912345679', true],
    ]);
  });

  it.each([
    ...['1794853672353', '1794853672', '1794853672353123', '1794853672353123456', '17179869184', '12345678901'],
    ...[
      '{"total_tokens":13812345678}',
      '{"size": 13812345679}',
      '13812345679 bytes',
      'took 13812345679 ns',
      'id=13812345679',
    ],
    ...['x13812345678', '13812345678a', '0.13812345678', 'v-13812345678', '138123456789', '2026-11-18', '2026-11-1812'],
    ...['010-1234', '12:34:56', '1.2.3.4567890', 'port 4155552671', '555-2671', '100-200-3000', '0123-4567'],
    ...['f13812345678b', '2f8e13812345678', 'sha1 13812345678aabbcc', '+123456', '(1) 2-3'],
  ])('not %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('numbers of people', () => {
  it.each([
    ['身份证 11010519491231002X', 'id-number 11010519491231002X'],
    ['{"id":"110105194912310038"}'.replace('110105194912310038', '11010519491231002x'), 'id-number 11010519491231002x'],
    ['身份证号 110105491231002', 'id-number 110105491231002'],
    ['my SSN is 219-09-9999', 'id-number 219-09-9999'],
    ['social security number: 219099999', 'id-number 219099999'],
    ['护照 E12345678', 'passport E12345678'],
    ['护照号：EA1234567', 'passport EA1234567'],
    ['passport no. 512345678', 'passport 512345678'],
    ['card 4111111111111111', 'card 4111111111111111'],
    ['6222021234567890128', 'card 6222021234567890128'],
    ['6222 0212 3456 7890 128', 'card 6222 0212 3456 7890 128'],
    ['3782 822463 10005', 'card 3782 822463 10005'],
    ['IBAN DE89370400440532013000', 'iban DE89370400440532013000'],
    ['GB29 NWBK 6016 1331 9268 19, please', 'iban GB29 NWBK 6016 1331 9268 19'],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it.each([
    ...[
      '110105194912310021',
      '11010519491331002X',
      '991105194912310025',
      '110105491231002',
      '219-09-9999',
      'E12345678',
    ],
    ...[
      '6222021234567890127',
      '4111111111111112',
      'DE89370400440532013001',
      'DE89 is a road',
      'EE01 2345',
      '123456789',
    ],
    ...['1794853672353123456', '622202123456789', '512345678', 'FR00', 'MT2026', 'passport.js', 'SSN', 'AB12345678'],
  ])('not %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('addresses', () => {
  it.each([
    ...MAILS.map((mail) => [`写信给 ${mail.slice(6)}，谢谢`, mail]),
    ['请联系zhang@corp.io。', 'email zhang@corp.io'],
    ['{"to":"\\u5f20\\u4e09@\\u516c\\u53f8.cn"}', 'email \\u5f20\\u4e09@\\u516c\\u53f8.cn'],
    ['/mnt/c/Users/zhangwei/acme/x.ts', 'path Users/zhangwei/acme'],
    ['/var/home/zhangwei/acme/x.ts', 'path home/zhangwei/acme'],
    ['/export/home/zhangwei', 'path home/zhangwei'],
    ['/data/home/zhangwei', 'path home/zhangwei'],
    ['C:/Users/zhangwei/acme/x.ts', 'path Users/zhangwei/acme'],
    ['/c/Users/zhangwei', 'path Users/zhangwei'],
    ['cd ~zhangwei/acme', 'user zhangwei'],
    ['ssh db-1.prod.internal', 'host db-1.prod.internal'],
    ['https://git.acme.corp/x/y', 'host git.acme.corp'],
    ['zhang@buildbox.local:~/x', 'email zhang@buildbox.local'],
    ['Johns-MacBook-Pro.local', 'host Johns-MacBook-Pro.local'],
    ['nas.lan', 'host nas.lan'],
    ['http://registry.local:5000/v2', 'host registry.local'],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it.each([
    ...['/root/x', '/mnt/c/Windows/x', '/srv/home/x', 'a/home/b', '~/x', '~root/x', 'HEAD~2/x', 'approx ~words here'],
    ...[
      '.claude/settings.local.json',
      '.env.local',
      'config.local',
      'this.internal',
      'pkg._internal',
      'org.foo.internal.Bar',
    ],
    ...[
      'host.docker.internal',
      'http://host.docker.internal:80',
      'x.corporate',
      'a.lane',
      'node:internal/modules',
      'd.local()',
    ],
    ...['用户@张三', '@某人.然后', 'icon@2x.png', '8.8.8.8', '2001:db8::1', '52:54:00:12:34:56', 'std::vec::Vec'],
    ...['/Users/Shared/x', 'settings.local', '$HOME.local'],
  ])('not %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['203.0.113.7', 'address 203.0.113.7'],
    ['from 2001:db8::8a2e:370:7334', 'address 2001:db8::8a2e:370:7334'],
    ['52:54:00:12:34:56', 'address 52:54:00:12:34:56'],
    ['AA-BB-CC-12-34-56', 'address AA-BB-CC-12-34-56'],
  ])('on request, %s', (text, expected) => {
    expect(found(text, new RedactionDetector([], undefined, { addresses: true }))).toEqual([expected]);
  });

  it.each(['127.0.0.1', '0.0.0.0', '1.2.3', 'v1.2.3.4.5', '12:34:56', 'a::b', '00:00:00:00:00:00', '2026-11-18'])(
    'on request, not %s',
    (text) => {
      expect(found(text, new RedactionDetector([], undefined, { addresses: true }))).toEqual([]);
    },
  );
});

describe('names that programs print', () => {
  it.each([
    ['-rw-r--r-- 1 zhangwei designers 1234 Nov  1 12:00 a.txt', ['user zhangwei', 'user designers']],
    ['drwxr-xr-x. 12 zhangwei staff 4096 Nov  1 12:00 src', ['user zhangwei']],
    ['lrwxrwxrwx@ 1 root wheel 7 x -> y', []],
    ['-rw-r--r-- 1 root root 1234 Nov  1 12:00 a.txt', []],
    ['-rw-r--r-- 1 www-data www-data 1234 Nov  1 12:00 a.txt', []],
    [
      'uid=1000(zhangwei) gid=1000(zhangwei) groups=1000(zhangwei),27(sudo),999(docker)',
      Array(3).fill('user zhangwei'),
    ],
    ['uid=0(root) gid=0(root) groups=0(root)', []],
    ['zhangwei:x:1000:1000:Zhang Wei,,,:/srv/z:/bin/bash', ['user zhangwei', 'user Zhang Wei']],
    ['www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin', []],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

it('a passport is replaced also where nothing tells that it is one, and the file passes the leak scan', () => {
  const lines = [
    '{"a":"E12345678 it is"}',
    '{"a":"my 护照 is E12345678"}',
    '{"a":"SSN 219-09-9999"}',
    '{"a":"219-09-9999"}',
  ];
  const frames = lines.map((line, i) => ({
    ...{ f: i + 1, t: i, t0: null, from: 'agent' as const, form: 'message' as const },
    ...{ eol: '\n' as const, event: null, detail: {}, raw: Buffer.from(line) },
  }));
  const redacted = redactSession(sessionInMemory(metadataFor('passport'), frames));
  const said = [...redacted.session.frames()].map(lineOf).join('');
  expect(said).not.toMatch(/E12345678|219-09/);
  expect(scanForLeaks(piecesOf(redacted.session), { values: redacted.values() })).toEqual([]);
});

it('the user that whoami names is replaced everywhere', () => {
  const event = (type: string, payload: object) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'event', params: { type, payload } });
  const result = { is_error: false, output: 'zhangwei\n', message: '', display: [] };
  const lines = [
    '{"jsonrpc":"2.0","id":"1","method":"prompt","params":{"user_input":"zhangwei says hello"}}',
    event('TurnBegin', { user_input: 'x' }),
    event('StepBegin', { n: 1 }),
    event('ToolCall', {
      type: 'function',
      id: 't',
      function: { name: 'Shell', arguments: '{"command":"cd /srv && whoami"}' },
    }),
    event('ToolResult', { tool_call_id: 't', return_value: result }),
  ];
  const frames = lines.map((line, i) => ({
    ...{ f: i + 1, t: i, t0: null, from: i === 0 ? ('client' as const) : ('agent' as const), form: 'message' as const },
    ...{ eol: '\n' as const, event: null, detail: {}, raw: Buffer.from(line) },
  }));
  const { session } = redactSession(sessionInMemory(metadataFor('whoami', ['kimi', '--wire']), frames));
  const said = [...session.frames()].map(lineOf);
  expect(said[0]).toContain('"[USER_1] says hello"');
  expect(said[4]).toContain('"output":"[USER_1]\\n"');
});

describe('presets', () => {
  const only = (...presets: CountryPreset[]) => new RedactionDetector([], undefined, { presets: new Set(presets) });
  const text = '13812345678, 415-555-2671, DE89370400440532013000, +49 170 1234567';
  it.each([
    ['cn', 'phone 13812345678'],
    ['us', 'phone 415-555-2671'],
    ['eu', 'iban DE89370400440532013000'],
  ] as const)('%s looks for its own forms', (preset, expected) => {
    expect(found(text, only(preset))).toEqual([expected, 'phone +49 170 1234567']);
  });
});

describe('hostile text', () => {
  it.each([
    '1381234567',
    '+86 ',
    '(010',
    '/home/',
    '~a',
    '.local',
    'a.local',
    'rw-r--r-- ',
    'uid=1(a)',
    ':x:1:1:',
    'DE89 ',
    '张',
    '张@',
    '@公司.',
    'E1234567 ',
    '6222 ',
  ])('of %j takes linear time', (part) => {
    expect(editsIn(part.repeat(200_000 / part.length), detector)).toBeInstanceOf(Array);
  });
});
