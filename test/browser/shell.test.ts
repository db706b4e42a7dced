/** The page around the views: its address, its query, its panes, its themes and languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { exportPage } from './support/pages.ts';
import { inBrowser } from './support/tabs.ts';

const TAPE = join(fileURLToPath(new URL('../../samples/tapes/', import.meta.url)), 'tour.jsonl');

const hashOf = (page: Page) => page.evaluate(() => location.hash);
const focusedFrame = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.f ?? null);

/** Waits for the address, which is written a moment later. */
const expectHash = (page: Page, hash: string) => page.waitForFunction((wanted) => location.hash === wanted, hash);

async function ask(page: Page, query: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(query);
}

inBrowser('the page around the views', (tabs) => {
  let place: Place;
  let file: string;

  beforeAll(async () => {
    place = makePlace();
    file = await exportPage(place, [TAPE], 'tour', '--redact', 'none');
  });

  afterAll(() => removePlace(place));

  const found = (page: Page) => page.locator('.query-count').textContent();
  const expectFound = (page: Page, text: string) =>
    page.waitForFunction((wanted) => document.querySelector('.query-count')?.textContent === wanted, text);

  it('shows the place that its address names, and gives it the focus', async () => {
    const page = await tabs.open(file, { hash: 'f120&v=frames&q=tool:Shell&b=32,120' });
    await expectFound(page, '42 of 293');
    await page.waitForFunction(() => (document.activeElement as HTMLElement | null)?.dataset.f === '120');
    expect(await page.locator('.frames-row[aria-selected=true]:visible').getAttribute('data-f')).toBe('120');
    expect(await hashOf(page)).toBe('#f120&q=tool:Shell&v=frames&b=32,120');
  });

  it('marks a range', async () => {
    const page = await tabs.open(file, { hash: 'f4-f6&v=frames' });
    await page.locator('.frames-row[data-f="5"][aria-selected=true]').waitFor();
    expect(await page.locator('.frames-row[aria-selected=true]:visible').count()).toBe(3);
  });

  it('says that a frame is not there', async () => {
    const page = await tabs.open(file, { hash: 'f99999' });
    await page.getByText('There is no frame f99999 in this page').waitFor();
  });

  it('goes back from a jump, but not from every step', async () => {
    const page = await tabs.open(file, { hash: 'f1&v=frames' });
    for (const key of ['j', 'j', 'j']) await page.keyboard.press(key);
    await expectHash(page, '#f4&v=frames');
    await page.keyboard.press('x');
    await expectHash(page, '#f45&v=frames');
    await page.goBack();
    await expectHash(page, '#f4&v=frames');
    await page.waitForFunction(() => (document.activeElement as HTMLElement | null)?.dataset.f === '4');
  });

  it('keeps a selected frame in sight that the query hides', async () => {
    const page = await tabs.open(file, { hash: 'f18&v=frames&q=tool:Shell' });
    await page.getByText('f18 is selected, but hidden by the query.').waitFor();
    await page.getByRole('button', { name: 'Show what does not match' }).click();
    await page.locator('.frames-row[data-f="18"]').waitFor();
    expect(await page.locator('.frames-is-dim').count()).toBeGreaterThan(0);
  });

  it('shows an error where it is, and keeps the last result', async () => {
    const page = await tabs.open(file, { hash: 'v=frames' });
    await ask(page, 'tool:Shell');
    await expectFound(page, '42 of 293');
    await page.locator('#query').fill('tol:Shell');
    await page.getByText('unknown qualifier "tol"').waitFor();
    expect(await page.locator('.query-caret').textContent()).toBe('tol:Shell\n^^^^');
    expect(await page.locator('.query-error').textContent()).toContain('did you mean tool:');
    expect(await found(page)).toBe('42 of 293');
    await page.keyboard.press('Escape');
    await expectFound(page, '293 frames');
  });

  it('says what is wrong while the query has the focus, and marks it afterwards', async () => {
    const page = await tabs.open(file, { hash: 'v=frames' });
    const error = page.locator('.query-error');
    await ask(page, 'toool:x');
    await error.waitFor();
    const lines = await error.locator('p').allTextContents();
    expect(lines.slice(1, 3).map((line) => line.trim())).toEqual([
      'did you mean tool:?',
      'to search for the text, quote it: "toool:x"',
    ]);
    await page.locator('.frames-row[data-f="20"]').click();
    await error.waitFor({ state: 'hidden' });
    await page.locator('#query[aria-invalid=true]').waitFor();
    await page.keyboard.press('/');
    await error.waitFor();
  });

  it.each(['Escape', 'j'])('says what is wrong with the query of its address, until %s', async (key) => {
    const page = await tabs.open(file, { hash: 'f20&v=frames&q=toool:x' });
    await page.locator('.query-error').waitFor();
    await page.keyboard.press(key);
    await page.locator('.query-error').waitFor({ state: 'hidden' });
    await page.locator('#query[aria-invalid=true]').waitFor();
  });

  it('completes names and values that were seen', async () => {
    const page = await tabs.open(file, { hash: 'v=frames' });
    await ask(page, 'too');
    await page.getByRole('option', { name: 'tool:' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'tool:Shell' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await expectFound(page, '42 of 293');
    expect(await page.locator('#query').inputValue()).toBe('tool:Shell ');
  });

  it('goes to a frame, a turn and a time', async () => {
    const page = await tabs.open(file, { hash: 'v=frames' });
    for (const [typed, hash] of [
      ['18', '#f18&v=frames'],
      ['t3', '#f76&v=frames'],
      ['500ms', '#f32&v=frames'],
    ]) {
      await page.keyboard.press(':');
      await page.keyboard.type(typed!);
      await page.keyboard.press('Enter');
      await expectHash(page, hash!);
    }
  });

  it('finds commands and turns in the palette', async () => {
    const page = await tabs.open(file, { hash: 'v=timeline' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('frames');
    await page.keyboard.press('Enter');
    await expectHash(page, '#v=frames');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('turn 2');
    await page.keyboard.press('Enter');
    await expectHash(page, '#f46&v=frames');
    expect(await focusedFrame(page)).toBe('46');
  });

  it('can be told to leave letters alone', async () => {
    const page = await tabs.open(file, { hash: 'f1&v=frames' });
    await page.keyboard.press('?');
    await page.getByLabel('Keys that are a single character do something').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await expectHash(page, '#f2&v=frames');
  });

  it('moves between its parts with F6', async () => {
    const page = await tabs.open(file, { hash: 'f18&v=frames' });
    await page.waitForFunction(() => (document.activeElement as HTMLElement | null)?.dataset.f === '18');
    const parts: (string | undefined)[] = [];
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('F6');
      const part = await page.evaluate(() => document.activeElement?.closest('main, aside, search')?.tagName);
      parts.push(part);
    }
    expect(parts).toEqual(['ASIDE', 'SEARCH', 'MAIN']);
  });

  it('resizes the details with the keyboard, and keeps the width', async () => {
    const page = await tabs.open(file, { hash: 'f18&v=frames' });
    const width = () => page.locator('#detail').evaluate((element) => element.getBoundingClientRect().width);
    const before = await width();
    await page.getByRole('separator', { name: 'Width of the details' }).focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft');
    expect(await width()).toBeGreaterThan(before + 60);
  });

  it('speaks the language of the browser, and the other one when asked', async () => {
    const page = await tabs.open(file, { locale: 'zh-CN', hash: 'f18&v=frames&q=tool:Shell' });
    expect(await page.getAttribute('html', 'lang')).toBe('zh-CN');
    await page.getByRole('tab', { name: '时间线' }).waitFor();
    await page.getByRole('button', { name: 'EN', exact: true }).click();
    await page.getByRole('tab', { name: 'Timeline' }).waitFor();
    await expectFound(page, '42 of 293');
    expect(await hashOf(page)).toBe('#f18&q=tool:Shell&v=frames');
  });

  it('says in Chinese that findings are quoted in English', async () => {
    const page = await tabs.open(file, { locale: 'zh-CN', hash: 'v=findings' });
    await page.getByText('保留英文原文').waitFor();
    await page.getByRole('button', { name: 'EN', exact: true }).click();
    await page.getByRole('heading', { name: 'Unanswered requests' }).waitFor();
    expect(await page.getByText('保留英文原文').count()).toBe(0);
  });

  it('changes its colours', async () => {
    const page = await tabs.open(file, { colorScheme: 'light' });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    const theme = page.getByRole('button', { name: 'Theme: system, light, dark' });
    await theme.click();
    expect(await background()).toBe(light);
    await theme.click();
    expect(await background()).not.toBe(light);
  });

  it('shows one pane at a time on a narrow screen', async () => {
    const page = await tabs.open(file, { viewport: { width: 390, height: 800 }, hash: 'f18&v=frames' });
    expect(await page.locator('#view').isVisible()).toBe(true);
    expect(await page.locator('#detail').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Details · f18' }).click();
    expect(await page.locator('#view').isVisible()).toBe(false);
    expect(await page.locator('#detail').isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it('says what was replaced, or that nothing was', async () => {
    const page = await tabs.open(file);
    await page.getByText('Not redacted: this page may hold secrets.').waitFor();
    await tabs.go(page, await exportPage(place, [TAPE], 'redacted'));
    await page.getByText(/redacted: \d+ values?/).waitFor();
    expect(await page.getByText('Not redacted').count()).toBe(0);
  });

  it('says that it is a part of the session', async () => {
    const page = await tabs.open(await exportPage(place, [TAPE], 'part', '-q', 'turn:3'));
    await page.getByText('A part of the session: turn:3').waitFor();
  });

  it('gives the tape back, byte for byte', async () => {
    const page = await tabs.open(file);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download the tape/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^[\w.-]+\.jsonl$/);
    expect(readFileSync(await download.path())).toEqual(readFileSync(TAPE));
  });

  it('has a table of frames that says how long it is, and keeps the focused row', async () => {
    const page = await tabs.open(file, { hash: 'f3&v=frames' });
    await page.locator('.frames-row[data-f="3"]').waitFor();
    expect(await page.locator('[role=grid]').getAttribute('aria-rowcount')).toBe('294');
    const row = page.locator('.frames-row[data-f="3"]');
    expect(await row.getAttribute('aria-rowindex')).toBe('4');
    expect(await row.getAttribute('aria-label')).toBe('f3, agent to client, handshake, 155 ms');
    await page.locator('.frames-list').evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await page.locator('.frames-row[data-f="293"]').waitFor();
    expect(await focusedFrame(page)).toBe('3');
    expect(await page.locator('.frames-row').count()).toBeLessThan(60);
  });
});
