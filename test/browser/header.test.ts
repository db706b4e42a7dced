/** The numbers in the header lead to what they count. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { humanSeconds } from '../../lib/model/text/text.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { asked, exportPage, UNREDACTED } from './support/pages.ts';
import { Reader } from './support/reader.ts';
import { inBrowser } from './support/tabs.ts';

const TAPE = join(fileURLToPath(new URL('../../samples/tapes/', import.meta.url)), 'tour.jsonl');

inBrowser('the numbers in the header', (tabs) => {
  let place: Place;
  let file: string;

  beforeAll(async () => {
    place = makePlace();
    file = await exportPage(place, [TAPE], 'tour', ...UNREDACTED);
  });

  afterAll(() => removePlace(place));

  /** Opens a view, and presses the numbers with these words one after another. */
  const press = async (view: string, ...words: string[]) => {
    const reader = new Reader(await tabs.open(file, { hash: `v=${view}` }));
    await reader.isIn(view);
    for (const word of words) await reader.page.locator('.head-button', { hasText: word }).click();
    return reader;
  };
  const finds = (reader: Reader, count: string) => reader.page.getByText(count, { exact: true }).waitFor();

  it.each([
    ['on stderr', '2', '2 of 293'],
    // Of 13 calls, one has no result.
    ['tool calls', '13', '25 of 293'],
    ['failed', '2', '2 of 293'],
  ])('%s: finds what it counts', async (word, number, count) => {
    const reader = await press('frames', word);
    expect(await reader.page.locator('.head-button', { hasText: word }).locator('b').textContent()).toBe(number);
    await finds(reader, count);
  });

  it.each(['conversation', 'approvals', 'findings', 'stats'])('show frames in the timeline: from %s', async (view) => {
    const reader = await press(view, 'failed');
    await reader.isIn('timeline');
    await finds(reader, '2 of 293');
  });

  it('stay in the list of frames', async () => {
    const reader = await press('frames', 'failed');
    await finds(reader, '2 of 293');
    await reader.isIn('frames');
  });

  it('show all approvals, whatever was asked before', async () => {
    const reader = await press('timeline', 'failed', 'approvals');
    await reader.isIn('approvals');
    await finds(reader, '293 frames');
    expect(await reader.page.locator('#query').inputValue()).toBe('');
    await reader.sees('.approvals [data-f]');
  });

  it('approvals: say how long they waited, as the statistics and the list do', async () => {
    const [stats] = await asked<{ waits: { approval: { total: number }; total: number } }>(place, 'stats', TAPE);
    const { approval, total } = stats!.waits;
    expect(approval.total).not.toBe(total);
    const waited = humanSeconds(approval.total);
    const { page } = await press('approvals');
    await page.locator('.head-button', { hasText: `approvals, waited ${waited}` }).waitFor();
    await page.locator('.approvals-total', { hasText: `${waited} total wait` }).waitFor();
    await page.keyboard.press('6');
    await page.locator('[data-waits=approval]', { hasText: waited }).waitFor();
  });
});
