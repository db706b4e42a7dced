/** A session's id as a number: exact, in order of time, and never shared by two. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sessionKey } from '../../../../lib/storage/index/session-key.ts';
import { newSessionId, SESSION_ID } from '../../../../lib/storage/store/home.ts';
import { cases } from '../../../support/scale.ts';

const letters = fc.array(fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyz'), { minLength: 4, maxLength: 4 });
/** Any moment a clock may show, from one that was never set to one set wrong. */
const moment = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2129-12-31T23:59:59Z'),
  noInvalidDate: true,
});
const id = fc.tuple(moment, letters).map(([at, tail]) => newSessionId(at).slice(0, 16) + tail.join(''));

describe('sessionKey', () => {
  it('is exact and in the order of the ids', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(a).toMatch(SESSION_ID);
        expect(Number.isSafeInteger(sessionKey(a))).toBe(true);
        expect(Math.sign(sessionKey(a) - sessionKey(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
      { numRuns: cases(2000) },
    );
  });

  it('tells the last of a second from the first of the next', () => {
    expect(sessionKey('20261116T022911-zzzz') < sessionKey('20261116T022912-0000')).toBe(true);
    expect(sessionKey('20261231T235959-zzzz') < sessionKey('20270101T000000-0000')).toBe(true);
    expect(sessionKey('20261116T022911-0001') - sessionKey('20261116T022911-0000')).toBe(1);
  });

  it('is never the same for two names that may lie in a store', () => {
    const digits = (min: number, max: number, width: number) =>
      fc.integer({ min, max }).map((n) => String(n).padStart(width, '0'));
    const name = fc
      .tuple(
        digits(1960, 2200, 4),
        digits(0, 13, 2),
        digits(0, 32, 2),
        digits(0, 25, 2),
        digits(58, 61, 2),
        digits(0, 61, 2),
      )
      .map(([y, mo, d, h, mi, s]) => `${y}${mo}${d}T${h}${mi}${s}-aaaa`);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 40 }), (names) => {
        const valid = names.filter((name) => SESSION_ID.test(name));
        expect(new Set(valid.map(sessionKey)).size).toBe(valid.length);
      }),
      { numRuns: cases(2000) },
    );
    // The thirtieth of February is not the second of March.
    expect(sessionKey('20270230T000000-aaaa')).not.toBe(sessionKey('20270302T000000-aaaa'));
  });

  it('refuses what is no id', () => {
    for (const word of [
      '',
      'last',
      '20261116T022911',
      '20261116T022911-K3F9',
      '20261116T022911-k3f99',
      '99999999T999999-aaaa',
    ])
      expect(() => sessionKey(word), word).toThrow(/not a session id/);
  });
});
