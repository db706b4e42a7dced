import { describe, expect, it } from 'vitest';
import { LimitedMap } from '../../../lib/model/limited-map.ts';

describe('what is remembered', () => {
  it('drops the oldest beyond its limit', () => {
    const recent = new LimitedMap<number, true>(100);
    for (let i = 0; i < 1000; i++) recent.set(i, true);
    expect(recent.size).toBeLessThanOrEqual(100);
    expect(recent.has(999)).toBe(true);
    expect(recent.has(0)).toBe(false);
  });

  it('drops what is finished first, and keeps a tenth of it', () => {
    const recent = new LimitedMap<number, { open: boolean }>(100, ({ open }) => open);
    for (let i = 0; i < 1000; i++) recent.set(i, { open: i === 0 });
    expect(recent.size).toBeLessThanOrEqual(11);
    expect(recent.has(0)).toBe(true);
    expect(recent.has(999)).toBe(true);
  });

  it('keeps what is open up to its limit', () => {
    const recent = new LimitedMap<number, { open: boolean }>(100, ({ open }) => open);
    for (let i = 0; i < 99; i++) recent.set(i, { open: true });
    for (let i = 99; i < 1000; i++) recent.set(i, { open: false });
    for (let i = 0; i < 99; i++) expect(recent.has(i)).toBe(true);
    for (let i = 1000; i < 2000; i++) recent.set(i, { open: true });
    expect(recent.size).toBeLessThanOrEqual(100);
    expect(recent.has(1999)).toBe(true);
  });

  it('never drops what it was just given', () => {
    const recent = new LimitedMap<number, { open: boolean }>(20, ({ open }) => open);
    for (let i = 0; i < 500; i++) {
      recent.set(i, { open: i % 3 !== 0 });
      expect(recent.has(i)).toBe(true);
    }
  });
});
