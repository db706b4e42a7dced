/**
 * Recorded text is hostile. A page shows it as text: nothing of it becomes an element, a link, a request or a control
 * character, in any view. Whatever a page does wrong besides fails every test here (see support/tabs.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wiretape } from '../support/run.ts';
import { makeSession } from '../support/session.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { attack, PRINTABLE, UNPRINTABLE } from './support/hostile.ts';
import { asked, exportPage, UNREDACTED } from './support/pages.ts';
import { Reader } from './support/reader.ts';
import { inBrowser } from './support/tabs.ts';

const about = { command: ['kimi', '--wire', PRINTABLE[0]!], cwd: `/${PRINTABLE[2]}` };

inBrowser('a session of attacks', (tabs) => {
  let place: Place;
  let file: string;
  let both: string;
  let tape: string;

  beforeAll(async () => {
    place = makePlace();
    const names = { name: PRINTABLE[0]!, tags: { [PRINTABLE[2]!]: PRINTABLE[3]! } };
    ({ tape } = makeSession(place.home, (journal) => attack(journal), { about, names }));
    const other = makeSession(place.home, (journal) => attack(journal, ' twisted'), {
      id: '20261116T022912-k3f0',
      about,
    });
    file = await exportPage(place, ['20261116T022911-k3f9'], 'attack', ...UNREDACTED);
    both = await exportPage(place, [tape, other.tape], 'both', ...UNREDACTED);
  });

  afterAll(() => removePlace(place));

  /** What must be in no page, whatever was recorded. */
  async function expectHarmless(page: Page): Promise<void> {
    const found = await page.evaluate(() => {
      const bad: string[] = [];
      const HOSTILE =
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]|\udb40|\p{Surrogate}/u;
      for (const element of document.body.querySelectorAll('*')) {
        if (
          element.matches(
            'iframe, object, embed, a[href], form, link, meta, base, style, frame, audio, video, script[src], img:not([src^="blob:"])',
          )
        )
          bad.push(element.outerHTML.slice(0, 200));
        for (const { name, value } of element.attributes) {
          if (/^on|^(?:src|href|action|srcdoc|style)$/.test(name) && !/^blob:/.test(value) && name !== 'style')
            bad.push(`${name}=${value}`.slice(0, 200));
          if (HOSTILE.test(value)) bad.push(`${element.tagName} ${name}: ${JSON.stringify(value).slice(0, 200)}`);
        }
      }
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode())
        if (node.parentElement!.tagName !== 'SCRIPT' && HOSTILE.test(node.nodeValue!))
          bad.push(JSON.stringify(node.nodeValue).slice(0, 200));
      if ('polluted' in {}) bad.push('a key of a message is in every object');
      return bad.slice(0, 5);
    });
    expect(found).toEqual([]);
  }

  describe.each([
    ['one', () => file, ['timeline', 'conversation', 'frames', 'approvals', 'findings', 'stats']],
    ['two', () => both, ['diff', 'timeline', 'conversation', 'frames', 'approvals', 'findings', 'stats']],
  ] as const)('in a page of %s', (_name, of, views) => {
    it.each(views)('shows attacks as text in %s', async (view) => {
      const page = await tabs.open(of(), { hash: `v=${view}`, viewport: { width: 1280, height: 4000 } });
      await page.locator('#view [data-f], #view section').filter({ visible: true }).first().waitFor();
      // Texts come in pieces; the first attack is in every view.
      const isSaid = (text: string) =>
        page.waitForFunction((wanted) => document.querySelector('#view')!.textContent!.includes(wanted), text);
      if (view !== 'stats' && view !== 'findings') await isSaid(PRINTABLE[0]!.slice(0, 20));
      await expectHarmless(page);
    });
  });

  it('shows every attack in the details, rendered and raw', async () => {
    const results = await asked<{ f: number }>(place, 'filter', 'kind:tool-result', tape, '--limit', '1000');
    const page = await tabs.open(file, { hash: `f${results[0]!.f}&v=frames`, viewport: { width: 1280, height: 2000 } });
    const reader = new Reader(page);
    const attacks = [...PRINTABLE, ...UNPRINTABLE.map(({ word }) => word)];
    expect(results).toHaveLength(attacks.length);
    for (const [i, text] of attacks.entries()) {
      await page.evaluate((f) => {
        location.hash = `f${f}&v=frames`;
      }, results[i]!.f);
      await reader.isAt(results[i]!.f);
      await page.waitForFunction((wanted) => document.querySelector('#detail')!.textContent!.includes(wanted), text);
      await expectHarmless(page);
      await reader.press('r');
      const raw = JSON.stringify(text).slice(1, -1);
      await page.waitForFunction(
        ([a, b]) => [a!, b!].some((wanted) => document.querySelector('#detail')!.textContent!.includes(wanted)),
        [text, raw],
      );
      await expectHarmless(page);
      await reader.press('r');
    }
  });

  it('shows what is no message: nesting, bytes, odd keys and numbers', async () => {
    const frames = await asked<{ f: number }>(place, 'filter', 'f:*', tape, '--limit', '10000');
    const last = frames.slice(-8).map(({ f }) => f);
    const page = await tabs.open(file, { hash: `f${last[0]}&v=frames` });
    const reader = new Reader(page);
    for (const f of last) {
      await page.evaluate((to) => {
        location.hash = `f${to}&v=frames`;
      }, f);
      await reader.isAt(f);
      await page.waitForFunction((to) => document.querySelector('#detail')!.textContent!.includes(`f${to}`), f);
      await expectHarmless(page);
      await reader.press('r');
      await expectHarmless(page);
    }
    const detail = () => page.locator('#detail').textContent();
    expect(await detail()).not.toBe('');
  });

  it('prints attacks as text', async () => {
    const page = await tabs.open(file, { hash: 'v=conversation' });
    const handle = await page.waitForFunction((wanted) => {
      dispatchEvent(new Event('beforeprint'));
      const text = document.querySelector('.print')?.textContent ?? '';
      if (text.includes(wanted)) return text;
      dispatchEvent(new Event('afterprint'));
      return null;
    }, PRINTABLE.at(-1)!);
    await expectHarmless(page);
    const text = (await handle.jsonValue())!;
    for (const one of PRINTABLE) expect(text).toContain(one);
  });

  it('has a title and a summary without elements of its own', async () => {
    const page = await tabs.openStill(file);
    expect(await page.title()).toContain('</script>');
    expect(await page.locator('noscript').first().textContent()).toContain('<img src=x');
  });

  it('gives the very tape back, by its button and by the program', async () => {
    const page = await tabs.open(file);
    const coming = page.waitForEvent('download');
    await page.locator('.head-tools button').first().click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^[\w.-]+\.jsonl$/);
    const bytes = readFileSync(tape);
    expect(readFileSync(await download.path()).equals(bytes)).toBe(true);
    const out = join(place.dir, 'out.jsonl');
    const { code } = await wiretape(place, ['export', file, '--format', 'jsonl', '-o', out]);
    expect(code).toBe(0);
    expect(readFileSync(out).equals(bytes)).toBe(true);
    expect((await wiretape(place, ['verify', file])).code).toBe(0);
  });

  it('is the same page each time', async () => {
    const again = await exportPage(place, ['20261116T022911-k3f9'], 'again', ...UNREDACTED);
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
  });
});
