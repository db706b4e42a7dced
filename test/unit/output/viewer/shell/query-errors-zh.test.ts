/** Every way in which a query can be wrong is said in Chinese, and what was typed is quoted as it is. */
import { describe, expect, it } from 'vitest';
import { QueryError } from '../../../../../lib/analysis/query/error.ts';
import { parseQuery } from '../../../../../lib/analysis/query/parser.ts';
import { REGEX_TOO_SLOW } from '../../../../../lib/analysis/query/too-slow.ts';
import { watchedIn } from '../../../../../lib/output/viewer/search/slow-regex.ts';
import { inChinese } from '../../../../../lib/output/viewer/shell/query-errors-zh.ts';

const WRONG = [
  ...[
    'a tol:Shell',
    'too:x',
    'http://x',
    'foo:"a b"',
    ':x',
    'tool：Shell',
    'tool:',
    'tool: Shell',
    'tool:a, b',
    'tool:,a',
  ],
  ...['kind:aproval', 'from:agent,sterr', 'kind:zz*', 'kind:/zz/', 'kind:/(a*)*/', 'state:x', 'exit:SIGFOO', 'f:g1'],
  ...['turn:x', 'turn:3*', 'turn:/3/', 'turn:4..2', 'latency:5y', 'size:5s', 'at:2026-02-30', '(a', 'a)', 'a ()'],
  ...['OR a', 'a OR', 'a AND', '(a NOT) b', 'a - b', '--wire', 'foo(bar)', 'foo"bar"', '"a"b', '/a/b"c', 'a "b', '""'],
  ...['tool:/b c', 'tool:/b/x', '@p:/etc/passwd', 'tool://', '@params', '@', '@a..b:1', '@a[x]:1', '@a]:1', '@a:>=x'],
  ...[
    'a'.repeat(257),
    `tool:x,${'a'.repeat(257)}`,
    `@${'a'.repeat(257)}:1`,
    `@${'a.'.repeat(64)}a:1`,
    'a '.repeat(5000),
  ],
  ...['a '.repeat(501), '('.repeat(4000), `/${'a'.repeat(257)}/`],
];

/** The words of English sentences; names of qualifiers, values and commands are none. */
const ENGLISH =
  /\b(?:the|an|is|it|of|for|to|with|and|or|use|write|quote|expected|needs?|value|text|term|search|too|long|did|you|mean|matches|example|close|before|after)\b/;

function errorOf(query: string): QueryError {
  try {
    const expr = parseQuery(query);
    if (expr) watchedIn(expr);
  } catch (error) {
    if (error instanceof QueryError) return error;
  }
  throw new Error(`no error: ${query}`);
}

/** Without what is quoted from the query language. */
const prose = (text: string) => text.replace(/"(?:\\.|[^"])*"/g, '').replace(/可用的值：.*|例如 .*|：[^；]*$/, '');

describe('what is wrong with a query', () => {
  it.each(WRONG.map((query) => [query.slice(0, 30), query]))('is said in Chinese: %s', (_, query) => {
    const { message, hint } = errorOf(query!);
    for (const sentence of [message, hint]) {
      const said = inChinese(sentence);
      expect(said, sentence).toMatch(/\p{Script=Han}/u);
      expect(prose(said), sentence).not.toMatch(ENGLISH);
    }
  });

  it('is said so of regular expressions that cannot be stopped', () => {
    for (const { message, hint } of [errorOf('/(a+)+b/'), REGEX_TOO_SLOW])
      for (const sentence of [message, hint]) expect(prose(inChinese(sentence))).not.toMatch(ENGLISH);
  });

  it('quotes what was typed, and leaves what it does not know', () => {
    expect(inChinese(errorOf('tol:"x; did you"').message)).toBe('未知的限定词 "tol"');
    expect(inChinese(errorOf('tol:Shell').hint)).toBe('是不是 tool:？要搜索这段文本，请加引号："tol:Shell"');
    expect(inChinese('$& $1 something else')).toBe('$& $1 something else');
  });
});
