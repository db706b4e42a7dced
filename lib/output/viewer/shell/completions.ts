/** What can follow what was typed: qualifiers and words as the commands complete them, and values seen in this session. */

import type { FactName } from '../../../analysis/facts/table.ts';
import { completeQuery } from '../../../analysis/query/complete.ts';
import { quote } from '../../../analysis/query/lexer-text.ts';
import { qualifierOf } from '../../../analysis/query/qualifiers.ts';
import type { Language } from '../app.ts';
import { count } from '../format.ts';
import type { Column, FrameSource } from '../source.ts';
import { noteOf } from './qualifier-words.ts';

export interface Completion {
  /** What the query is then, up to the caret. */
  text: string;
  note: string;
  /** It takes the place of the whole query. */
  whole: boolean;
  /** Something must follow. */
  isOpen: boolean;
}

/** Facts with values that come again, so that a list of them helps. */
const FACTS_WITH_COMMON_VALUES: readonly FactName[] = [
  'method',
  'type',
  'tool',
  'subagent',
  'status',
  'mode',
  'flag',
  'code',
];
const MAX_VALUES = 30;

export async function completionsOf(typed: string, source: FrameSource, language: Language): Promise<Completion[]> {
  const known = completeQuery(typed).map((text) => ({
    text,
    note: noteOf(text, language),
    whole: false,
    isOpen: text.endsWith(':'),
  }));
  if (known.length > 0) return isComplete(known, typed) ? [] : known;
  const term = lastTerm(typed);
  if (term === null) return [];
  const name = qualifierOf(term.name)?.name as FactName | undefined;
  if (name === undefined || !FACTS_WITH_COMMON_VALUES.includes(name)) return [];
  const values = seenValues(await source.frames.column(name), term.value);
  return values.map(({ value, times }) => ({
    text: `${term.before}${bare(value)}`,
    note: `×${count(times, language)}`,
    whole: false,
    isOpen: false,
  }));
}

function isComplete(known: readonly Completion[], typed: string): boolean {
  return known.length === 1 && known[0]!.text === typed;
}

/** The term at the end: its name, what stands before its last value, and that value. */
export function lastTerm(typed: string): { name: string; before: string; value: string } | null {
  const [, start, name, earlier, value] = /^(.*?[\s(-]|)([a-z_]+):((?:[^\s,]*,)*)"?([^\s,"]*)$/is.exec(typed) ?? [];
  if (start === undefined || name === undefined) return null;
  return { name, before: `${start}${name}:${earlier}`, value: value! };
}

/** The values that contain this text, the most frequent first. */
export function seenValues(column: Column, text: string): { value: string; times: number }[] {
  if (column.is !== 'coded') return [];
  const times = new Uint32Array(column.values.length);
  for (const code of column.codes) times[code]!++;
  const sums = new Map<string, number>();
  for (const [code, value] of column.values.entries())
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && one !== undefined) sums.set(String(one), (sums.get(String(one)) ?? 0) + times[code]!);
  const wanted = text.toLowerCase();
  return [...sums]
    .filter(([value]) => value.toLowerCase().includes(wanted) && value.length <= 100)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_VALUES)
    .map(([value, n]) => ({ value, times: n }));
}

/** As it is written in a query. */
function bare(value: string): string {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_./-]*$/u.test(value) && !value.includes('..') ? value : quote(value);
}
