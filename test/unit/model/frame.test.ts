/** Times as they are written: always six decimals, whatever floating point made of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf, isoMicros, microsOf } from '../../../lib/model/frame.ts';

describe('isoMicros', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000000Z'],
    [1.005 * 1e6, '1970-01-01T00:00:01.005000Z'],
    [1_760_663_085_997_999.8, '2025-10-17T01:04:45.998000Z'],
    [1_760_663_085_999_999.8, '2025-10-17T01:04:46.000000Z'],
    [1_760_663_085_000_007, '2025-10-17T01:04:45.000007Z'],
    [-1.5e6, '1969-12-31T23:59:58.500000Z'],
  ])('%d', (micros, iso) => {
    expect(isoMicros(micros)).toBe(iso);
    expect(microsOf(iso)).toBe(Math.round(micros));
  });
});

describe('any number', () => {
  it('is written as a time of a year with four digits, which is read again', () => {
    const any = fc.oneof(fc.double(), fc.double({ min: -1e18, max: 1e18 }), fc.integer());
    fc.assert(
      fc.property(any, (micros) => {
        const iso = isoMicros(micros);
        expect(iso).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        expect(microsOf(iso)).not.toBeNaN();
        expect(() => dateOf(micros).toISOString()).not.toThrow();
      }),
    );
  });

  it.each([
    [Number.NaN, '1970-01-01T00:00:00.000000Z'],
    [Number.POSITIVE_INFINITY, '9999-12-31T23:59:59.000000Z'],
    [Number.NEGATIVE_INFINITY, '0000-01-01T00:00:00.000000Z'],
    [8.64e18, '9999-12-31T23:59:59.000000Z'],
  ])('%d', (micros, iso) => expect(isoMicros(micros)).toBe(iso));

  it.each(['+275760-09-13T00:00:00Z', '-000500-01-01T00:00:00Z', 'yesterday', ''])('%s is no time', (iso) => {
    expect(microsOf(iso)).toBeNaN();
  });
});
