/** Lines that are not JSON, because a line feed is missing in them, and lines that are not JSON for another reason. */
import { describe, expect, it } from 'vitest';
import { describeJoinedLine, findJoined } from '../../../../lib/model/json/joined-messages.ts';

const words = (line: string, head?: string) => describeJoinedLine({ raw: Buffer.from(line), head });
const ping = '{"jsonrpc":"2.0","id":9,"method":"ping"}';
const user = '{"type":"user","message":{"content":"a } { \\" b"}}';

describe('a line feed is missing', () => {
  it.each<[string, string, string]>([
    ['two messages', ping + user, 'two messages on one line; the line feed is missing after byte 40'],
    ['white space between', `${ping} \t${user}`, 'two messages on one line; the line feed is missing after byte 40'],
    ['a comma between', `${ping},${user}`, 'two messages on one line; the line feed is missing after byte 40'],
    [
      'a carriage return',
      `${ping}\r${user}`,
      'two messages on one line; the line feed is missing after byte 40, where a carriage return stands',
    ],
    ['three messages', ping + ping + ping, 'three messages on one line; line feeds are missing after bytes 40 and 80'],
    [
      'text behind',
      `${ping}INFO ready`,
      'a message and other text on one line; the line feed is missing after byte 40',
    ],
    [
      'text between',
      `${ping}oops${ping}`,
      'two messages and other text on one line; line feeds are missing after bytes 40 and 44',
    ],
    ['text before', `Ready${ping}`, 'a message and other text on one line; the line feed is missing after byte 5'],
    [
      'a message that breaks off',
      `${ping}{"jsonrpc":"2.0","id`,
      'a message and other text on one line; the line feed is missing after byte 40',
    ],
    [
      'bytes, not characters',
      `{"type":"ü"}${ping}`,
      'two messages on one line; the line feed is missing after byte 13',
    ],
    [
      'many',
      ping.repeat(12),
      '12 messages on one line; line feeds are missing after bytes 40, 80, 120, 160, 200, and 6 more',
    ],
  ])('%s', (_, line, said) => {
    expect(words(line)).toBe(said);
  });

  it('not between bodies, which have a header', () => {
    expect(words(ping + ping, 'Content-Length: 80\r\n\r\n')).toBe(
      'two messages in one body; the first ends after byte 40',
    );
  });

  it('is found where the messages stand', () => {
    expect(findJoined(Buffer.from(`${ping}x${ping}`))).toEqual([
      { at: 0, end: 40, isMessage: true },
      { at: 40, end: 41, isMessage: false },
      { at: 41, end: 81, isMessage: true },
    ]);
  });
});

it.each([
  ['a text', 'Server ready'],
  ['a log that quotes an object', 'DEBUG got {"a":1} and {"b":2}'],
  ['a log that quotes a message of another kind', 'DEBUG got {"type":"user"}'],
  ['one closing bracket too many', `${ping}}`],
  ['one too few', ping.slice(0, -1)],
  ['values that are no messages', '{"a":1}{"b":2}'],
  ['numbers', '1 2 3'],
  ['nothing', ''],
  ['an object of another language', "{'type': 'user'}"],
])('%s is no such line', (_, line) => {
  expect(words(line)).toBeNull();
});

it('takes no longer for a hostile line', () => {
  expect(findJoined(Buffer.from('{"a":'.repeat(200_000)))).toBeNull();
  expect(findJoined(Buffer.from('{'.repeat(1_000_000)))).toBeNull();
});
