/**
 * Parses a query. Nested groups of the same kind become one group.
 *
 *     expr := and ("OR" and)*      and := not ("AND"? not)*      not := ("NOT" | "-")* atom
 *     atom := "(" expr ")" | name ":" values | "@" path ":" values | word | "quoted text" | /regex/
 */
import { fold } from '../../model/text/text.ts';
import { joinExprs, type QueryExpr, type TermTest } from './ast.ts';
import { checkLimit, QueryError } from './error.ts';
import { type Token, tokensOf } from './lexer.ts';
import type { QualifierName } from './qualifiers.ts';
import { MAX_VALUE_CHARS, testOf } from './values.ts';

const MAX_QUERY_CHARS = 8192;
/** Texts and values together: a limit of SQL. */
const MAX_TESTS = 500;
const MAX_DEPTH = 100;

/**
 * Null for an empty query, which matches every frame. Throws only `QueryError`. `now`, in microseconds, is what times such
 * as `today` and `7d..*` refer to; without it they are errors.
 */
export function parseQuery(text: string, now: number | null = null): QueryExpr | null {
  checkLimit(
    'the query is too long',
    text.length,
    MAX_QUERY_CHARS,
    'characters',
    MAX_QUERY_CHARS,
    text.length - MAX_QUERY_CHARS,
  );
  const tokens = tokensOf(text);
  return tokens.length === 0 ? null : new QueryParser(tokens, now).parseAll();
}

class QueryParser {
  readonly #tokens: Token[];
  #next = 0;
  #tests = 0;
  #depth = 0;

  readonly #now: number | null;

  constructor(tokens: Token[], now: number | null) {
    this.#tokens = tokens;
    this.#now = now;
  }

  parseAll(): QueryExpr {
    const expr = this.#or();
    const leftover = this.#tokens[this.#next];
    if (leftover) throw unexpected(leftover.at);
    return expr;
  }

  #or(): QueryExpr {
    const parts = [this.#and()];
    while (this.#tokens[this.#next]?.is === 'or') {
      this.#next++;
      parts.push(this.#and());
    }
    return joinExprs('or', parts)!;
  }

  #and(): QueryExpr {
    const parts = [this.#not()];
    for (;;) {
      const token = this.#tokens[this.#next];
      if (!token || token.is === 'or' || token.is === 'close') return joinExprs('and', parts)!;
      if (token.is === 'and') this.#next++;
      parts.push(this.#not());
    }
  }

  #not(): QueryExpr {
    const token = this.#tokens[this.#next];
    if (token?.is !== 'not') return this.#atom();
    this.#next++;
    return this.#nested(token, () => ({ is: 'not', of: this.#not() }));
  }

  #atom(): QueryExpr {
    const token = this.#tokens[this.#next];
    if (!token || token.is === 'close' || token.is === 'or' || token.is === 'and') throw this.#missing();
    this.#next++;
    if (token.is === 'open') return this.#nested(token, () => this.#group(token));
    return this.#term(token);
  }

  #group(open: Token): QueryExpr {
    const expr = this.#or();
    if (this.#tokens[this.#next++]?.is === 'close') return expr;
    throw unclosed(open.at);
  }

  #term(token: Token): QueryExpr {
    const { at, length } = token;
    if (token.is === 'text') {
      this.#count(token, 1);
      checkLimit('the text is too long', token.text.length, MAX_VALUE_CHARS, 'characters', at, length);
      return { is: 'text', text: fold(token.text), at };
    }
    if (token.is === 'pattern') {
      this.#count(token, 1);
      checkLimit(
        'the regular expression is too long',
        token.regex.source.length,
        MAX_VALUE_CHARS,
        'characters',
        at,
        length,
      );
      return { is: 'pattern', regex: token.regex, at };
    }
    if (token.is !== 'field' && token.is !== 'path') throw this.#missing();
    this.#count(token, token.values.length);
    const qualifier = token.is === 'field' ? token.qualifier : null;
    const tests: TermTest[] = token.values.map((value) => testOf(value, qualifier, this.#now));
    if (token.is === 'path') return { is: 'path', path: token.path, tests, at };
    return { is: 'field', name: token.qualifier.name as QualifierName, of: token.qualifier.of, tests, at };
  }

  #count({ at, length }: Token, tests: number): void {
    this.#tests += tests;
    checkLimit('the query has too many values', this.#tests, MAX_TESTS, 'values and texts', at, length);
  }

  #nested({ at, length }: Token, read: () => QueryExpr): QueryExpr {
    checkLimit('groups are nested too deeply', ++this.#depth, MAX_DEPTH, 'levels', at, length);
    const expr = read();
    this.#depth--;
    return expr;
  }

  /** The error for a missing term. */
  #missing(): QueryError {
    const before = this.#tokens[this.#next - 1];
    const here = this.#tokens[this.#next];
    const word = (token: Token) => (token.is === 'not' && token.length === 1 ? 'the minus' : token.is.toUpperCase());
    if (before && (before.is === 'or' || before.is === 'and' || before.is === 'not'))
      return operator(`expected a term after ${word(before)}`, before);
    if (here && (here.is === 'or' || here.is === 'and')) return operator(`expected a term before ${word(here)}`, here);
    if (before?.is === 'open')
      return here
        ? new QueryError('empty parentheses', 'write a term inside', before.at, here.at + 1 - before.at)
        : unclosed(before.at);
    return unexpected(here?.at ?? 0);
  }
}

function unexpected(at: number): QueryError {
  return new QueryError('unexpected )', 'remove it, or quote it as text', at, 1);
}

function unclosed(at: number): QueryError {
  return new QueryError('unclosed parenthesis', 'close it with ), or quote it as text', at, 1);
}

function operator(message: string, { at, length, is }: Token): QueryError {
  return new QueryError(message, `to search for the word, quote it: "${is.toUpperCase()}"`, at, length);
}
