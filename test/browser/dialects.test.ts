/**
 * What a page shows is what the commands say, for three sessions of every dialect: numbers, approvals, the frames that
 * queries find, and the tape itself.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseQuery } from '../../lib/analysis/query/parser.ts';
import { printQuery } from '../../lib/analysis/query/print.ts';
import { DIALECTS } from '../../lib/dialects/index.ts';
import { APPROVAL_WORDS } from '../../lib/output/viewer/approvals/words.ts';
import { stockOf, tellAll } from '../support/query-store.ts';
import { type Random, randomOf, randomQuery, type Stock } from '../support/random-query.ts';
import { runsAll, sample } from '../support/scale.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { ask } from './support/ask.ts';
import { asked, type Exported, pagesOfDialects } from './support/pages.ts';
import { inBrowser } from './support/tabs.ts';

const SEED = Number(process.env.WIRETAPE_SEED ?? 18);
/** For each page; there are more than sixty. */
const QUERIES = Number(process.env.WIRETAPE_ROUNDS ?? 4);
/** High enough for a row for every frame. */
const windowFor = (frames: number) => ({ width: 1280, height: 400 + 24 * frames });

inBrowser('pages of every dialect', (tabs) => {
  let place: Place;
  let pages: Map<string, Exported[]>;
  let stock: Stock;
  let random: Random;
  let asks = 0;
  let hits = 0;

  beforeAll(async () => {
    place = makePlace();
    pages = await pagesOfDialects(place);
    stock = stockOf(await tellAll(place.home), SEED);
    random = randomOf(SEED);
  });

  afterAll(() => removePlace(place));

  async function expectNumbers(page: Page, { summary: { session } }: Exported): Promise<void> {
    await page.keyboard.press('Escape');
    await page.locator('#tab-stats').click();
    await page.locator('.stats-totals').waitFor();
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-stat]')].map(({ dataset }) => [
        dataset.stat,
        Number(dataset.value),
      ]),
    );
    const [stats] = await asked<Record<string, number>>(place, 'stats', session);
    const { decisions, phases, longest_line: longest } = stats as unknown as Record<string, Record<string, number>>;
    const sums = ['duration', 'turns', 'steps', 'calls', 'errors', 'retries'].map((name) => [name, stats![name]]);
    const approvals = Object.values(decisions!).reduce((sum, n) => sum + n, 0);
    const wanted = [
      ...sums,
      ['approvals', approvals],
      ...Object.entries(phases!).map(([name, value]) => [`phases.${name}`, value]),
    ];
    if (longest) wanted.push(['longest_line', longest.size]);
    // What is zero need not be shown.
    const some = (all: unknown[][]) => Object.fromEntries(all.filter(([, value]) => value !== 0 && value !== null));
    const names = wanted.map(([name]) => name);
    expect(some(shown.filter(([name]) => names.includes(name!))), session).toEqual(some(wanted));
    const head = await page.locator('.head-numbers').textContent();
    // The header leaves out what there is none of.
    for (const [name, word] of [
      ['turns', 'turn'],
      ['steps', 'step'],
    ] as const)
      if (stats![name]! > 0)
        expect(head, `${session} ${name}`).toMatch(
          new RegExp(`(?:^|\\D)${stats![name]!.toLocaleString('en')} ${word}`),
        );
  }

  async function expectApprovals(page: Page, { summary: { session } }: Exported): Promise<void> {
    const rows = await asked<Record<'tool' | 'decision' | 'by' | 'executed', string> & { f: number }>(
      place,
      'approvals',
      session,
    );
    // If there is nothing else, the page shows questions, hooks and the like.
    if (rows.length === 0) rows.push(...(await asked<(typeof rows)[number]>(place, 'approvals', session, '--all')));
    await page.locator('#tab-approvals').click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('.approvals [role=row][data-f]:not([hidden])').length === count,
      rows.length,
    );
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.approvals [role=row][data-f]')]
        .filter(({ hidden }) => !hidden)
        .map((row) => ({ f: Number(row.dataset.f), says: row.getAttribute('aria-label')! })),
    );
    const { decisions, deciders, ran } = APPROVAL_WORDS.en;
    const said = (row: (typeof rows)[number]) => [
      ...(row.tool === null ? [] : [row.tool]),
      ...(row.decision === 'none' ? [] : [decisions[row.decision as keyof typeof decisions]]),
      ...[deciders[row.by as keyof typeof deciders], ran[row.executed as keyof typeof ran]],
    ];
    const inOrder = shown.sort((a, b) => a.f - b.f);
    expect(
      inOrder.map(({ f }) => f),
      session,
    ).toEqual(rows.map(({ f }) => f).sort((a, b) => a - b));
    for (const row of rows) {
      const labels = inOrder.filter(({ f }) => f === row.f).map(({ says }) => says);
      expect(
        labels.some((label) => said(row).every((word) => label.includes(word))),
        `${labels} ${said(row)}`,
      ).toBe(true);
    }
  }

  async function expectQueries(page: Page, { summary: { session, frames } }: Exported): Promise<void> {
    await page.locator('#tab-frames').click();
    await page.locator('.frames-row').first().waitFor();
    expect((await ask(page, '')).count).toBe(`${frames.toLocaleString('en')} frame${frames === 1 ? '' : 's'}`);
    for (let i = 0; i < QUERIES; i++) {
      // A minus at the start would be an option.
      const query = printQuery(parseQuery(randomQuery(random, stock)));
      const found = await asked<{ f: number }>(place, 'filter', query, session, '--limit', '100000');
      const answer = await ask(page, query);
      expect({ ...answer, count: 0 }, `${query} in ${session}`).toEqual({
        error: null,
        count: 0,
        frames: found.map(({ f }) => f),
      });
      asks++;
      hits += found.length > 0 && found.length < frames ? 1 : 0;
    }
    await ask(page, '');
  }

  /** By the button in the header. */
  async function expectTape(page: Page, { summary: { session, tape } }: Exported): Promise<void> {
    const coming = page.waitForEvent('download');
    await page.locator('.head-tools button').first().click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(`${session}.jsonl`);
    expect(readFileSync(await download.path()).equals(readFileSync(tape)), session).toBe(true);
  }

  it('has three of each', () => {
    const counts = Object.fromEntries([...pages].map(([dialect, all]) => [dialect, all.length]));
    expect(counts).toEqual(Object.fromEntries(DIALECTS.map(({ name }) => [name, 3])));
  });

  it.each(sample(DIALECTS, 7).map(({ name }) => name))('%s', async (dialect) => {
    const [first] = pages.get(dialect)!;
    const page = await tabs.open(first!.file, { acceptDownloads: true });
    for (const one of sample(pages.get(dialect)!, 1)) {
      await page.setViewportSize(windowFor(one.summary.frames));
      await tabs.go(page, one.file, 'v=frames');
      await expectQueries(page, one);
      await expectNumbers(page, one);
      await expectApprovals(page, one);
      await expectTape(page, one);
    }
  });

  it('has asked queries of which many found something', () => {
    expect(asks).toBeGreaterThanOrEqual(runsAll ? 200 : 25);
    // They come by chance, from the words of all sessions: most find nothing in three.
    expect(hits).toBeGreaterThan(asks / 20);
  });
});
