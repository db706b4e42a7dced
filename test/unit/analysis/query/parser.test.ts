/** What a query's text means, and what is said of text that means nothing. */
import { describe, expect, it } from 'vitest';
import { markError, QueryError } from '../../../../lib/analysis/query/error.ts';
import { EXAMPLE_QUERIES } from '../../../../lib/analysis/query/help.ts';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';

const text = (text: string, at: number) => ({ is: 'text', text, at });
const field = (name: string, at: number, ...tests: unknown[]) =>
  expect.objectContaining({ is: 'field', name, at, tests });
const path = (path: unknown[], at: number, ...tests: unknown[]) => ({ is: 'path', path, at, tests });
const equals = (text: string, number: number | null = null) => ({ is: 'equals', text, number });
const range = (from: number | null, to: number | null, fromOpen = false, toOpen = false) => ({
  ...{ is: 'range', from, fromOpen, to, toOpen },
});
/** An escape that Unicode mode refuses. */
const LOOSE = 'a\\-b';
const micros = (iso: string) => Date.parse(iso) * 1000;

describe('parseQuery', () => {
  it.each([
    ['', null],
    [' \t\u3000', null],
    ['Reset', text('reset', 0)],
    ['a b', { is: 'and', of: [text('a', 0), text('b', 2)] }],
    ['a AND b', { is: 'and', of: [text('a', 0), text('b', 6)] }],
    ['a OR b c', { is: 'or', of: [text('a', 0), { is: 'and', of: [text('b', 5), text('c', 7)] }] }],
    ['(a OR b)c', { is: 'and', of: [{ is: 'or', of: [text('a', 1), text('b', 6)] }, text('c', 8)] }],
    ['((a (b)))', { is: 'and', of: [text('a', 2), text('b', 5)] }],
    ['NOT a', { is: 'not', of: text('a', 4) }],
    ['-"a b"', { is: 'not', of: text('a b', 1) }],
    ['-(a)', { is: 'not', of: text('a', 2) }],
    ['NOT(a)', { is: 'not', of: text('a', 4) }],
    ['well-known', text('well-known', 0)],
    ['not or and', { is: 'and', of: [text('not', 0), text('or', 4), text('and', 7)] }],
    ['"OR"', text('or', 0)],
    ['"a \\"b\\" \\\\ \\n"', text('a "b" \\ \\n', 0)],
    ['a,b', text('a,b', 0)],
    ['me@here', text('me@here', 0)],
    ['50%', text('50%', 0)],
    ['错误', text('错误', 0)],
  ])('%j', (query, expected) => {
    expect(parseQuery(query)).toEqual(expected);
  });

  it.each([
    ['tool:Shell', field('tool', 0, equals('shell'))],
    ['TOOL:Shell,"a, b"', field('tool', 0, equals('shell'), equals('a, b'))],
    ['tool:Write*', field('tool', 0, { is: 'glob', pattern: 'write*' })],
    ['tool:"Write*"', field('tool', 0, equals('write*'))],
    ['tool:*', field('tool', 0, { is: 'exists' })],
    ['tool:/^W|(x, y)/', field('tool', 0, { is: 'regex', regex: /^W|(x, y)/iu })],
    ['tool:/a\\/b/i,c', field('tool', 0, { is: 'regex', regex: /a\/b/iu }, equals('c'))],
    ['/(a|aa)+c/', { is: 'pattern', regex: /(a|aa)+c/iu, at: 0 }],
    ['/rm -rf/i', { is: 'pattern', regex: /rm -rf/iu, at: 0 }],
    ['/a\\/b "c"/', { is: 'pattern', regex: /a\/b "c"/iu, at: 0 }],
    ['(/a/)', { is: 'pattern', regex: /a/iu, at: 1 }],
    ['-/a:b/', { is: 'not', of: { is: 'pattern', regex: /a:b/iu, at: 1 } }],
    ['/usr/bin/', { is: 'text', text: '/usr/bin/', at: 0 }],
    ['/usr/bin', { is: 'text', text: '/usr/bin', at: 0 }],
    ['/usr', { is: 'text', text: '/usr', at: 0 }],
    ['//', { is: 'text', text: '//', at: 0 }],
    ['/a/g', { is: 'text', text: '/a/g', at: 0 }],
    ['tool:/a\\-b/', field('tool', 0, { is: 'regex', regex: new RegExp(LOOSE, 'i') })],
    ['method:a:b', field('method', 0, equals('a:b'))],
    ['method:a..b', field('method', 0, equals('a..b'))],
    ['cwd:/home/me', field('cwd', 0, equals('/home/me'))],
    ['cwd:/home', field('cwd', 0, equals('/home'))],
    ['cwd:/home/*', field('cwd', 0, { is: 'glob', pattern: '/home/*' })],
    ['cwd:/(a|b)/', field('cwd', 0, { is: 'regex', regex: /(a|b)/iu })],
    ['kind:approval,quest*', field('kind', 0, equals('approval'), { is: 'glob', pattern: 'quest*' })],
    ['kind:/answer$/', field('kind', 0, { is: 'regex', regex: /answer$/iu })],
    ['is:Pending', field('is', 0, equals('pending'))],
    ['code:-32000', field('code', 0, equals('-32000', -32000))],
    ['code:-32099..-32000', field('code', 0, range(-32099, -32000))],
    ['turn:2..*', field('turn', 0, range(2, null))],
    ['turn:*..2', field('turn', 0, range(null, 2))],
    ['turn:*..*', field('turn', 0, { is: 'exists' })],
    ['turn:>2', field('turn', 0, range(2, null, true))],
    ['turn:>=2', field('turn', 0, range(2, null))],
    ['turn:<2', field('turn', 0, range(null, 2, false, true))],
    ['turn:<=2', field('turn', 0, range(null, 2))],
    ['turn:1,3..4', field('turn', 0, equals('1', 1), range(3, 4))],
    ['latency:>=1.5m', field('latency', 0, range(90, null))],
    ['latency:500ms..1h', field('latency', 0, range(0.5, 3600))],
    ['latency:2..3', field('latency', 0, range(2, 3))],
    ['t:2', field('t', 0, range(2 - 5e-7, 2 + 5e-7))],
    ['size:1MB', field('size', 0, equals('1mb', 1048576))],
    ['size:2kb..1gb', field('size', 0, range(2048, 1073741824))],
    ['f:17', field('f', 0, equals('17', 17))],
    ['f:f17', field('f', 0, equals('17', 17))],
    ['f:f3..f9', field('f', 0, range(3, 9))],
    ['exit:0', field('exit', 0, equals('0', 0))],
    ['exit:1..*', field('exit', 0, range(1, null))],
    ['exit:SIGTERM', field('exit', 0, equals('sigterm'))],
    ['exit:kill', field('exit', 0, equals('sigkill'))],
    ['tag:ticket=42', field('tag', 0, equals('ticket=42'))],
  ])('%j', (query, expected) => {
    expect(parseQuery(query)).toEqual(expected);
  });

  it.each([
    ['at:2026-11-16', '2026-11-16T00:00Z', '2026-11-17T00:00Z'],
    ['at:2026-11-16T02', '2026-11-16T02:00Z', '2026-11-16T03:00Z'],
    ['at:2026-11-16T02:29', '2026-11-16T02:29Z', '2026-11-16T02:30Z'],
    ['at:2026-11-16T02:29:11Z', '2026-11-16T02:29:11Z', '2026-11-16T02:29:12Z'],
    ['at:2026-11-16T02:29:11.5', '2026-11-16T02:29:11.5Z', '2026-11-16T02:29:11.6Z'],
    ['at:"2026-11-16 02:29"', '2026-11-16T02:29Z', '2026-11-16T02:30Z'],
    ['at:2026-11-16T02:29+02:00', '2026-11-16T00:29Z', '2026-11-16T00:30Z'],
    ['at:2026-11-16..2026-11-17', '2026-11-16T00:00Z', '2026-11-18T00:00Z'],
    ['at:2026-11-16T05:00..2026-11-16', '2026-11-16T05:00Z', '2026-11-17T00:00Z'],
    ['at:2026-11-16..*', '2026-11-16T00:00Z', null],
    ['at:>2026-11-16', '2026-11-17T00:00Z', null],
    ['at:<2026-11-16', null, '2026-11-16T00:00Z'],
    ['at:<=2026-11-16', null, '2026-11-17T00:00Z'],
  ])('%s is from %s to before %s', (query, from, to) => {
    expect(parseQuery(query)).toEqual(
      field('at', 0, range(from ? micros(from) : null, to ? micros(to) : null, false, to !== null)),
    );
  });

  it.each([
    [
      '@params.payload.sender:Shell',
      path([{ key: 'params' }, { key: 'payload' }, { key: 'sender' }], 0, equals('shell')),
    ],
    ['@a[*].b[0]:*', path([{ key: 'a' }, { any: true }, { key: 'b' }, { index: 0 }], 0, { is: 'exists' })],
    ['@a.*.b:x', path([{ key: 'a' }, { any: true }, { key: 'b' }], 0, equals('x'))],
    ['@[0]:x', path([{ index: 0 }], 0, equals('x'))],
    [
      '@params."odd key"."a\\"b"[0]:x',
      path([{ key: 'params' }, { key: 'odd key' }, { key: 'a"b' }, { index: 0 }], 0, equals('x')),
    ],
    ['@Key:1', path([{ key: 'Key' }], 0, equals('1', 1))],
    ['@k:"1"', path([{ key: 'k' }], 0, equals('1'))],
    ['@k:1..2', path([{ key: 'k' }], 0, range(1, 2))],
    ['@k:>=1', path([{ key: 'k' }], 0, range(1, null))],
    ['@k:../x', path([{ key: 'k' }], 0, equals('../x'))],
    ['@k:a..b', path([{ key: 'k' }], 0, equals('a..b'))],
    ['-@k:http://x', { is: 'not', of: path([{ key: 'k' }], 1, equals('http://x')) }],
  ])('%s', (query, expected) => {
    expect(parseQuery(query)).toEqual(expected);
  });

  it.each(EXAMPLE_QUERIES)('reads $query', ({ query }) => {
    expect(parseQuery(query)).toMatchObject({ is: 'and' });
  });
});

