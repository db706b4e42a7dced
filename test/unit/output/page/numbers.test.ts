/** Numbers come back exactly as they were, and data that is cut off or changed is noticed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packNumbers, unpackNumbers } from '../../../../lib/output/page/numbers.ts';

const numbers = fc.oneof(
  fc.array(fc.integer()),
  fc.array(fc.maxSafeInteger()),
  fc.array(fc.nat(1e9).map((micros) => micros / 1e6)),
  fc.array(fc.double()),
  fc.array(fc.oneof(fc.nat(1000), fc.constant(Number.NaN))),
  fc.array(fc.constantFrom(0, -0, 1, -1, 0.5, 2 ** 51 - 1, Number.NaN)),
);

describe('numbers', () => {
  it('come back as they were, null included', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        expect([...unpackNumbers(packNumbers(values))]).toEqual(values);
      }),
    );
  });

  it('take one or two bytes where they grow slowly', () => {
    const times = Array.from({ length: 10_000 }, (_, i) => Math.round(i * 20_013) / 1e6);
    expect(packNumbers(times).length).toBeLessThan(31_000);
    expect(packNumbers(Array.from({ length: 10_000 }, (_, i) => i + 1)).length).toBeLessThan(10_010);
  });

  it('are refused if they are cut off', () => {
    const packed = packNumbers([1, 500, 70_000]);
    for (let length = 0; length < packed.length; length++)
      expect(() => unpackNumbers(packed.subarray(0, length))).toThrow(RangeError);
  });
});
