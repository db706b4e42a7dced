/** An address leads to the same place for everybody: a frame, a range, a query, a view. What it names may be hidden or missing. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { ask } from './support/ask.ts';
import { asked, exportPage, UNREDACTED } from './support/pages.ts';
import { Reader } from './support/reader.ts';
import { inBrowser } from './support/tabs.ts';

const TOUR = fileURLToPath(new URL('../../samples/tapes/tour.jsonl', import.meta.url));

inBrowser('addresses', (tabs) => {
  let place: Place;
  let file: string;
  let last: number;

  beforeAll(async () => {
    place = makePlace();
    file = await exportPage(place, [TOUR], 'tour', ...UNREDACTED);
    last = (await asked<{ f: number }>(place, 'filter', 'f:*', TOUR, '--limit', '100000')).at(-1)!.f;
  });

  afterAll(() => removePlace(place));

  it.each(['frames', 'timeline', 'conversation'])(
    'lead to the first frame, the last and one between in %s',
    async (view) => {
      const page = await tabs.open(file, { hash: `f1&v=${view}` });
      const reader = new Reader(page);
      for (const f of [1, last, 150]) {
        await tabs.go(page, file, `f${f}&v=${view}`);
        // Not every frame is told in the conversation: then nothing else is selected, and what comes next is in sight.
        if (view === 'conversation' && f !== 150) {
          await page.locator('.talk-entry').first().waitFor();
          expect(await reader.selected()).toBeNull();
          await reader.isOn('.talk');
          expect(await page.locator('.talk-entry:focus').count()).toBe(0);
          await reader.isLinked(`f${f}`);
          continue;
        }
        // Other views select what the frame is part of.
        if (view === 'frames') await reader.isAt(f);
        else
          await page
            .locator('#view [data-f]:is([aria-selected=true], [aria-current=true]):not([hidden])')
            .first()
            .waitFor();
        expect(await reader.selected()).toBeLessThanOrEqual(f);
        const isInSight = await page.evaluate(() => {
          const row = [
            ...document.querySelectorAll<HTMLElement>('#view [data-f]:is([aria-selected=true], [aria-current=true])'),
          ].find((one) => !one.hidden)!;
          const { top, bottom } = row.getBoundingClientRect();
          return bottom > 0 && top < innerHeight;
        });
        expect(isInSight, `f${f}`).toBe(true);
      }
      await reader.isOn('#view');
    },
  );

  it('show what the query hides, and say so', async () => {
    const reader = new Reader(await tabs.open(file, { hash: 'f1&q=tool:Shell&v=frames' }));
    await reader.sees('.banner-pin [data-f="1"]');
    expect(await reader.page.locator('.banner-pin').textContent()).toContain('f1 is selected, but hidden by the query');
    await reader.page.locator('.banner-pin button').last().click();
    await reader.seesNo('.banner-pin');
    await reader.isAt(1);
    expect((await ask(reader.page, '')).frames.length).toBeGreaterThan(20);
  });

  it('say that a frame is missing', async () => {
    const reader = new Reader(await tabs.open(file, { hash: 'f99999&v=frames' }));
    await reader.hears('There is no frame f99999');
    expect(await reader.selected()).toBeNull();
  });

  it('select a range', async () => {
    const { page } = new Reader(await tabs.open(file, { hash: 'f10-f20&v=frames' }));
    await page.locator('.frames-row[data-f="20"][aria-selected=true]').waitFor();
    const all = await page
      .locator('.frames-row[aria-selected=true]')
      .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-f'))));
    expect(all.sort((a, b) => a - b)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  });

  it('have the query, the view, the part of time and the bookmarks', async () => {
    const { page } = new Reader(await tabs.open(file, { hash: 'f60&q=from%3Aagent&v=timeline&z=0.2-0.9&b=12,60' }));
    expect(await page.locator('#query').inputValue()).toBe('from:agent');
    await page.locator('#tab-timeline[aria-selected=true]').waitFor();
    await page.keyboard.press('3');
    await page.locator('#tab-frames[aria-selected=true]').waitFor();
    await page.waitForFunction(() => location.hash === '#f60&q=from:agent&v=frames&z=0.2-0.9&b=12,60');
  });

  it.each([
    '%',
    'f',
    'f1-',
    'q=%E0%A4%A',
    'v=nothing&s=9',
    'z=5-1',
    'b=x,-1',
    'f1e9',
    '"><img src=x onerror=alert(1)>',
    'q=(((',
    '__proto__=1',
  ])('survive #%s', async (hash) => {
    const page = await tabs.open(file, { hash });
    await page.locator('#view [data-f]').filter({ visible: true }).first().waitFor();
  });

  it('are followed when they change, and by Back', async () => {
    const reader = new Reader(await tabs.open(file, { hash: 'f10&v=frames' }));
    await reader.isAt(10);
    await reader.page.evaluate(() => {
      location.hash = 'f40&v=frames';
    });
    await reader.isAt(40);
    await reader.page.goBack();
    await reader.isAt(10);
    await reader.page.goForward();
    await reader.isAt(40);
  });
});
