/** A query as it was understood, in words, one term a line. Recorded text is in none of it; the query's own is quoted. */
import { isoMicros } from '../core/frame.ts';
import { humanSeconds, visible } from '../core/text.ts';
import type { Expr, Range, Term, Test } from './ast.ts';
import { printPath } from './print.ts';
import { type QualifierType, qualifierOf } from './qualifiers.ts';
import { wordsOf } from './tests.ts';

export function explainQuery(expr: Expr | null): string[] {
  return expr === null ? ['every frame'] : lines(expr, '');
}

function lines(expr: Expr, indent: string): string[] {
  if (expr.is === 'and' || expr.is === 'or')
    return [
      `${indent}${expr.is === 'and' ? 'all of' : 'any of'}`,
      ...expr.of.flatMap((part) => lines(part, `${indent}  `)),
    ];
  if (expr.is !== 'not') return [indent + visible(termInWords(expr))];
  const { of } = expr;
  if (of.is === 'and' || of.is === 'or' || of.is === 'not') return [`${indent}not`, ...lines(of, `${indent}  `)];
  return [`${indent}not: ${visible(termInWords(of))}`];
}

function termInWords(term: Term): string {
  if (term.is === 'text') return `its text contains "${term.text}"`;
  if (term.is === 'pattern') return `its text matches /${term.regex.source}/`;
  if (term.is === 'path') return `${printPath(term.path).slice(1)} in its message ${any(term.tests, null)}`;
  const { type, name } = qualifierOf(term.name)!;
  const subject = term.of === 'session' ? `its session's ${name}` : `its ${name}`;
  if (type === 'mark') return `it ${name} ${wordsOf(term)?.join(' or ') ?? `any that ${name}: knows`}`;
  if (type !== 'word') return `${subject} ${any(term.tests, type)}`;
  const words = wordsOf(term);
  return words ? `${subject} is ${words.join(' or ')}` : `${subject} is known`;
}

const any = (tests: readonly Test[], type: QualifierType | null) =>
  tests.map((test) => inWords(test, type)).join(', or ');

function inWords(test: Test, type: QualifierType | null): string {
  switch (test.is) {
    case 'exists':
      return type === null ? 'is there' : 'is known';
    case 'equals':
      return type === 'session'
        ? `is or starts with "${test.text}", or ends with -${test.text}`
        : equals(test.text, test.number);
    case 'glob':
      return `is like ${test.pattern}`;
    case 'regex':
      return `matches /${test.regex.source}/`;
    case 'range':
      return rangeInWords(test, type);
  }
}

function equals(text: string, number: number | null): string {
  return number === null ? `is "${text}"` : `is ${number}`;
}

function rangeInWords({ from, fromOpen, to, toOpen }: Range, type: QualifierType | null): string {
  const one = (value: number) =>
    type === 'time'
      ? isoMicros(value)
      : type === 'duration'
        ? humanSeconds(value)
        : type === 'size'
          ? `${value} bytes`
          : `${value}`;
  if (from === null) return toOpen ? `is less than ${one(to!)}` : `is at most ${one(to!)}`;
  if (to === null) return fromOpen ? `is more than ${one(from)}` : `is at least ${one(from)}`;
  if (type === 'duration' && to - from < 2e-6) return `is ${(from + to) / 2} s`;
  return `is from ${one(from)} ${toOpen ? 'to before' : 'to'} ${one(to)}`;
}
