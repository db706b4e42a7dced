/** Prints a query as text that parses to the same query. */
import { isoMicros } from '../../model/frame.ts';
import type { QueryType } from '../facts/table.ts';
import type { NumberRange, PathStep, QueryExpr, QueryTerm, TermTest } from './ast.ts';
import { quote } from './lexer-text.ts';
import { readNumber } from './numbers.ts';
import { qualifierOf } from './qualifiers.ts';

/** Prints `NOT` instead of a minus, which the command line would read as an option. */
export function printQuery(expr: QueryExpr | null): string {
  if (expr === null) return '';
  if (expr.is === 'and')
    return expr.of.map((part) => (part.is === 'or' ? `(${printQuery(part)})` : printQuery(part))).join(' ');
  if (expr.is === 'or') return expr.of.map(printQuery).join(' OR ');
  if (expr.is !== 'not') return printTerm(expr);
  const inner = printQuery(expr.of);
  return expr.of.is === 'and' || expr.of.is === 'or' ? `NOT (${inner})` : `NOT ${inner}`;
}

// Regular expressions with classes of letters take half a millisecond to make, so they are made where they are used.

/** Text that needs no quotes. Operators are upper case, and text is lower case. */
function isBare(text: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_./-]*$/u.test(text);
}

function printTerm(term: QueryTerm): string {
  if (term.is === 'text') return isBare(term.text) ? term.text : quote(term.text);
  if (term.is === 'pattern') return `/${term.regex.source}/`;
  const type = term.is === 'field' ? qualifierOf(term.name)!.type : null;
  const name = term.is === 'field' ? term.name : printPath(term.path);
  return `${name}:${term.tests.map((test) => printTest(test, type)).join(',')}`;
}

export function printPath(path: readonly PathStep[]): string {
  return path.reduce((text, step, i) => {
    if ('any' in step) return `${text}[*]`;
    if ('index' in step) return `${text}[${step.index}]`;
    return `${text}${i > 0 ? '.' : ''}${/^[\p{L}\p{N}_$-]+$/u.test(step.key) ? step.key : quote(step.key)}`;
  }, '@');
}

function printTest(test: TermTest, type: QueryType | null): string {
  switch (test.is) {
    case 'exists':
      return '*';
    case 'equals':
      return printEquals(test.text, test.number, type);
    case 'glob':
      return test.pattern;
    case 'regex':
      return `/${test.regex.source}/`;
    case 'range':
      return printRange(test, type);
  }
}

function isBareValue(text: string): boolean {
  return /^[\p{L}\p{N}_+-][\p{L}\p{N}\p{M}_./+:=@-]*$/u.test(text) && !text.includes('..');
}

function printEquals(text: string, number: number | null, type: QueryType | null): string {
  // In a path, quotes distinguish text from a number.
  if (number === null && type === null && readNumber(text) !== null) return quote(text);
  if (number !== null) return text;
  return isBareValue(text) ? text : quote(text);
}

function printRange({ from, fromOpen, to, toOpen }: NumberRange, type: QueryType | null): string {
  const one = (value: number) => (type === 'time' ? isoMicros(value) : type === 'duration' ? `${value}s` : `${value}`);
  if (from === null) return toOpen ? `<${one(to!)}` : `*..${one(to!)}`;
  if (to === null) return fromOpen ? `>${one(from)}` : `${one(from)}..*`;
  // A time is a span, and one given to the microsecond includes that microsecond.
  return `${one(from)}..${one(type === 'time' ? to - 1 : to)}`;
}
