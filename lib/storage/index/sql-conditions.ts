/**
 * Translates a query to SQL that selects every matching frame, and possibly others; the predicate decides. A condition
 * that selects no others is `exact`, and may be negated. Values are always bound, never part of the SQL text.
 */

import { MARK } from '../../analysis/facts/marks.ts';
import { FRAME_FACTS, type StoredType } from '../../analysis/facts/table.ts';
import type { FieldTerm, QueryExpr, TermTest } from '../../analysis/query/ast.ts';
import { qualifierOf } from '../../analysis/query/qualifiers.ts';
import { marksIn, wordsOf } from '../../analysis/query/tests.ts';
import { BULK_KINDS, PARTIAL_INDEXES } from './schema.ts';
import { quoted } from './tables.ts';

export interface SqlCondition {
  sql: string;
  values: (string | number)[];
  exact: boolean;
}

/** How to find the frames that may match: by an index, or by the full text. */
export type AccessPath = IndexPath | { is: 'text'; text: string | RegExp };

export interface IndexPath {
  is: 'index';
  name: string;
  /** Which entries of the index to read. */
  condition: SqlCondition;
}

/** Selects every frame. */
export const ANY_FRAME: SqlCondition = { sql: '1', values: [], exact: false };

/** Session terms must have been decided before. */
export function conditionOf(expr: QueryExpr): SqlCondition {
  if (expr.is === 'and' || expr.is === 'or') {
    const parts = expr.of.map(conditionOf);
    const exact = parts.every((part) => part.exact);
    if (expr.is === 'or' && parts.some(({ sql }) => sql === '1')) return ANY_FRAME;
    const kept = parts.filter(({ sql }) => sql !== '1');
    if (kept.length === 0) return ANY_FRAME;
    const sql = `(${kept.map((part) => part.sql).join(expr.is === 'and' ? ' AND ' : ' OR ')})`;
    return { sql, values: kept.flatMap(({ values }) => values), exact };
  }
  if (expr.is === 'not') {
    const { sql, values, exact } = conditionOf(expr.of);
    // NULL counts as false.
    return exact ? { sql: `NOT coalesce(${sql}, 0)`, values, exact } : ANY_FRAME;
  }
  return expr.is === 'field' ? fieldCondition(expr) : ANY_FRAME;
}

function fieldCondition(term: FieldTerm): SqlCondition {
  const { name, tests } = term;
  const { type } = qualifierOf(name)!;
  if (type === 'mark') return { sql: `marks & ${marksIn(term)} <> 0`, values: [], exact: true };
  if (name === 'flag') return { sql: 'flag IS NOT NULL', values: [], exact: tests.every(({ is }) => is === 'exists') };
  const stored = columnTypeOf(name);
  if (stored === null) return ANY_FRAME;
  if (type === 'word') return wordCondition(term);
  const condition = stored === 'integer' || stored === 'real' ? numberCondition : textCondition;
  const parts = tests.map((test) => condition(name, test));
  return {
    sql: `(${parts.map(({ sql }) => sql).join(' OR ')})`,
    values: parts.flatMap(({ values }) => values),
    exact: parts.every(({ exact }) => exact),
  };
}

/** How the column is stored; null if there is no column with one value per frame, so that only the predicate can decide. */
function columnTypeOf(name: string): StoredType | null {
  const stored = name in FRAME_FACTS ? FRAME_FACTS[name as keyof typeof FRAME_FACTS].stored : null;
  return stored === 'words' || stored === 'more-words' ? null : stored;
}

function wordCondition(term: FieldTerm): SqlCondition {
  const column = quoted(term.name);
  const words = wordsOf(term);
  if (words === null) return { sql: `${column} IS NOT NULL`, values: [], exact: true };
  const known = `coalesce(${column} IN (${placeholdersFor(words)}), 0)`;
  if (term.name !== 'kind') return { sql: known, values: [...words], exact: true };
  // The column has only the first of several values.
  const among = amongKinds(words);
  return { sql: `(${known} OR kinds IS NOT NULL AND ${among.sql})`, values: [...words, ...words], exact: true };
}

/** For a frame with several kinds: whether one of these is among them. */
function amongKinds(words: readonly string[]): SqlCondition {
  const sql = words.map(() => "instr(' ' || kinds || ' ', ' ' || ? || ' ')").join(' OR ') || '0';
  return { sql: `(${sql})`, values: [...words], exact: true };
}

