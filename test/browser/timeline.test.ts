/** The timeline: its rows say what its bars show, time is zoomed and folded, and what never ended is drawn to the end. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestJournal } from '../support/journal.ts';
import { makeSession, rpc } from '../support/session.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { asked, exportPage } from './support/pages.ts';
import { inBrowser } from './support/tabs.ts';

const TOUR = fileURLToPath(new URL('../../samples/tapes/tour.jsonl', import.meta.url));

/** Two turns with ten idle minutes between them; the second waits for an approval that never comes. */
function slowTalk(journal: TestJournal): void {
  const say = (from: 'client' | 'agent', second: number, message: Record<string, unknown>) =>
    journal.data(from, second * 1e6, rpc(message));
  const event = (second: number, type: string, payload: unknown) =>
    say('agent', second, { method: 'event', params: { type, payload } });
  journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
  say('client', 1, { id: 'p1', method: 'prompt', params: { user_input: 'Say something.' } });
  event(1.1, 'TurnBegin', { user_input: 'Say something.' });
  event(1.2, 'StepBegin', { n: 1 });
  event(2, 'ContentPart', { type: 'text', text: 'Something.' });
  event(9, 'TurnEnd', {});
  say('agent', 10, { id: 'p1', result: { status: 'finished' } });
  say('client', 610, { id: 'p2', method: 'prompt', params: { user_input: 'Remove it.' } });
  event(610.1, 'TurnBegin', { user_input: 'Remove it.' });
  event(610.2, 'StepBegin', { n: 1 });
  const call = { type: 'function', id: 'c1', function: { name: 'Shell', arguments: '{"command":"rm x"}' } };
  event(612, 'ToolCall', { ...call, extras: null });
  const about = { id: 'a1', tool_call_id: 'c1', sender: 'Shell', action: 'run', description: 'rm x', display: [] };
  say('agent', 613, { id: 'a1', method: 'request', params: { type: 'ApprovalRequest', payload: about } });
  journal.exit(630e6);
}

