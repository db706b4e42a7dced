/** Everything in a page can be done by keys, and each does what the help says. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSession } from '../support/session.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { ask } from './support/ask.ts';
import { attack } from './support/hostile.ts';
import { asked, exportPage, UNREDACTED } from './support/pages.ts';
import { Reader } from './support/reader.ts';
import { inBrowser } from './support/tabs.ts';

const TOUR = fileURLToPath(new URL('../../samples/tapes/tour.jsonl', import.meta.url));

inBrowser('keys', (tabs) => {
  let place: Place;
  let file: string;
  /** It has findings. */
  let broken: { file: string; tape: string };

  beforeAll(async () => {
    place = makePlace();
    const { tape } = makeSession(place.home, (journal) => attack(journal), { about: { command: ['kimi', '--wire'] } });
    broken = { tape, file: await exportPage(place, [tape], 'broken', ...UNREDACTED) };
    file = await exportPage(place, [TOUR], 'tour', ...UNREDACTED);
  });

  afterAll(() => removePlace(place));

  const open = async (hash: string, of = file) =>
    new Reader(await tabs.open(of, { hash, permissions: ['clipboard-read', 'clipboard-write'] }));

  const framesOf = async (query: string, tape = TOUR) =>
    (await asked<{ f: number }>(place, 'filter', query, tape, '--limit', '100000')).map(({ f }) => f);

  describe('that move', () => {
    it('go through the frames', async () => {
      const reader = await open('v=frames');
      await reader.sees('.frames-row');
      const last = (await framesOf('f:*')).at(-1)!;
      await reader.press('j');
      await reader.isAt(1);
      await reader.press('j', 'ArrowDown');
      await reader.isAt(3);
      await reader.press('k', 'ArrowUp');
      await reader.isAt(1);
      await reader.press('G');
      await reader.isAt(last);
      await reader.press('g', 'g');
      await reader.isAt(1);
      await reader.press('End');
      await reader.isAt(last);
      await reader.press('Home');
      await reader.isAt(1);
      for (const [down, up] of [
        [' ', 'Shift+Space'],
        ['PageDown', 'PageUp'],
      ] as const) {
        await reader.press(down);
        const page = (await reader.selected())!;
        expect(page, down).toBeGreaterThan(10);
        await reader.press(up);
        await reader.isAt(1);
      }
      await reader.isOn('.frames-row[data-f="1"]');
    });

    it.each([
      ['timeline', '.tl-row'],
      ['conversation', '.talk-entry'],
      ['frames', '.frames-row'],
      ['approvals', '.table-row'],
    ])('begin with the first row: %s', async (view, row) => {
      const reader = await open(`v=${view}`);
      await reader.sees(`${row}[data-f]`);
      const rows = await reader.page
        .locator(`${row}[data-f]:visible`)
        .evaluateAll((all) => all.map((one) => Number((one as HTMLElement).dataset.f)).sort((a, b) => a - b));
      await reader.press('j');
      await reader.page.waitForFunction((f) => location.hash.startsWith(`#f${f}`), rows[0]!);
      await reader.press('j');
      await reader.page.waitForFunction((f) => location.hash.startsWith(`#f${f}`), rows[1]!);
    });

    it('open and close the tree', async () => {
      const reader = await open('v=timeline');
      await reader.sees('[role=treegrid] [role=row]');
      const rows = () => reader.page.locator('[role=treegrid]').getAttribute('aria-rowcount').then(Number);
      const all = await rows();
      await reader.press(']');
      const few = await rows();
      expect(few).toBeLessThan(all);
      await reader.press('o');
      expect(await rows()).toBeGreaterThan(few);
      await reader.press('p');
      expect(await rows()).toBe(few);
      await reader.press('[');
      expect(await rows()).toBe(all);
      const [turn] = await framesOf('kind:prompt');
      await reader.press('Home', 't');
      await reader.isAt(turn!);
      const level = () => reader.page.evaluate(() => document.activeElement!.getAttribute('aria-level'));
      expect(await level()).toBe('1');
      await reader.press('l');
      expect(await level()).toBe('2');
      await reader.press('h', 'h');
      expect(await level()).toBe('1');
      expect(await rows()).toBeLessThan(all);
      await reader.press('ArrowRight');
      expect(await rows()).toBe(all);
      await reader.press('ArrowRight', 'ArrowLeft', 'ArrowLeft');
      expect(await rows()).toBeLessThan(all);
    });

    it('open the details and go there', async () => {
      const reader = await open('f20&v=frames');
      await reader.isAt(20);
      await reader.press('v');
      await reader.seesNo('#detail');
      await reader.press('Enter');
      await reader.sees('#detail');
      await reader.press('Enter');
      await reader.isOn('#detail');
      await reader.press('F6');
      await reader.isOn('#query');
      await reader.press('F6');
      await reader.isOn('#view');
      await reader.press('Shift+F6');
      await reader.isOn('#query');
    });
  });

  describe('that jump', () => {
    it.each([
      ['errors', 'e', 'E', 'is:error'],
      ['approvals and questions', 'a', 'A', 'kind:approval,question'],
      ['turns', 't', 'T', 'kind:prompt'],
    ])('to %s', async (_name, next, last, query) => {
      const frames = await framesOf(query);
      const reader = await open('f1&v=frames');
      await reader.isAt(1);
      await reader.press(next);
      await reader.isAt(frames[0]!);
      await reader.press(next);
      await reader.isAt(frames[1]!);
      await reader.press(last);
      await reader.isAt(frames[0]!);
    });

    it('to findings', async () => {
      const found = await asked<{ f: number }>(place, 'check', broken.tape);
      const frames = new Set(found.map(({ f }) => f));
      const reader = await open('f1&v=frames', broken.file);
      await reader.isAt(1);
      const seen: number[] = [];
      for (let i = 0; i < 3; i++) {
        const before = (await reader.selected())!;
        await reader.press('f');
        await reader.page.waitForFunction((f) => !location.hash.startsWith(`#f${f}&`), before);
        seen.push((await reader.selected())!);
      }
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
      expect(frames.size).toBeGreaterThan(3);
      await reader.press('F');
      await reader.isAt(seen[1]!);
    });

    it('to the partner and what contains it', async () => {
      const [asking] = await asked<{ f: number; pair_f: number }>(place, 'filter', 'kind:approval', TOUR);
      const { f, pair_f } = asking!;
      const reader = await open(`f${f}&v=frames`);
      await reader.isAt(f);
      await reader.press('x');
      await reader.isAt(pair_f);
      await reader.press('x');
      await reader.isAt(f);
      await reader.page.goBack();
      await reader.isAt(pair_f);
      await reader.page.goBack();
      await reader.isAt(f);
      await reader.press('u');
      await reader.page.waitForFunction((one) => !location.hash.startsWith(`#f${one}&`), f);
      expect(await reader.selected()).toBeLessThan(f);
    });

    it('to a frame, a turn or a time', async () => {
      const turns = await framesOf('kind:prompt');
      const reader = await open('v=frames');
      const go = async (where: string) => {
        await reader.press(':');
        await reader.sees('dialog[open]');
        await reader.page.keyboard.type(where);
        await reader.press('Enter');
        await reader.seesNo('dialog[open]');
      };
      await go('123');
      await reader.isAt(123);
      await go('f45');
      await reader.isAt(45);
      await go('t3');
      await reader.isAt(turns[2]!);
      await go('700ms');
      const [later] = await asked<{ f: number; t: number }>(place, 'filter', 't:699ms..701ms', TOUR);
      expect(Math.abs((await reader.selected())! - later!.f)).toBeLessThan(5);
    });
  });

  describe('of the query', () => {
    it('write it, walk through matches, clear and leave it', async () => {
      const frames = await framesOf('tool:Shell');
      const reader = await open('v=frames');
      await reader.press('/');
      await reader.isOn('#query');
      await reader.page.keyboard.type('tool:Shell');
      await reader.sees('[role=listbox]#query-list [role=option]');
      await reader.page.waitForFunction(
        (n) => document.querySelector('.query-count')!.textContent!.startsWith(`${n} `),
        frames.length,
      );
      await reader.press('Escape');
      await reader.seesNo('#query-list');
      await reader.press('Escape');
      expect(await reader.page.locator('#query').inputValue()).toBe('');
      await ask(reader.page, 'tool:Shell');
      await reader.page.locator('#tab-frames').focus();
      await reader.press('n');
      await reader.isAt(frames[0]!);
      await reader.press('n');
      await reader.isAt(frames[1]!);
      await reader.press('N');
      await reader.isAt(frames[0]!);
      await reader.press('i');
      await reader.page.waitForFunction(() => document.querySelectorAll('.frames-row:not([hidden])').length > 20);
      await reader.press('i', '/', 'Escape', 'Escape');
      await reader.isOn('#view');
    });

    it('show an error at its place, and keep what was found', async () => {
      const reader = await open('v=frames');
      const { frames } = await ask(reader.page, 'tool:Shell');
      const answer = await ask(reader.page, 'tool:Shell tol:x');
      expect(answer.error).toContain('unknown qualifier "tol"');
      expect(answer.frames).toEqual(frames);
      await reader.sees('#query[aria-invalid=true]');
    });
  });

  describe('that show', () => {
    it('change the view', async () => {
      const reader = await open('');
      for (const [i, name] of ['timeline', 'conversation', 'frames', 'approvals', 'findings', 'stats'].entries()) {
        await reader.press(`${i + 1}`);
        await reader.isIn(name);
        if (i > 0) await reader.isLinked(`v=${name}`);
      }
    });

    it('change the view, which gets the focus', async () => {
      const own: Record<string, string> = {
        ...{ timeline: '.tl-row', conversation: '.talk-entry', frames: '.frames-row', approvals: '.table-row' },
        ...{ findings: '.findings :is(summary, button)', stats: '.stats' },
      };
      for (const [of, hash] of [
        [file, 'f60'],
        [broken.file, ''],
      ] as const) {
        const reader = await open(hash, of);
        // Twice: when a view is made, and when it is shown again.
        for (const key of [2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1]) {
          const name = Object.keys(own)[key - 1]!;
          await reader.press(`${key}`);
          await reader.isIn(name);
          await reader.isOn(of === file && name === 'findings' ? '.findings' : own[name]!);
        }
      }
    });

    it('zoom', async () => {
      const reader = await open('f60&v=timeline');
      await reader.sees('[role=treegrid] [role=row]');
      await reader.press('+');
      await reader.isLinked('z=');
      const zoom = () => reader.page.evaluate(() => /z=([^&]*)/.exec(location.hash)?.[1] ?? null);
      const first = await zoom();
      await reader.press('+');
      await reader.page.waitForFunction((before) => !location.hash.includes(`z=${before}`), first);
      await reader.press('-');
      await reader.isLinked(`z=${first!.split('.')[0]}`);
      await reader.press('0');
      await reader.page.waitForFunction(() => !location.hash.includes('z='));
      await reader.press('z');
      await reader.isLinked('z=');
    });

    it('the raw line, and two frames side by side', async () => {
      const reader = await open('f60&v=frames');
      await reader.isAt(60);
      const tab = () => reader.page.locator('#detail [role=tab][aria-selected=true]').textContent();
      await reader.sees('#detail [role=tab]');
      expect(await tab()).toContain('View');
      await reader.press('r');
      await reader.page.waitForFunction(() =>
        document.querySelector('#detail [role=tab][aria-selected=true]')!.textContent!.includes('Raw'),
      );
      await reader.press('r', 'm');
      await reader.hears('f60 is marked');
      await reader.press('j', 'd');
      await reader.page.waitForFunction(() =>
        /f60[\s\S]*f61|f61[\s\S]*f60/.test(document.querySelector('#detail')!.textContent!),
      );
    });

    it('help and the palette', async () => {
      const reader = await open('v=frames');
      await reader.press('?');
      await reader.sees('dialog.help[open]');
      const help = await reader.page.locator('dialog.help').textContent();
      for (const said of ['next row', 'next error', 'copy a link', 'page down']) expect(help).toContain(said);
      await reader.press('Escape');
      await reader.seesNo('dialog.help');
      await reader.press('Control+k');
      await reader.sees('dialog.palette[open]');
      await reader.page.keyboard.type('approvals');
      await reader.press('Enter');
      await reader.seesNo('dialog.palette');
      await reader.isIn('approvals');
    });

    it('nothing if the reader has switched letters off', async () => {
      const reader = await open('f20&v=frames');
      await reader.isAt(20);
      await reader.press('?');
      await reader.page.locator('dialog.help input[type=checkbox]').first().click();
      await reader.press('Escape');
      await reader.press('j');
      await reader.press('ArrowDown');
      await reader.isAt(21);
    });
  });

  it('copy and keep', async () => {
    const reader = await open('f60&v=frames');
    await reader.isAt(60);
    await reader.press('y', 'l');
    await reader.hears('Copied: the link');
    expect(await reader.clipboard()).toMatch(/\/tour\.html#f60&v=frames$/);
    await reader.press('y', 'j');
    await reader.hears('as it was sent');
    expect(JSON.parse(await reader.clipboard())).toMatchObject({ jsonrpc: '2.0', method: 'event' });
    await reader.press('y', 'm');
    await reader.page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('f60'));
    expect(await reader.clipboard()).not.toMatch(/^\{/);
    await reader.press('y', 'p');
    await reader.press('b');
    await reader.isLinked('b=60');
    await reader.press('b');
    await reader.page.waitForFunction(() => !location.hash.includes('b='));
  });
});
