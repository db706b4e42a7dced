/**
 * A regular expression cannot be stopped in a page. Those that may take forever on a short text are refused; others are
 * tried on the beginning of a text first, and the longer it is, the longer the beginning.
 */

import { type QueryExpr, type QueryTerm, termsOf } from '../../../analysis/query/ast.ts';
import { QueryError } from '../../../analysis/query/error.ts';
import { hasRegex } from '../../../analysis/query/predicate.ts';
import { REGEX_TOO_SLOW } from '../../../analysis/query/too-slow.ts';
import type { FrameText } from '../../../model/text/searchable.ts';

/** So long a text is tried first, by the number of repetitions: the time may grow with a power of its length. */
const FIRST_TRY_CHARS = [Number.POSITIVE_INFINITY, 4096, 512, 64, 32, 32];
/** If the beginning of a text takes so long, all of it is not tried. */
const MAX_FIRST_TRY_MS = 50;

export interface Watched {
  regex: RegExp;
  /** Its place in the query. */
  at: number;
  repetitions: number;
}

/** The regular expressions of a query that run on recorded text. Throws if one may take forever. */
export function watchedIn(expr: QueryExpr): Watched[] {
  const watched = termsOf(expr)
    .filter((term) => hasRegex(term))
    .flatMap((term) =>
      regexesOf(term).map((regex) => ({ regex, at: term.at, repetitions: repetitions(regex.source) })),
    );
  const endless = watched.find((one) => one.repetitions >= FIRST_TRY_CHARS.length);
  if (!endless) return watched;
  const hint = `${REGEX_TOO_SLOW.hint}, or use wiretape filter`;
  throw new QueryError('this regular expression may take too long in a page', hint, ...placeOf(endless));
}

function regexesOf(term: QueryTerm): RegExp[] {
  if (term.is === 'pattern') return [term.regex];
  return term.is === 'text' ? [] : term.tests.flatMap((test) => (test.is === 'regex' ? [test.regex] : []));
}

/** Throws if the beginning of a text shows that all of it would take too long. */
export function tryOn({ own, more }: FrameText, watched: readonly Watched[]): void {
  for (const one of watched) {
    tryOne(own, one);
    if (more) tryOne(more.text, one);
  }
}

function tryOne(text: string, one: Watched): void {
  for (let length = FIRST_TRY_CHARS[one.repetitions]!; length < text.length; length *= 2) {
    const began = performance.now();
    one.regex.test(text.slice(0, length));
    if (performance.now() - began > MAX_FIRST_TRY_MS)
      throw new QueryError(REGEX_TOO_SLOW.message, REGEX_TOO_SLOW.hint, ...placeOf(one));
  }
}

const placeOf = ({ at, regex }: Watched): [number, number] => [at, regex.source.length + 2];

/** The parts of a regular expression that matter here: escapes, classes, groups, choices and repetitions. */
const PART = /\\.|\[(?:\\.|[^\]\\])*\]|\(\??|\)|\||\?|[*+]|\{\d+(?:,\d*)?\}/gsu;
const ONCE = ['{0}', '{1}', '{0,1}'];
const isRepetition = (part: string) => /^[*+{]/.test(part) && !ONCE.includes(part);

/**
 * How many repetitions a regular expression has. Infinity if it has a repeated group that can match a text in several
 * ways, because something in it is repeated, optional or a choice, or if it refers to a group.
 */
export function repetitions(source: string): number {
  let count = 0;
  /** For each open group, whether it can match in several ways; then for the one that was closed last. */
  const open = [false];
  let closed = { isComplex: false, end: -1 };
  for (const { 0: part, index } of source.matchAll(PART)) {
    if (/^\\[1-9k]/.test(part)) return Number.POSITIVE_INFINITY;
    if (part[0] === '(') open.push(false);
    else if (part === ')') closed = { isComplex: open.pop() ?? false, end: index + 1 };
    if (closed.isComplex && part === ')') open[open.length - 1] = true;
    if (!isRepetition(part) && part !== '|' && part !== '?') continue;
    if (isRepetition(part) && closed.isComplex && closed.end === index) return Number.POSITIVE_INFINITY;
    if (isRepetition(part)) count++;
    open[open.length - 1] = true;
  }
  return count;
}
