/**
 * A query as SQL. The SQL narrows: every frame that matches is among its rows, and the predicate decides which of them
 * do. Where a condition says exactly what its term says, it is `exact`, and may be negated. Values are bound, never
 * written into the text.
 */
import type { Expr, FieldTerm, Test } from '../filter/ast.ts';
import { MARK, MARKS } from '../filter/facts.ts';
import { qualifierOf } from '../filter/qualifiers.ts';
import { wordsOf } from '../filter/tests.ts';
import { BULK, PARTIAL_INDEXES } from './schema.ts';

export interface Condition {
  sql: string;
  values: (string | number)[];
  exact: boolean;
}

/** One way to reach all frames that may match: an index, the full text, or, without either, a scan. */
export type Way = { is: 'index'; name: string; condition: Condition } | { is: 'text'; text: string | RegExp };

/** No frame is left out. */
export const ANYTHING: Condition = { sql: '1', values: [], exact: false };

/** Session terms must have been decided before. */
export function conditionOf(expr: Expr): Condition {
  if (expr.is === 'and' || expr.is === 'or') {
    const parts = expr.of.map(conditionOf);
    const exact = parts.every((part) => part.exact);
    if (expr.is === 'or' && parts.some(({ sql }) => sql === '1')) return ANYTHING;
    const kept = parts.filter(({ sql }) => sql !== '1');
    if (kept.length === 0) return ANYTHING;
    const sql = `(${kept.map((part) => part.sql).join(expr.is === 'and' ? ' AND ' : ' OR ')})`;
    return { sql, values: kept.flatMap(({ values }) => values), exact };
  }
  if (expr.is === 'not') {
    const { sql, values, exact } = conditionOf(expr.of);
    // What is not known to hold does not hold.
    return exact ? { sql: `NOT coalesce(${sql}, 0)`, values, exact } : ANYTHING;
  }
  return expr.is === 'field' ? fieldCondition(expr) : ANYTHING;
}

function fieldCondition(term: FieldTerm): Condition {
  const { name, tests } = term;
  const { type } = qualifierOf(name)!;
  if (type === 'mark') return { sql: `marks & ${bitsOf(term)} <> 0`, values: [], exact: true };
  if (type === 'word') return wordCondition(term);
  const parts = tests.map((test) => (type === 'text' ? textCondition(name, test) : numberCondition(name, test)));
  if (parts.some(({ sql }) => sql === '1')) return ANYTHING;
  return {
    sql: `(${parts.map(({ sql }) => sql).join(' OR ')})`,
    values: parts.flatMap(({ values }) => values),
    exact: parts.every(({ exact }) => exact),
  };
}

function bitsOf(term: FieldTerm): number {
  const words = wordsOf(term);
  return MARKS.filter(({ of, word }) => of === term.name && (words?.includes(word) ?? true)).reduce(
    (bits, { bit }) => bits | bit,
    0,
  );
}

function wordCondition(term: FieldTerm): Condition {
  const column = quoted(term.name);
  const words = wordsOf(term);
  if (words === null) return { sql: `${column} IS NOT NULL`, values: [], exact: true };
  const known = `coalesce(${column} IN (${marksFor(words)}), 0)`;
  if (term.name !== 'kind') return { sql: known, values: [...words], exact: true };
  // The first of several is in the column.
  const among = words.map(() => "instr(' ' || kinds || ' ', ' ' || ? || ' ')").join(' OR ') || '0';
  return { sql: `(${known} OR kinds IS NOT NULL AND (${among}))`, values: [...words, ...words], exact: true };
}

/** SQLite knows the case of ASCII letters only: whatever has others is looked at. */
function textCondition(name: string, test: Test): Condition {
  const column = quoted(name);
  if (test.is !== 'equals' || !ASCII.test(test.text)) {
    return { sql: `${column} IS NOT NULL`, values: [], exact: test.is === 'exists' };
  }
  // Ids are kept as JSON.
  const values = name === 'id' ? [test.text, JSON.stringify(test.text)] : [test.text];
  const equal = values.map(() => `${column} = ? COLLATE NOCASE`).join(' OR ');
  return { sql: `(${equal} OR ${column} GLOB '*[^ -~]*')`, values, exact: false };
}

