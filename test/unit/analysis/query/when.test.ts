/** Times that depend on now: today, yesterday, and ages. This layer has no clock, so the caller says what now is. */
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';

const NOW = Date.UTC(2026, 10, 17, 7, 40, 0) * 1000;
const DAY = 86_400e6;
const midnight = Date.UTC(2026, 10, 17) * 1000;
const range = (text: string) => (parseQuery(text, NOW) as { tests: unknown[] }).tests[0];

describe('at:', () => {
  it('takes whole days by name', () => {
    expect(range('at:today')).toMatchObject({ from: midnight, to: midnight + DAY, toOpen: true });
    expect(range('at:Yesterday')).toMatchObject({ from: midnight - DAY, to: midnight, toOpen: true });
    expect(range('at:yesterday..*')).toMatchObject({ from: midnight - DAY, to: null });
    expect(range('at:2026-11-10..today')).toMatchObject({ to: midnight + DAY });
  });

  it('takes ages in ranges', () => {
    expect(range('at:7d..*')).toMatchObject({ is: 'range', from: NOW - 7 * DAY, fromOpen: false, to: null });
    expect(range('at:2w..7d')).toMatchObject({ from: NOW - 14 * DAY, to: NOW - 7 * DAY });
    expect(range('at:>=90m')).toMatchObject({ from: NOW - 5400e6, to: null });
    expect(range('at:*..1h')).toMatchObject({ from: null, to: NOW - 3600e6 });
  });

  it('refuses an age without a range, and the wrong order', () => {
    expect(() => parseQuery('at:7d', NOW)).toThrow('invalid value "7d" for at:');
    expect(() => parseQuery('at:1d..7d', NOW)).toThrow('empty range');
    expect(() => parseQuery('at:7x..*', NOW)).toThrow('invalid value');
  });

  it('needs to know what now is', () => {
    expect(() => parseQuery('at:today')).toThrow('invalid value "today" for at:');
  });
});
