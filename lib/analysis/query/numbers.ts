/** Reads numbers, durations, sizes, times and ranges of them. */

import type { QueryType } from '../facts/table.ts';
import type { NumberRange, TermTest } from './ast.ts';
import { readWhen } from './time.ts';

/** A number. A time is a span, and `to` is its end. */
interface NumberReading {
  value: number;
  to: number | null;
}

export type NumericType = Extract<QueryType, 'frame' | 'number' | 'duration' | 'size' | 'time'>;

const SECONDS_PER_UNIT: Record<string, number> = { '': 1, ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };
const BYTES_PER_UNIT: Record<string, number> = { '': 1, b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** A plain number, or null; never infinite. */
export function readNumber(text: string): number | null {
  const number = NUMBER.test(text) ? Number(text) + 0 : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

const READERS: Record<NumericType, (text: string, now: number | null) => NumberReading | null> = {
  number: (text) => plainReading(readNumber(text)),
  frame: (text) => plainReading(readNumber(text.replace(/^f/i, ''))),
  duration: (text) => withUnit(text, SECONDS_PER_UNIT),
  size: (text) => withUnit(text, BYTES_PER_UNIT),
  time: (text, now) => {
    const span = readWhen(text, now);
    return span && { value: span.from, to: span.to };
  },
};

/** For hints. */
export const NUMBER_EXAMPLES: Record<NumericType, string> = {
  number: 'a number like 3, or a range like 2..4',
  frame: 'a number like 17, or a range like 3..9',
  duration: 'a duration like 500ms, 30s, 2m or 1h, or a range like 60s..*',
  size: 'a size like 500, 20kb or 1mb, or a range like 1mb..*',
  time: 'a UTC date or time like 2026-11-16T02:29, today, yesterday, or a range like 7d..*',
};

function plainReading(value: number | null): NumberReading | null {
  return value === null ? null : { value, to: null };
}

function withUnit(text: string, units: Record<string, number>): NumberReading | null {
  const [, number = '', unit = ''] = /^(.*?\d\.?)([a-z]*)$/i.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()]! : null;
  const value = readNumber(number);
  const product = factor === null || value === null ? Number.NaN : value * factor + 0;
  return Number.isFinite(product) ? { value: product, to: null } : null;
}

export type MisreadNumber = { is: 'misread'; text: string } | { is: 'empty' };

/** Reads a value as a test. A quoted value is never a range. `now`, in microseconds, is what `today` and `7d` refer to. */
export function numericTest(
  text: string,
  type: NumericType,
  quoted: boolean,
  now: number | null = null,
): TermTest | MisreadNumber {
  const [, compare, operand = ''] = (!quoted && /^(>=|<=|>|<)(.*)$/s.exec(text)) || [];
  if (compare) return readComparison(compare, operand, type, now);
  const dots = quoted ? -1 : text.indexOf('..');
  if (dots >= 0) return readRange(text.slice(0, dots), text.slice(dots + 2), type, now);
  const reading = READERS[type](text, now);
  // A moment such as 7d ago is never that of a frame: it needs a range.
  if (!reading || (type === 'time' && reading.to === null)) return { is: 'misread', text };
  const { value, to } = reading;
  if (to !== null) return range(value, false, to, true);
  // Durations are differences of times: compare them to the microsecond.
  if (type === 'duration') return range(value - 5e-7, false, value + 5e-7, false);
  return { is: 'equals', text: type === 'frame' ? text.replace(/^f/i, '') : text.toLowerCase(), number: value };
}

function readComparison(
  compare: string,
  text: string,
  type: NumericType,
  now: number | null,
): TermTest | MisreadNumber {
  const reading = READERS[type](text, now);
  if (!reading) return { is: 'misread', text };
  const { value, to } = reading;
  if (compare === '>=') return range(value, false, null, false);
  if (compare === '<') return range(null, false, value, true);
  if (compare === '>') return to === null ? range(value, true, null, false) : range(to, false, null, false);
  return to === null ? range(null, false, value, false) : range(null, false, to, true);
}

function readRange(left: string, right: string, type: NumericType, now: number | null): TermTest | MisreadNumber {
  if (left === '*' && right === '*') return { is: 'exists' };
  const from = left === '*' ? null : READERS[type](left, now);
  const to = right === '*' ? null : READERS[type](right, now);
  if (left !== '*' && !from) return { is: 'misread', text: left };
  if (right !== '*' && !to) return { is: 'misread', text: right };
  if (from && to && (to.to === null ? from.value > to.value : from.value >= to.to)) return { is: 'empty' };
  const end = to && (to.to ?? to.value);
  return range(from?.value ?? null, false, end, to !== null && to.to !== null);
}

function range(from: number | null, fromOpen: boolean, to: number | null, toOpen: boolean): NumberRange {
  return { is: 'range', from, fromOpen, to, toOpen };
}
