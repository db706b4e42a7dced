/** What is not read for what it means, and is said to be. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../lib/model/frame.ts';
import { describeTooLarge, hasTooManyValues } from '../../../../lib/model/json/too-large.ts';
import { parseJson } from '../../../../lib/model/message.ts';
import { cases } from '../../../support/scale.ts';

/** Commas, colons and openings, by a walk over the value. */
function marksIn(value: unknown): number {
  if (Array.isArray(value))
    return 1 + Math.max(0, value.length - 1) + value.reduce((sum: number, one) => sum + marksIn(one), 0);
  if (value === null || typeof value !== 'object') return 0;
  const entries = Object.values(value);
  return (
    1 + Math.max(0, entries.length - 1) + entries.length + entries.reduce((sum: number, one) => sum + marksIn(one), 0)
  );
}

describe('JSON of too many values', () => {
  it('is told by what stands between them, outside of strings', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const marks = marksIn(value);
        expect(hasTooManyValues(text, marks)).toBe(false);
        if (marks > 0) expect(hasTooManyValues(text, marks - 1)).toBe(true);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('is not parsed, wherever it comes from', () => {
    const most = `[${'[],'.repeat(499_000)}[]]`;
    expect(parseJson(most)).toHaveLength(499_001);
    expect(parseJson(`[${'[],'.repeat(501_000)}[]]`)).toBeUndefined();
    expect(parseJson(`{${Array.from({ length: 600_000 }, (_, i) => `"k${i}":1`).join(',')}}`)).toBeUndefined();
    // Text is one value, whatever is in it.
    expect(parseJson(JSON.stringify(',[{:'.repeat(600_000)))).toHaveLength(2_400_000);
    expect(parseJson(JSON.stringify('\\",'.repeat(600_000)))).toHaveLength(1_800_000);
  });

  it('has a reason for people', () => {
    const line = (raw: Uint8Array): Frame => {
      return { f: 1, t: 0, t0: null, from: 'agent', form: 'message', raw, eol: '\n', event: null, detail: {} };
    };
    const many = `[${'[],'.repeat(600_000)}[]]`;
    expect(describeTooLarge(line(Buffer.from('{}')), '{}')).toBeNull();
    expect(describeTooLarge(line(Buffer.from(many)), many)).toBe(
      '1.8 MB with more than a million values, too many to read',
    );
    const cut = { bytes: 200_000_000, whole: () => [] };
    expect(describeTooLarge({ ...line(Buffer.from('{}')), cut }, '{}')).toBe('200 MB, too long to read');
  });
});
