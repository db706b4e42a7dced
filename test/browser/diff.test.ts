/** Two sessions in one page: what differs is what `diff` says, in rows beside each other, and both timelines on one scale. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DiffEntry, INFORMAL_SECTIONS } from '../../lib/analysis/diff/result.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { asked, exportPage, UNREDACTED } from './support/pages.ts';
import { Reader } from './support/reader.ts';
import { inBrowser } from './support/tabs.ts';

const tape = (name: string) => fileURLToPath(new URL(`../../samples/tapes/diff/${name}.jsonl`, import.meta.url));
const PAIRS = { versions: ['kimi-1.24', 'kimi-1.49'], protocols: ['kimi-wire', 'kimi-acp'] } as const;
const NAMES = Object.keys(PAIRS) as (keyof typeof PAIRS)[];

inBrowser('a diff', (tabs) => {
  let place: Place;
  const pages = new Map<string, { file: string; entries: DiffEntry[] }>();

  beforeAll(async () => {
    place = makePlace();
    for (const name of NAMES) {
      const tapes = PAIRS[name].map(tape);
      const file = await exportPage(place, tapes, name, ...UNREDACTED);
      pages.set(name, { file, entries: await asked<DiffEntry>(place, 'diff', ...tapes) });
    }
  });

  afterAll(() => removePlace(place));

  const open = async (name: keyof typeof PAIRS) => {
    const { file, entries } = pages.get(name)!;
    const reader = new Reader(await tabs.open(file, { hash: 'v=diff' }));
    await reader.sees('.compare-section');
    return { reader, page: reader.page, entries };
  };

  /** What counts, in the order of the page. */
  const counted = (entries: readonly DiffEntry[]) =>
    entries.filter(({ section, masked }) => !INFORMAL_SECTIONS.has(section) && !masked);

  /** The frames of the rows of a section, on both sides; null where one lacks it. */
  const rowsIn = (page: Page, section: string) =>
    page.locator(`[data-section="${section}"] .compare-entry`).evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('.compare-row > .compare-side')].map((side) => {
          const f = side.querySelector('[data-f]')?.getAttribute('data-f');
          return f === undefined || f === null ? null : Number(f);
        }),
      ),
    );

  it.each(NAMES)('has the numbers of diff --json: %s', async (name) => {
    const { page, entries } = await open(name);
    expect(entries.length).toBeGreaterThan(2);
    const all = counted(entries).length;
    expect(await page.locator('.compare-sum').textContent()).toContain(`${all} difference`);
    const shown = await page
      .locator('.compare-section')
      .evaluateAll((sections) =>
        sections.map((one) => [
          one.getAttribute('data-section')!,
          Number(one.querySelector('.compare-count')!.textContent),
        ]),
      );
    const sums = new Map<string, number>();
    for (const { section, masked } of entries) if (!masked) sums.set(section, (sums.get(section) ?? 0) + 1);
    expect(new Map(shown.filter(([section, n]) => section !== 'shape' && n !== 0) as [string, number][])).toEqual(sums);
  });

  it.each(NAMES)('has a row for each difference, with the frames of both sides: %s', async (name) => {
    const { page, entries } = await open(name);
    for (const section of new Set(entries.map((entry) => entry.section))) {
      const wanted = entries.filter((entry) => entry.section === section && !entry.masked);
      const rows = await rowsIn(page, section);
      for (const { a, b } of wanted) expect(rows, `${section} f${a.f} f${b.f}`).toContainEqual([a.f, b.f]);
    }
  });

  it('calls a tool what its own session calls it', async () => {
    const { page, entries } = await open('protocols');
    const call = entries.find(({ kind, op }) => kind === 'tool-call' && op === 'changed')!;
    const titles = page.locator(`.compare-entry.of-tool-call:has(.is-a [data-f="${call.a.f}"]) .compare-what`);
    const [ofA, ofB] = await titles.allTextContents();
    expect(ofA).toMatch(/^Shell /);
    expect(ofB).toMatch(/^Bash /);
  });

  it('goes from one difference to the next by keys, and to a frame of either session', async () => {
    const { reader, page, entries } = await open('versions');
    const labels: string[] = [];
    const focused = () =>
      page.evaluate(() => document.activeElement!.closest('.compare-entry')?.getAttribute('aria-label') ?? '');
    const all = Number(/of (\d+)/.exec(await placeAfter(reader, 'n'))![1]);
    expect(all).toBeGreaterThanOrEqual(counted(entries).length);
    labels.push(await focused());
    for (let n = 2; n <= all; n++) {
      expect(await placeAfter(reader, 'n')).toBe(`${n} of ${all}`);
      labels.push(await focused());
    }
    expect(new Set(labels).size).toBeGreaterThan(all / 2);
    expect(labels).not.toContain('');
    // There is none behind the last.
    expect(await placeAfter(reader, 'n')).toBe(`${all} of ${all}`);
    expect(await placeAfter(reader, 'N')).toBe(`${all - 1} of ${all}`);
    expect(await focused()).toBe(labels[all - 2]);
    const call = entries.find(({ kind, a, b }) => kind === 'tool-call' && a.f !== null && b.f !== null)!;
    await page.locator(`.compare-side.is-b [data-f="${call.b.f}"]`).first().click();
    await reader.isLinked(`f${call.b.f}`);
    await reader.isLinked('s=1');
  });

  it.each(NAMES)('draws both timelines on one scale, turn below turn: %s', async (name) => {
    const { page } = await open(name);
    const tapes = PAIRS[name].map(tape);
    const stats = await Promise.all(
      tapes.map(async (one) => (await asked<{ duration: number }>(place, 'stats', one))[0]!),
    );
    const longest = Math.max(...stats.map(({ duration }) => duration));
    const boxes = await page.locator('.compare-track').evaluateAll((tracks) =>
      tracks.map((track) => {
        const whole = track.getBoundingClientRect();
        const share = (element: Element) => {
          const { left, right } = element.getBoundingClientRect();
          return [(left - whole.left) / whole.width, (right - whole.left) / whole.width] as const;
        };
        return {
          left: whole.left,
          width: whole.width,
          length: share(track.querySelector('.compare-length')!)[1],
          turns: [...track.querySelectorAll('.compare-turn')].map(share),
        };
      }),
    );
    expect(boxes).toHaveLength(2);
    expect([boxes[1]!.left, boxes[1]!.width]).toEqual([boxes[0]!.left, boxes[0]!.width]);
    for (const [n, { length, turns }] of boxes.entries()) {
      expect(length).toBeCloseTo(stats[n]!.duration / longest, 2);
      const shown = await asked<{ is: string; t: number; t_end: number }>(place, 'show', tapes[n]!);
      const times = shown.filter(({ is }) => is === 'turn');
      expect(turns).toHaveLength(times.length);
      for (const [i, [from, to]] of turns.entries()) {
        expect(from).toBeCloseTo(times[i]!.t / longest, 1);
        expect(to).toBeCloseTo(times[i]!.t_end / longest, 1);
      }
    }
    expect(await page.locator('.compare-band').count()).toBe(Math.min(...boxes.map(({ turns }) => turns.length)));
  });
});

/** What the page says about the place after a key. */
async function placeAfter(reader: Reader, key: string): Promise<string> {
  await reader.press(key);
  return (await reader.page.locator('.compare-tools [role=status]').textContent())!;
}
