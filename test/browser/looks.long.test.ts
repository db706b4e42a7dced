/** A page can be used by everybody: in both themes, by assistive programs, on a phone, in Chinese, on paper, without scripts. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { ask } from './support/ask.ts';
import { exportPage, UNREDACTED } from './support/pages.ts';
import { Reader } from './support/reader.ts';
import { inBrowser } from './support/tabs.ts';

const TAPES = fileURLToPath(new URL('../../samples/tapes/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const VIEWS = ['timeline', 'conversation', 'frames', 'approvals', 'findings', 'stats'];
const PHONE = { width: 390, height: 800 };

inBrowser('a page', (tabs) => {
  let place: Place;
  let tour: string;
  let hang: string;

  beforeAll(async () => {
    place = makePlace();
    tour = await exportPage(place, [`${TAPES}tour.jsonl`], 'tour', ...UNREDACTED);
    hang = await exportPage(place, [`${TAPES}hang.jsonl`], 'hang', ...UNREDACTED);
  });

  afterAll(() => removePlace(place));

  /** Shows a view, and waits until it has what it shows. */
  async function show(page: Page, view: string): Promise<void> {
    await page.locator(`#tab-${view}`).click();
    await page.locator(`#tab-${view}[aria-selected=true]`).waitFor();
    await hasContent(page);
  }

  const hasContent = (page: Page) =>
    page
      .locator('#view [data-f], #view section, #view [role=status]:not(:empty)')
      .filter({ visible: true })
      .first()
      .waitFor();

  /** What axe finds to be serious or worse. Its source is run by the browser, not by the page, whose policy would refuse it. */
  async function findings(page: Page): Promise<string[]> {
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }),
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) =>
        nodes.slice(0, 5).map(({ target, failureSummary }) => `${id}: ${help}: ${target} ${failureSummary}`),
      );
  }

  describe.each(['light', 'dark'] as const)('in a %s theme', (colorScheme) => {
    it('has nothing that assistive programs cannot use', async () => {
      for (const file of [tour, hang]) {
        const page = await tabs.open(file, { colorScheme, hash: 'f12' });
        for (const view of VIEWS) {
          await show(page, view);
          expect(await findings(page), view).toEqual([]);
        }
        await page.keyboard.press('?');
        await page.locator('dialog[open]').waitFor();
        expect(await findings(page), 'help').toEqual([]);
      }
    });

    it('can be read where a query finds nothing', async () => {
      const page = await tabs.open(tour, { colorScheme, hash: 'f12&q=tool:Shell' });
      await page.locator('.tl-row[data-out=self]').first().waitFor();
      expect(await findings(page), 'timeline').toEqual([]);
      await page.keyboard.press('i');
      await page.locator('.tl-row[data-out=all]').first().waitFor();
      for (const view of ['timeline', 'frames', 'approvals']) {
        await show(page, view);
        expect(await findings(page), view).toEqual([]);
      }
    });
  });

  it('keeps the theme that its reader chooses', async () => {
    const page = await tabs.open(tour, { colorScheme: 'light' });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    const button = page.locator('.head-tools button').nth(1);
    await button.click();
    await button.click();
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    expect(await background()).not.toBe(light);
  });

  it('is in Chinese for readers of Chinese, and changes when asked', async () => {
    const page = await tabs.open(tour, { locale: 'zh-CN' });
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    for (const view of VIEWS) {
      await show(page, view);
      const words = await page.evaluate(() => {
        const own = document.querySelector<HTMLElement>('.shell-top')!.cloneNode(true) as HTMLElement;
        return own.textContent!;
      });
      expect(words, view).toMatch(/\p{Script=Han}/u);
      expect(await findings(page), view).toEqual([]);
    }
    await page
      .getByRole('button', { name: /English|EN/ })
      .first()
      .click();
    await page.locator('html[lang=en]').waitFor({ state: 'attached' });
    expect(await page.locator('#tab-timeline').textContent()).toBe('Timeline');
  });

  it.each(VIEWS)('fits on a phone: %s', async (view) => {
    const page = await tabs.open(tour, { viewport: PHONE, hash: `f60&v=${view}`, hasTouch: true });
    await page.locator('#view').waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(PHONE.width);
    await hasContent(page);
    expect(await findings(page)).toEqual([]);
  });

  it.each(['findings', 'stats'])('shows the tab of its view on a phone: %s', async (view) => {
    const page = await tabs.open(tour, { viewport: PHONE, hash: `v=${view}` });
    const { x, width } = (await page.locator(`#tab-${view}`).boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(PHONE.width);
  });

  it('shows one pane at a time on a phone', async () => {
    const reader = new Reader(await tabs.open(tour, { viewport: PHONE, hash: 'f60&v=frames' }));
    await reader.isAt(60);
    await reader.press('Enter', 'Enter');
    await reader.isOn('#detail');
    await reader.sees('#detail');
    expect(await reader.page.locator('.frames').isVisible()).toBe(false);
  });

  it.each([
    [320, 256],
    [320, 568],
    [683, 384],
  ] as const)('has room for rows at %i x %i pixels', async (width, height) => {
    const reader = new Reader(await tabs.open(tour, { viewport: { width, height }, hash: 'f18' }));
    await reader.isAt(18);
    await reader.press('j', 'j', 'j');
    const { list, row, bar } = await reader.page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect().toJSON() as DOMRect;
      return { list: box('.tl-grid'), row: box('.tl-row[aria-selected=true]'), bar: box('.panes') };
    });
    expect(Math.min(list.bottom, bar.top) - Math.max(0, list.top)).toBeGreaterThan(96);
    expect(row.top).toBeGreaterThanOrEqual(0);
    expect(row.bottom).toBeLessThanOrEqual(bar.top + 1);
    expect(bar.bottom).toBeLessThanOrEqual(height);
  });

  it.each([1300, 1440])('shows whole decisions in a window of %i pixels', async (width) => {
    const page = await tabs.open(hang, { viewport: { width, height: 800 }, hash: 'v=approvals' });
    await page.getByText('open, no answer').first().waitFor();
    const cut = await page
      .locator('.approvals .table-cell:has(> .mark-badge)')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.outerHTML),
      );
    expect(cut).toEqual([]);
  });

  describe('on paper', () => {
    /** What would be printed now. Texts are read when the page is quiet, so it may take a moment. */
    const printed = (page: Page, complete: string) =>
      page
        .waitForFunction((last) => {
          dispatchEvent(new Event('beforeprint'));
          const text = document.querySelector('.print')?.textContent ?? '';
          dispatchEvent(new Event('afterprint'));
          return text.includes(last) ? text : null;
        }, complete)
        .then((handle) => handle.jsonValue() as Promise<string>);

    it('is a document of everything, in order', async () => {
      const page = await tabs.open(tour, { hash: 'v=conversation' });
      const text = await printed(page, 'Publish it.');
      const order = ['What is in this project?', 'Fix the failing test', '请检查文档', 'Clean up.', 'Publish it.'];
      const places = order.map((words) => text.indexOf(words));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(places).not.toContain(-1);
      expect(await page.locator('.print').count()).toBe(0);
      const pdf = await page.pdf();
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect(pdf.length).toBeGreaterThan(20_000);
    });

    it('is a document of what the query leaves', async () => {
      const page = await tabs.open(tour, { hash: 'v=frames' });
      await ask(page, 'turn:4');
      const text = await printed(page, 'Clean up.');
      expect(text).toContain('turn:4');
      expect(text).not.toContain('Fix the failing test');
    });
  });

  it('says what it can without scripts', async () => {
    const page = await tabs.openStill(tour);
    const text = await page.locator('noscript').first().textContent();
    expect(text).toContain('What is in this project?');
    expect(text).toContain('wiretape');
  });

  it('keeps the row with the focus when it is scrolled away', async () => {
    const reader = new Reader(await tabs.open(tour, { hash: 'f5&v=frames' }));
    await reader.isAt(5);
    await reader.page.locator('.frames-list').evaluate((list) => list.scrollTo(0, 4000));
    await reader.sees('.frames-row[data-f="170"]');
    await reader.isOn('.frames-row[data-f="5"]');
    expect(await reader.page.locator('.frames-row:not([hidden])').count()).toBeLessThan(150);
    await reader.press('j');
    await reader.isAt(6);
  });
});
