/** Explains a query in words, one term per line. */
import { isoMicros } from '../../model/frame.ts';
import { humanSeconds, visible } from '../../model/text/text.ts';
import type { QueryType } from '../facts/table.ts';
import type { NumberRange, QueryExpr, QueryTerm, TermTest } from './ast.ts';
import { printPath } from './print.ts';
import { qualifierOf } from './qualifiers.ts';
import { wordsOf } from './tests.ts';

export function explainQuery(expr: QueryExpr | null): string[] {
  return expr === null ? ['matches every frame'] : explainLines(expr, '');
}

function explainLines(expr: QueryExpr, indent: string): string[] {
  if (expr.is === 'and' || expr.is === 'or')
    return [
      `${indent}${expr.is === 'and' ? 'all of' : 'any of'}`,
      ...expr.of.flatMap((part) => explainLines(part, `${indent}  `)),
    ];
  if (expr.is !== 'not') return [indent + visible(describeTerm(expr))];
  const { of } = expr;
  if (of.is === 'and' || of.is === 'or' || of.is === 'not') return [`${indent}not`, ...explainLines(of, `${indent}  `)];
  return [`${indent}not: ${visible(describeTerm(of))}`];
}

function describeTerm(term: QueryTerm): string {
  if (term.is === 'text') return `the text contains "${term.text}"`;
  if (term.is === 'pattern') return `the text matches /${term.regex.source}/`;
  if (term.is === 'path') return `${printPath(term.path).slice(1)} in the message ${describeTests(term.tests, null)}`;
  const { type, name } = qualifierOf(term.name)!;
  const subject = term.of === 'session' ? `the session's ${name}` : `the ${name}`;
  if (type === 'mark') return `the frame ${name} ${wordsOf(term)?.join(' or ') ?? `any value of ${name}:`}`;
  if (type !== 'word') return `${subject} ${describeTests(term.tests, type)}`;
  const words = wordsOf(term);
  return words ? `${subject} is ${words.join(' or ')}` : `${subject} is set`;
}

const describeTests = (tests: readonly TermTest[], type: QueryType | null) =>
  tests.map((test) => describeTest(test, type)).join(', or ');

function describeTest(test: TermTest, type: QueryType | null): string {
  switch (test.is) {
    case 'exists':
      return type === null ? 'exists' : 'is set';
    case 'equals':
      return type === 'session'
        ? `starts with "${test.text}" or ends with -${test.text}`
        : `is ${test.number ?? `"${test.text}"`}`;
    case 'glob':
      return `matches ${test.pattern}`;
    case 'regex':
      return `matches /${test.regex.source}/`;
    case 'range':
      return describeRange(test, type);
  }
}

const UNIT_FORMATS: Partial<Record<QueryType, (value: number) => string>> = {
  ...{ time: isoMicros, duration: humanSeconds, size: (bytes) => `${bytes} bytes` },
};

function describeRange({ from, fromOpen, to, toOpen }: NumberRange, type: QueryType | null): string {
  const one = UNIT_FORMATS[type ?? 'number'] ?? String;
  if (from === null) return toOpen ? `is less than ${one(to!)}` : `is at most ${one(to!)}`;
  if (to === null) return fromOpen ? `is more than ${one(from)}` : `is at least ${one(from)}`;
  if (type === 'duration' && to - from < 2e-6) return `is ${(from + to) / 2} s`;
  return toOpen ? `is at least ${one(from)} and less than ${one(to)}` : `is from ${one(from)} to ${one(to)}`;
}