/** SQLite ignores case only for ASCII, so values with other characters are selected for the predicate. */
function textCondition(name: string, test: TermTest): SqlCondition {
  const column = quoted(name);
  if (test.is !== 'equals' || !ASCII.test(test.text)) {
    return { sql: `${column} IS NOT NULL`, values: [], exact: test.is === 'exists' };
  }
  // Ids are stored as JSON.
  const values = columnTypeOf(name) === 'id' ? [test.text, JSON.stringify(test.text)] : [test.text];
  const equal = values.map(() => `${column} = ? COLLATE NOCASE`).join(' OR ');
  return { sql: `(${equal} OR ${column} GLOB '*[^ -~]*')`, values, exact: false };
}

const ASCII = /^[ -~]*$/;

function numberCondition(name: string, test: TermTest): SqlCondition {
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

/** How to find all frames that may match; null if every frame must be read. */
export function accessPaths(expr: QueryExpr): AccessPath[] | null {
  if (expr.is === 'or') {
    const paths = expr.of.map(accessPaths);
    return paths.every((path) => path !== null) ? paths.flat() : null;
  }
  if (expr.is === 'and') {
    const choices = expr.of.map(accessPaths).filter((paths) => paths !== null);
    return choices.reduce<AccessPath[] | null>(
      (best, paths) => (best === null || costOf(paths) < costOf(best) ? paths : best),
      null,
    );
  }
  if (expr.is === 'text') return [{ is: 'text', text: expr.text }];
  if (expr.is === 'pattern') return [{ is: 'text', text: expr.regex }];
  return expr.is === 'field' ? indexesFor(expr) : null;
}

/** Prefers an index to the full text, and an index that is likely to be short. */
function costOf(paths: readonly AccessPath[]): number {
  return Math.max(
    ...paths.map((path) =>
      path.is === 'text'
        ? typeof path.text === 'string'
          ? 100
          : 101
        : PARTIAL_INDEXES.findIndex(({ name }) => name === path.name),
    ),
  );
}

function indexesFor(term: FieldTerm): IndexPath[] | null {
  const { name, tests } = term;
  const condition = fieldCondition(term);
  const byIndex = (index: string): IndexPath => ({ is: 'index', name: index, condition });
  if (name === 'kind') {
    const kinds = wordsOf(term);
    if (kinds === null || kinds.some((kind) => BULK_KINDS.includes(kind))) return null;
    return [
      {
        is: 'index',
        name: 'kind',
        condition: { sql: `kind IN (${placeholdersFor(kinds)})`, values: [...kinds], exact: false },
      },
      { is: 'index', name: 'kinds', condition: amongKinds(kinds) },
    ];
  }
  if (name === 'is' || name === 'has') return marksIn(term) & MARK.delta ? null : [byIndex('marks')];
  if (name in FACTS_IN_OTHER_INDEX) return [byIndex(FACTS_IN_OTHER_INDEX[name]!)];
  if (name === 'from') return wordsOf(term)?.every((word) => word !== 'agent') ? [byIndex('outside')] : null;
  const least = name === 'size' ? 4096 : name === 'gap' ? 1 : null;
  if (least !== null) return tests.every((test) => isAtLeast(test, least)) ? [byIndex(name)] : null;
  return INDEXED_FACTS.has(name) ? [byIndex(name)] : null;
}

/** SQL that reads the entries of an index. SQLite uses it only if the query repeats its condition. */
export function sqlOfIndex({ name }: IndexPath): { from: string; where: string } {
  const { where } = PARTIAL_INDEXES.find((index) => index.name === name)!;
  return { from: `frames INDEXED BY frames_by_${name}`, where };
}

/** Facts that only frames in the index of another fact have. */
const FACTS_IN_OTHER_INDEX: Readonly<Record<string, string>> = { by: 'approval', mode: 'ran', flag: 'ran' };

/** Facts with an index of all frames that have the fact. */
const INDEXED_FACTS = new Set<string>(
  PARTIAL_INDEXES.filter(({ name, where }) => where === `${name} IS NOT NULL`).map(({ name }) => name),
);

function isAtLeast(test: TermTest, least: number): boolean {
  if (test.is === 'equals') return test.number !== null && test.number >= least;
  return test.is === 'range' && test.from !== null && test.from >= least;
}

function placeholdersFor(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