function errorOf(query: string): QueryError {
  try {
    parseQuery(query);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`no error: ${query}`);
}

describe('a query that cannot be read', () => {
  // The marked characters, what is wrong, a part of the hint.
  it.each([
    [
      'a tol:Shell',
      2,
      4,
      'unknown qualifier "tol"',
      'did you mean tool:? to search for the text, quote it: "tol:Shell"',
    ],
    ['http://x', 0, 5, 'unknown qualifier "http"', 'quote it: "http://x"'],
    ['foo:"a b"', 0, 4, 'unknown qualifier "foo"', 'quote all of it'],
    [':x', 0, 1, 'expected a qualifier before the colon', '":x"'],
    ['tool：Shell', 4, 1, 'full-width colon', 'tool:'],
    ['tool:', 5, 0, 'tool: needs a value', 'tool:Shell'],
    ['tool: Shell', 5, 0, 'tool: needs a value', 'without a space'],
    ['tool:a, b', 7, 0, 'expected a value', 'without a space'],
    ['tool:,a', 5, 0, 'expected a value', ''],
    ['kind:aproval', 5, 7, 'invalid value "aproval" for kind:', 'did you mean approval? use one of: prompt, '],
    ['from:agent,sterr', 11, 5, 'invalid value "sterr" for from:', 'did you mean stderr?'],
    ['kind:zz*', 5, 3, 'no value of kind: matches "zz*"', 'use one of'],
    ['kind:/zz/', 5, 4, 'no value of kind: matches', 'use one of'],
    ['kind:/(a*)*/', 5, 7, 'the pattern is too complex for kind:', 'list the values'],
    ['dialect:"wire*"', 8, 7, 'invalid value "wire*" for dialect:', 'did you mean wire?'],
    ['turn:x', 5, 1, 'invalid value "x" for turn:', 'a number like 3'],
    ['turn:1..x', 5, 4, 'invalid value "x" for turn:', 'turn:2..4'],
    ['turn:3*', 5, 2, 'turn: does not accept patterns', 'a number like 3'],
    ['turn:/3/', 5, 3, 'turn: does not accept patterns', 'a number like 3'],
    ['turn:4..2', 5, 4, 'empty range', 'write the smaller value first'],
    ['turn:1e999', 5, 5, 'invalid value "1e999" for turn:', ''],
    ['latency:5y', 8, 2, 'invalid value "5y" for latency:', '500ms, 30s, 2m or 1h'],
    ['size:5s', 5, 2, 'invalid value "5s" for size:', '20kb'],
    ['at:2026-02-30', 3, 10, 'invalid value "2026-02-30" for at:', '2026-11-16T02:29'],
    ['at:2026-11-17..2026-11-16', 3, 22, 'empty range', 'write the smaller value first'],
    ['at:yesterday', 3, 9, 'invalid value "yesterday" for at:', 'UTC'],
    ['exit:SIGFOO', 5, 6, 'invalid value "SIGFOO" for exit:', 'a signal like SIGTERM'],
    ['f:g1', 2, 2, 'invalid value "g1" for f:', 'f:f17'],
    ['(a', 0, 1, 'unclosed parenthesis', ''],
    ['(', 0, 1, 'unclosed parenthesis', ''],
    ['a)', 1, 1, 'unexpected )', ''],
    [')', 0, 1, 'unexpected )', ''],
    ['a ()', 2, 2, 'empty parentheses', ''],
    ['OR a', 0, 2, 'expected a term before OR', '"OR"'],
    ['a OR', 2, 2, 'expected a term after OR', '"OR"'],
    ['a OR OR b', 2, 2, 'expected a term after OR', '"OR"'],
    ['a AND', 2, 3, 'expected a term after AND', '"AND"'],
    ['(a NOT) b', 3, 3, 'expected a term after NOT', '"NOT"'],
    ['a - b', 2, 1, 'expected a term after the minus', '"-"'],
    ['--wire', 0, 6, 'a term can have only one minus', '"--wire"'],
    ['foo(bar)', 3, 1, 'expected a space before (', '"foo(bar)"'],
    ['foo"bar"', 3, 1, 'expected a space before "', 'in quotes'],
    ['"a"b', 3, 1, 'expected a space before b', ''],
    ['a "b', 2, 1, 'unclosed quote', ''],
    ['""', 0, 2, 'empty text', ''],
    ['tool:"b', 5, 1, 'unclosed quote', ''],
    ['tool:/b c', 5, 1, 'unclosed regular expression', '"/b"'],
    ['tool:/b\\/', 5, 1, 'unclosed regular expression', ''],
    ['tool:/b/x', 8, 1, 'unknown flag "x"', ''],
    ['@p:/etc/passwd', 8, 6, 'unknown flag "passwd"', '"/etc/passwd"'],
    ['tool://', 5, 2, 'empty regular expression', ''],
    ['a @b:/(/', 5, 3, 'invalid regular expression: unterminated group', ''],
    ['@params', 0, 7, 'a path needs a value', '@params:* matches if it exists'],
    ['@', 0, 1, 'a key is missing in the path', ''],
    ['@a..b:1', 0, 3, 'a key is missing in the path', ''],
    ['@a[x]:1', 2, 1, 'expected a number or * in brackets', ''],
    ['@a[-1]:1', 2, 1, 'expected a number or * in brackets', ''],
    ['@a]:1', 2, 1, 'unexpected ] in a path', ''],
    ['@a:>=x', 3, 3, '">=x" is not a comparison with a number', ''],
  ] as [string, number, number, string, string][])('%s', (query, at, length, message, hint) => {
    const error = errorOf(query);
    expect({ message: error.message, at: error.at, length: error.length }).toEqual({ message, at, length });
    expect(error.hint).toContain(hint);
    expect(error.message + error.hint).not.toMatch(/\.$/);
  });

  it.each([
    ['a'.repeat(257), 'the text is too long'],
    [`"${'a'.repeat(257)}"`, 'the text is too long'],
    [`tool:x,${'a'.repeat(257)}`, 'the value is too long'],
    [`tool:/${'a'.repeat(257)}/`, 'the value is too long'],
    [`@${'a'.repeat(257)}:1`, 'the key is too long'],
    [`@${'a.'.repeat(64)}a:1`, 'the path is too long'],
    ['a '.repeat(5000), 'the query is too long'],
    ['a '.repeat(501), 'the query has too many values'],
    [`f:${Array.from({ length: 501 }, (_, i) => i).join(',')}`, 'the query has too many values'],
    ['('.repeat(4000), 'groups are nested too deeply'],
    ['-'.repeat(4000), 'a term can have only one minus'],
    [`${'NOT '.repeat(1000)}a`, 'groups are nested too deeply'],
    [`${'-('.repeat(51)}a${')'.repeat(51)}`, 'groups are nested too deeply'],
  ])('has limits: %.20s', (query, message) => {
    expect(errorOf(query).message).toBe(message);
  });

  it('is as long as it may be', () => {
    expect(parseQuery('a'.repeat(256))).toMatchObject({ is: 'text' });
    expect(parseQuery(`${'('.repeat(100)}a${')'.repeat(100)}`)).toMatchObject({ is: 'text' });
    expect(parseQuery('a '.repeat(500))).toMatchObject({ is: 'and' });
  });
});

describe('pointAt', () => {
  const point = (query: string) => markError(query, errorOf(query));

  it('marks the characters', () => {
    expect(point('a tol:Shell')).toEqual(['a tol:Shell', '  ^^^^']);
    expect(point('tool:')).toEqual(['tool:', '     ^']);
  });

  it('counts cells', () => {
    expect(point('错误 名前:x')).toEqual(['错误 名前:x', '     ^^^^^']);
  });

  it('shows what would move the cursor', () => {
    expect(point('a\n\u001b[2Jb tol:x')).toEqual(['a␊␛[2Jb tol:x', '        ^^^^']);
  });

  it('cuts a long query', () => {
    const [line, mark] = point(`${'word '.repeat(100)}tol:x ${'word '.repeat(100)}`);
    expect(line!.length).toBeLessThan(120);
    expect(line!.slice(mark!.indexOf('^'), mark!.lastIndexOf('^') + 1)).toBe('tol:');
  });
});
