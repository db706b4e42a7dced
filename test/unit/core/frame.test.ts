/** Times as they are written: always six decimals, whatever floating point made of them. */
import { describe, expect, it } from 'vitest';
import { isoMicros, microsOf } from '../../../lib/core/frame.ts';

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
