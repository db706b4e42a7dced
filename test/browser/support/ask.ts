/** What a reader does with a query, and sees of its answer. */
import type { Page } from 'playwright-core';

export interface Answer {
  error: string | null;
  /** `3 of 41 frames`. */
  count: string;
  /** The numbers of the frames in the table, if it is the view in sight. */
  frames: number[];
}

/** Types a query, presses Enter and waits for the answer. */
export async function ask(page: Page, query: string): Promise<Answer> {
  await page.evaluate((text) => {
    const input = document.querySelector<HTMLInputElement>('#query')!;
    input.value = text;
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  }, query);
  await page.locator('search[aria-busy=false]').waitFor({ state: 'attached' });
  return page.evaluate(() => {
    const error = document.querySelector<HTMLElement>('.query-error')!;
    const rows = [...document.querySelectorAll<HTMLElement>('.frames-row')].filter(({ hidden }) => !hidden);
    const place = (row: Element) => Number(row.getAttribute('aria-rowindex'));
    return {
      error: error.hidden ? null : error.textContent,
      count: document.querySelector('.query-count')!.textContent!,
      frames: rows.sort((a, b) => place(a) - place(b)).map(({ dataset }) => Number(dataset.f)),
    };
  });
}