inBrowser('the timeline', (tabs) => {
  let place: Place;
  let tour: string;
  let slow: string;

  beforeAll(async () => {
    place = makePlace();
    const { tape } = makeSession(place.home, slowTalk, { about: { command: ['kimi', '--wire'] } });
    tour = await exportPage(place, [TOUR], 'tour');
    slow = await exportPage(place, [tape], 'slow');
  });

  afterAll(() => removePlace(place));

  const open = async (file: string, hash = '', look = {}): Promise<Page> => {
    const page = await tabs.open(file, { hash, ...look });
    await page.locator('.tl-row').first().waitFor();
    return page;
  };
  const count = (page: Page): Promise<number> =>
    page.locator('.tl-grid').evaluate((grid) => Number(grid.getAttribute('aria-rowcount')));
  const hasCount = (page: Page, n: number): Promise<unknown> =>
    page.locator(`.tl-grid[aria-rowcount="${n}"]`).waitFor();
  /** The part of the session in sight, in seconds. */
  const windowIn = (page: Page): Promise<[number, number]> =>
    page
      .locator('.tl-edge')
      .evaluateAll(([start, end]) => [start, end].map((edge) => Number(edge!.getAttribute('aria-valuenow'))) as never);
  const row = (page: Page, kind: string, text: string) =>
    page.locator(`.tl-row[data-kind="${kind}"]:not([hidden])`, { hasText: text }).first();
  /** Whether something is drawn in a row at a share of the time axis. */
  const isDrawn = (page: Page, kind: string, share: number): Promise<boolean> =>
    page.evaluate(
      ([wanted, at]) => {
        const canvas = document.querySelector<HTMLCanvasElement>('.tl-bars')!;
        const element = document.querySelector(`.tl-row[data-kind="${wanted}"]:not([hidden])`)!;
        const { left, top } = canvas.getBoundingClientRect();
        const place = element.getBoundingClientRect();
        const edges = [...document.querySelectorAll('.tl-edge')].map((edge) => edge.getBoundingClientRect().left + 6);
        const x = edges[0]! + (edges[1]! - edges[0]!) * (at as number) - left;
        const y = place.top + place.height / 2 - 3 - top;
        const copy = document.createElement('canvas').getContext('2d')!;
        copy.drawImage(canvas, x - 3, y, 6, 6, 0, 0, 6, 6);
        const { data } = copy.getImageData(0, 0, 6, 6);
        return data.some((value, n) => n % 4 === 3 && value > 60);
      },
      [kind, share] as const,
    );

  describe('the tree', () => {
    it('has a row for each that the command shows, and says where each is', async () => {
      // High enough for all rows.
      const page = await open(tour, '', { viewport: { width: 1280, height: 6000 } });
      const shown = await asked<{ is: string; kind: string }>(place, 'show', TOUR);
      for (const kind of ['turn', 'step', 'prompt', 'text', 'thinking', 'tool-call', 'approval', 'question']) {
        const wanted = shown.filter((one) => (one.is === 'item' ? one.kind : one.is) === kind).length;
        expect(await page.locator(`.tl-row[data-kind="${kind}"]:not([hidden])`).count(), kind).toBe(wanted);
      }
      const turn = row(page, 'turn', 'What is in this project?');
      expect(await turn.getAttribute('aria-level')).toBe('1');
      expect(await turn.getAttribute('aria-expanded')).toBe('true');
      const call = row(page, 'tool-call', 'npm test');
      expect(await call.getAttribute('aria-level')).toBe('3');
      expect(await call.getAttribute('aria-posinset')).toBe('2');
      expect(await call.getAttribute('aria-setsize')).toBe('2');
      expect(await call.getAttribute('aria-label')).toMatch(
        /^f\d+, tool call, Shell .*npm test.*, waited .*, ran .*, error/,
      );
    });

    it('closes and opens rows and keeps the focus on them', async () => {
      const page = await open(tour);
      const all = await count(page);
      const turn = row(page, 'turn', 'What is in this project?');
      await turn.click();
      await page.keyboard.press('ArrowLeft');
      await page.locator('.tl-row[aria-expanded=false]').first().waitFor();
      expect(await count(page)).toBeLessThan(all);
      expect(await turn.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press('ArrowRight');
      await hasCount(page, all);
      await turn.locator('.tl-twisty').click();
      await page.locator('.tl-row[aria-expanded=false]').first().waitFor();
      await page.getByRole('button', { name: 'Expand all' }).click();
      await hasCount(page, all);
    });

    it('keeps the row with the focus when it is scrolled away', async () => {
      const page = await open(tour);
      await row(page, 'handshake', 'initialize').click();
      await page.locator('.tl-grid').evaluate((grid) => {
        grid.scrollTop = grid.scrollHeight;
      });
      await row(page, 'process', 'exit').waitFor();
      expect(await page.evaluate(() => document.activeElement?.getAttribute('data-kind'))).toBe('handshake');
    });

    it('hides what a query did not find, or only dims it; what is selected stays', async () => {
      const page = await open(tour, 'f2');
      const all = await count(page);
      await page.keyboard.press('/');
      await page.keyboard.type('tool:Shell');
      await page.keyboard.press('Enter');
      await page.locator('.tl-row:not([hidden]) .tl-pinned').waitFor();
      expect(await count(page)).toBeLessThan(all);
      expect(await page.locator('.tl-row[data-f="2"]:not([hidden])').count()).toBe(1);
      await page.getByRole('button', { name: 'Dim' }).click();
      await hasCount(page, all);
      await page.locator('.tl-row[data-out=all]:not([hidden])').first().waitFor();
    });
  });

  describe('time', () => {
    it('is zoomed by dragging, with the wheel and with keys', async () => {
      const page = await open(tour);
      const { x, y, width } = (await page.locator('.tl-axis-plot').boundingBox())!;
      const whole = await windowIn(page);
      await page.mouse.move(x + 100, y + 200);
      await page.mouse.down();
      await page.mouse.move(x + 200, y + 210, { steps: 3 });
      await page.mouse.up();
      const dragged = await windowIn(page);
      expect(dragged[1] - dragged[0]).toBeLessThan(whole[1] / 2);
      expect(dragged[0]).toBeGreaterThan(0);
      await page.keyboard.press('0');
      expect(await windowIn(page)).toEqual(whole);
      await page.mouse.move(x + width / 3, y + 200);
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -200);
      await page.keyboard.up('Control');
      await page.waitForFunction(() => location.hash.includes('z='));
      const turned = await windowIn(page);
      expect(turned[0]).toBeGreaterThan(0);
      await page.locator('.tl-axis-plot').focus();
      await page.keyboard.press('w');
      const nearer = await windowIn(page);
      expect(nearer[1] - nearer[0]).toBeLessThan(turned[1] - turned[0]);
      await page.keyboard.press('d');
      expect((await windowIn(page))[0]).toBeGreaterThan(nearer[0]);
    });

    it.each(['axis', 'bars'])('is zoomed and moved by w, a, s and d on the %s', async (where) => {
      const page = await open(tour);
      const { x, y, width } = (await page.locator('.tl-axis-plot').boundingBox())!;
      if (where === 'axis') await page.locator('.tl-axis-plot').focus();
      else await page.mouse.click(x + width / 2, y + 120);
      const windowAfter = async (key: string) => {
        await page.keyboard.press(key);
        const [from, to] = await windowIn(page);
        return { from, to, length: to - from };
      };
      const whole = await windowIn(page);
      const near = await windowAfter('w');
      expect(near.length).toBeLessThan(whole[1] - whole[0]);
      const right = await windowAfter('d');
      expect(right.from).toBeGreaterThan(near.from);
      expect(right.length).toBeCloseTo(near.length, 2);
      const left = await windowAfter('a');
      expect(left.from).toBeLessThan(right.from);
      expect(left.length).toBeCloseTo(near.length, 2);
      expect((await windowAfter('s')).length).toBeGreaterThan(left.length);
    });

    it('has a window on the overview, with a slider for each edge', async () => {
      const page = await open(tour);
      const whole = await windowIn(page);
      const [start, end] = [page.locator('.tl-edge').first(), page.locator('.tl-edge').last()];
      await start.focus();
      await page.keyboard.press('PageUp');
      await page.keyboard.press('ArrowRight');
      await end.focus();
      await page.keyboard.press('PageDown');
      const [from, to] = await windowIn(page);
      expect(from).toBeGreaterThan(0);
      expect(to).toBeLessThan(whole[1]);
      expect(await start.getAttribute('aria-valuetext')).toMatch(/^0:0\d\.\d{3}$/);
      await page.locator('.tl-brush').dblclick({ position: { x: 150, y: 20 } });
      expect(await windowIn(page)).toEqual(whole);
    });

    it('is folded where nothing is open', async () => {
      const page = await open(slow);
      const button = page.getByRole('button', { name: 'Fold idle time' });
      expect(await button.getAttribute('aria-pressed')).toBe('true');
      expect(await isDrawn(page, 'turn', 0.25)).toBe(true);
      await button.click();
      // Without folds, the first turn is the first sixtieth of the axis.
      expect(await isDrawn(page, 'turn', 0.25)).toBe(false);
    });

    it('has no folds to toggle where nothing was idle', async () => {
      const page = await open(tour);
      expect(await page.getByRole('button', { name: 'Fold idle time' }).count()).toBe(0);
    });
  });

  describe('bars', () => {
    it('of what never ended go to the end of the recording, and their rows say so', async () => {
      const page = await open(slow);
      expect(await row(page, 'approval', 'rm x').getAttribute('aria-label')).toMatch(/waited 1\d\.\d+ s, no answer/);
      expect(await row(page, 'tool-call', 'Shell').getAttribute('aria-label')).toContain('no result');
      for (const kind of ['approval', 'tool-call']) expect(await isDrawn(page, kind, 0.97), kind).toBe(true);
    });

    it('tell their exact times, waiting apart from running', async () => {
      const page = await open(tour);
      const call = row(page, 'tool-call', 'npm test');
      await call.locator('.tl-plot').hover({ position: { x: 200, y: 12 } });
      const tip = page.locator('.tl-tip');
      await tip.waitFor({ state: 'visible' });
      const parts = await tip.locator('tr').evaluateAll((lines) => lines.map((line) => line.getAttribute('data-part')));
      expect(parts).toEqual(expect.arrayContaining(['args', 'waiting', 'running', 'total']));
      expect(await tip.textContent()).toMatch(/\d:\d\d\.\d{3} – \d:\d\d\.\d{3}/);
      await page.keyboard.press('Escape');
      await tip.waitFor({ state: 'hidden' });
    });
  });

  describe('lanes and tokens', () => {
    it('select what is clicked, and can be read as tables', async () => {
      const page = await open(slow);
      await page.getByRole('button', { name: 'Lanes' }).click();
      const plot = page.locator('.tl-lane-plot');
      const { width } = (await plot.boundingBox())!;
      const names = await page.locator('.tl-lane-word').allTextContents();
      expect(names).toEqual(expect.arrayContaining(['client', 'agent', 'tools', 'approvals']));
      const { y } = (await page.locator('.tl-lane-name', { hasText: 'approvals' }).boundingBox())!;
      await plot.click({ position: { x: width * 0.7, y: y - (await plot.boundingBox())!.y + 8 } });
      await page.locator('.tl-row[data-kind=approval][aria-selected=true]').waitFor();
      await page.locator('.tl-lanes').getByRole('button', { name: 'View as table' }).click();
      expect(await page.locator('.tl-lanes tbody tr', { hasText: 'approval' }).count()).toBeGreaterThan(0);
    });

    it('list what the session used', async () => {
      const page = await open(tour);
      await page.getByRole('button', { name: 'Tokens' }).click();
      await page.locator('.tl-usage').getByRole('button', { name: 'View as table' }).click();
      const line = page.locator('.tl-usage tbody tr').first();
      await line.locator('.tl-link').click();
      const f = await line.locator('.tl-link').getAttribute('data-f');
      await page.waitForFunction((wanted) => location.hash.startsWith(`#f${wanted}`), f);
    });
  });

  it('shows the tree or the waterfall on a narrow screen', async () => {
    const page = await open(tour, '', { viewport: { width: 390, height: 800 } });
    await page.locator('.tl-time:visible').first().waitFor();
    expect(await page.locator('.tl-bars').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Waterfall' }).click();
    await page.locator('.tl-bars').waitFor({ state: 'visible' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
