/**
 * Splits a query into terms and operators. It finds the start and end of values; `values.ts` reads them. A word with a
 * colon is never plain text, and terms are split only at white space.
 */
import type { PathStep } from './ast.ts';
import { QueryError, shortened } from './error.ts';
import { readPath } from './lexer-path.ts';
import { isSpace, isTermEnd, quote, readBareRegex, readQuoted, readRegex, wordEnd } from './lexer-text.ts';
import { nearest } from './nearest.ts';
import { QUALIFIERS, type Qualifier, qualifierOf } from './qualifiers.ts';

interface QueryPosition {
  at: number;
  length: number;
}

export type RawValue = QueryPosition & ({ is: 'bare' | 'quoted'; text: string } | { is: 'regex'; regex: RegExp });

export type Token = QueryPosition &
  (
    | { is: 'open' | 'close' | 'or' | 'and' | 'not' }
    | { is: 'text'; text: string }
    | { is: 'pattern'; regex: RegExp }
    | { is: 'field'; qualifier: Qualifier; values: RawValue[] }
    | { is: 'path'; path: PathStep[]; values: RawValue[] }
  );

const OPERATORS = new Map([
  ['OR', 'or'],
  ['AND', 'and'],
  ['NOT', 'not'],
] as const);

export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < query.length) {
    if (isSpace(query[at]!)) at++;
    else {
      const token = readToken(query, at);
      tokens.push(token);
      at = token.at + token.length;
    }
  }
  return tokens;
}

function readToken(query: string, at: number): Token {
  const c = query[at]!;
  if (c === '(' || c === ')') return { is: c === '(' ? 'open' : 'close', at, length: 1 };
  if (c === '-') return readMinus(query, at);
  const token =
    c === '"'
      ? readQuotedText(query, at)
      : c === '@'
        ? readPathTerm(query, at)
        : (readPattern(query, at) ?? readWord(query, at));
  const after = token.at + token.length;
  if (!isTermEnd(query, after) && !(isOperator(token) && query[after] === '(')) throw missingSpace(query, at, after);
  return token;
}

const isOperator = ({ is }: Token) => is === 'or' || is === 'and' || is === 'not';

function missingSpace(query: string, start: number, at: number): QueryError {
  const whole = query.slice(start, wordEnd(query, at + 1, ''));
  const quoted = whole.includes('"') ? 'put the whole text in quotes' : `quote the text: ${quote(shortened(whole))}`;
  const regex = query[start] === '/' ? 'put a space after the closing slash of a regular expression, or ' : '';
  return new QueryError(`expected a space before ${query[at]}`, `${regex}${quoted}`, at, 1);
}

/** A minus directly before a term negates it. Other text that starts with a minus needs quotes. */
function readMinus(query: string, at: number): Token {
  if (!isTermEnd(query, at + 1) && query[at + 1] !== '-') return { is: 'not', at, length: 1 };
  const whole = query.slice(at, wordEnd(query, at, ')'));
  throw new QueryError(
    whole === '-' ? 'expected a term after the minus' : 'a term can have only one minus',
    `a minus negates the term directly after it; to search for the text, quote it: ${quote(shortened(whole))}`,
    at,
    whole.length,
  );
}

function readQuotedText(query: string, at: number): Token {
  const { text, length } = readQuoted(query, at);
  if (text === '') throw new QueryError('empty text', 'write the text to search for', at, length);
  return { is: 'text', text, at, length };
}

/** A regular expression must end after its second slash. Anything else that starts with a slash is a word. */
function readPattern(query: string, at: number): Token | null {
  const found = query[at] === '/' ? readBareRegex(query, at) : null;
  return found && { is: 'pattern', at, ...found };
}

function readPathTerm(query: string, at: number): Token {
  const { path, length } = readPath(query, at);
  const values = readValues(query, at + length, query.slice(at, at + length), '', false);
  return { is: 'path', path, values, at, length: endOf(values) - at };
}

function readWord(query: string, at: number): Token {
  const text = query.slice(at, wordEnd(query, at, '()"'));
  const colon = text.search(/[:：]/);
  if (colon < 0) return { is: OPERATORS.get(text as 'OR') ?? 'text', text, at, length: text.length };
  const name = text.slice(0, colon);
  const qualifier = qualifierOf(name);
  if (text[colon] === '：') {
    if (!qualifier) return { is: 'text', text, at, length: text.length };
    throw new QueryError('full-width colon', `use a plain colon: ${qualifier.name}:`, at + colon, 1);
  }
  if (!qualifier) throw unknownQualifier(query, at, name);
  const values = readValues(query, at + colon + 1, `${qualifier.name}:`, qualifier.example, qualifier.name === 'cwd');
  return { is: 'field', qualifier, values, at, length: endOf(values) - at };
}

function unknownQualifier(query: string, at: number, name: string): QueryError {
  const whole = query.slice(at, wordEnd(query, at, '"'));
  const near = nearest(
    name,
    QUALIFIERS.map(({ name }) => name),
  );
  const suggestion = near.length > 0 ? `did you mean ${near.map((one) => `${one}:`).join(' or ')}? ` : '';
  const example = query[at + whole.length] === '"' ? 'quote all of it' : `quote it: ${quote(shortened(whole))}`;
  const message = name === '' ? 'expected a qualifier before the colon' : `unknown qualifier "${shortened(name)}"`;
  return new QueryError(message, `${suggestion}to search for the text, ${example}`, at, name.length + 1);
}

/** Reads the value after the colon, or several separated by commas. */
function readValues(query: string, from: number, label: string, example: string, slashes: boolean): RawValue[] {
  const values: RawValue[] = [];
  let at = from;
  for (;;) {
    if (isTermEnd(query, at) || query[at] === ',') {
      const what = values.length > 0 || query[at] === ',' ? 'expected a value' : `${shortened(label)} needs a value`;
      const spaced = at < query.length && isSpace(query[at]!) ? 'write the value without a space before it' : '';
      const exampleHint = example && `example: ${example}`;
      throw new QueryError(what, [spaced, exampleHint].filter(Boolean).join('; ') || 'write a value', at, 0);
    }
    const value = readValue(query, at, slashes);
    values.push(value);
    at = value.at + value.length;
    if (query[at] !== ',') return values;
    at++;
  }
}

function readValue(query: string, at: number, slashes: boolean): RawValue {
  if (query[at] === '"') return { is: 'quoted', at, ...readQuoted(query, at) };
  if (query[at] === '/') {
    const found = readRegex(query, at, slashes);
    if (found) return { is: 'regex', at, ...found };
  }
  const text = query.slice(at, wordEnd(query, at, ',()"'));
  if (text === '') throw missingSpace(query, at, at);
  return { is: 'bare', text, at, length: text.length };
}

const endOf = (values: RawValue[]) => values.at(-1)!.at + values.at(-1)!.length;