const ASCII = /^[ -~]*$/;

/** Columns that hold the very number that is compared. */
const NUMBERS = new Set(['turn', 'step', 'f', 't', 'size', 'latency', 'wait', 'gap', 'code']);

function numberCondition(name: string, test: Test): Condition {
  if (!NUMBERS.has(name)) return ANYTHING;
  const column = quoted(name);
  if (test.is === 'exists') return { sql: `${column} IS NOT NULL`, values: [], exact: true };
  if (test.is === 'equals' && test.number !== null)
    return { sql: `${column} IS ?`, values: [test.number], exact: true };
  if (test.is !== 'range') return { sql: `${column} IS NOT NULL`, values: [], exact: false };
  const parts: string[] = [];
  const values: number[] = [];
  if (test.from !== null) {
    parts.push(`${column} ${test.fromOpen ? '>' : '>='} ?`);
    values.push(test.from);
  }
  if (test.to !== null) {
    parts.push(`${column} ${test.toOpen ? '<' : '<='} ?`);
    values.push(test.to);
  }
  return { sql: `(${parts.join(' AND ')})`, values, exact: true };
}

/** How to reach what may match without looking at every frame; null: every frame is looked at. */
export function waysTo(expr: Expr): Way[] | null {
  if (expr.is === 'or') {
    const ways = expr.of.map(waysTo);
    return ways.every((way) => way !== null) ? ways.flat() : null;
  }
  if (expr.is === 'and') {
    const ways = expr.of.map(waysTo).filter((way) => way !== null);
    return ways.reduce<Way[] | null>((best, way) => (best === null || cost(way) < cost(best) ? way : best), null);
  }
  if (expr.is === 'text') return [{ is: 'text', text: expr.text }];
  if (expr.is === 'pattern') return [{ is: 'text', text: expr.regex }];
  return expr.is === 'field' ? waysOfField(expr) : null;
}

/** An index before the full text; of indexes, those that are likely to be short. */
function cost(ways: readonly Way[]): number {
  return Math.max(
    ...ways.map((way) =>
      way.is === 'text'
        ? typeof way.text === 'string'
          ? 100
          : 101
        : PARTIAL_INDEXES.findIndex(({ name }) => name === way.name),
    ),
  );
}

function waysOfField(term: FieldTerm): Way[] | null {
  const { name, tests } = term;
  const condition = fieldCondition(term);
  const along = (index: string): Way => ({ is: 'index', name: index, condition });
  if (name === 'kind') {
    const kinds = wordsOf(term);
    if (kinds === null || kinds.some((kind) => BULK.includes(kind))) return null;
    return [
      {
        is: 'index',
        name: 'kind',
        condition: { sql: `kind IN (${marksFor(kinds)})`, values: [...kinds], exact: false },
      },
      { is: 'index', name: 'kinds', condition: ANYTHING },
    ];
  }
  if (name === 'is' || name === 'has') return bitsOf(term) & MARK.delta ? null : [along('marks')];
  if (name === 'by') return [along('approval')];
  if (name === 'from') return wordsOf(term)?.every((word) => word !== 'agent') ? [along('outside')] : null;
  const least = name === 'size' ? 4096 : name === 'gap' ? 1 : null;
  if (least !== null) return tests.every((test) => isAtLeast(test, least)) ? [along(name)] : null;
  return INDEXED.has(name) ? [along(name)] : null;
}

const INDEXED = new Set<string>(['tool', 'latency', 'wait', 'code', 'approval', 'status', 'id', 'subagent']);

function isAtLeast(test: Test, least: number): boolean {
  if (test.is === 'equals') return test.number !== null && test.number >= least;
  return test.is === 'range' && test.from !== null && test.from >= least;
}

function quoted(column: string): string {
  return `"${column}"`;
}

function marksFor(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
