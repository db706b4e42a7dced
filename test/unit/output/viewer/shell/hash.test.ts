import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VIEWS } from '../../../../../lib/output/viewer/app.ts';
import { type AddressState, readHash, writeHash } from '../../../../../lib/output/viewer/shell/hash.ts';

const NOWHERE: AddressState = { f: null, to: null, query: '', view: null, zoom: null, bookmarks: [], session: 0 };

describe('the address of a place', () => {
  it('is read', () => {
    expect(readHash('#f123&q=is%3Aerror&v=frames&z=12.5-44.2&b=120,188')).toEqual({
      ...NOWHERE,
      ...{ f: 123, query: 'is:error', view: 'frames', zoom: [12.5, 44.2], bookmarks: [120, 188] },
    });
    expect(readHash('#f120-f188')).toEqual({ ...NOWHERE, f: 120, to: 188 });
    expect(readHash('#f120-188')).toEqual({ ...NOWHERE, f: 120, to: 188 });
    expect(readHash('')).toEqual(NOWHERE);
  });

  it('is short and readable', () => {
    expect(writeHash(NOWHERE)).toBe('#');
    expect(writeHash({ ...NOWHERE, f: 7 })).toBe('#f7');
    expect(writeHash({ ...NOWHERE, query: 'tool:Shell,Bash method:a/b "x & y"' })).toBe(
      '#q=tool:Shell,Bash%20method:a/b%20%22x%20%26%20y%22',
    );
  });

  it('leaves out what cannot be read', () => {
    for (const hash of [
      '#fx',
      '#v=nothing',
      '#z=5-2',
      '#z=a-b',
      '#b=,,x',
      '#s=99',
      '#f-f',
      '#%',
      '#=&=&',
      '#q=%E0%A4%A',
    ])
      expect(readHash(hash), hash).toEqual(NOWHERE);
  });

  it('comes back as it was', () => {
    const frame = fc.option(fc.integer({ min: 0, max: 1e9 }));
    const time = fc.integer({ min: 0, max: 1e9 }).map((micros) => micros / 1e6);
    const place = fc
      .record({
        f: frame,
        to: frame,
        query: fc.string({ unit: 'grapheme' }),
        view: fc.option(fc.constantFrom(...VIEWS)),
        zoom: fc.option(fc.tuple(time, time).filter(([from, to]) => from < to)),
        bookmarks: fc.uniqueArray(fc.integer({ min: 0, max: 1e6 }), { maxLength: 20 }),
        session: fc.constantFrom(0, 1),
      })
      .map((one) => ({ ...one, to: one.f === null || one.to === one.f ? null : one.to }));
    fc.assert(fc.property(place, (one) => void expect(readHash(writeHash(one))).toEqual(one)));
  });
});
