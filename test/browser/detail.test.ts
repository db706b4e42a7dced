/** The detail pane, the conversation and print: what was recorded, readable and to the byte. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestJournal } from '../support/journal.ts';
import { makeSession, rpc } from '../support/session.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { exportPage, UNREDACTED } from './support/pages.ts';
import { inBrowser } from './support/tabs.ts';

const TOUR = fileURLToPath(new URL('../../samples/tapes/tour.jsonl', import.meta.url));

const NUMBER_ID = fileURLToPath(new URL('../../samples/tapes/number-id.jsonl', import.meta.url));

/** A picture of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const LONG = Array.from({ length: 900 }, (_, i) => `line ${i}`).join('\n');
const ODD =
  '{"jsonrpc":"2.0","method":"event","params":{"n":12345678901234567890,"x":1e400,"x":2,"in":"{\\"a\\":[1,2]}"}}';
const DEEP = `{"jsonrpc":"2.0","method":"event","params":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
const BIG = JSON.stringify({
  jsonrpc: '2.0',
  method: 'event',
  params: Array.from({ length: 40_000 }, (_, i) => `v${i}`),
});

/** A turn with a call whose result has colours, a long change and a picture, then lines of all sorts. */
function richTalk(journal: TestJournal): void {
  let second = 1;
  const raw = (text: string) => {
    second += 0.1;
    journal.data('agent', second * 1e6, Buffer.from(`${text}\n`));
  };
  const event = (type: string, payload: unknown) =>
    raw(JSON.stringify({ jsonrpc: '2.0', method: 'event', params: { type, payload } }));
  journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
  journal.data('client', 1e6, rpc({ id: 'p1', method: 'prompt', params: { user_input: 'Do **it**.' } }));
  event('TurnBegin', { user_input: 'Do **it**.' });
  event('StepBegin', { n: 1 });
  event('ContentPart', { type: 'text', text: '# Done\n\nSee [here](javascript:alert(1)) and <b>this</b>.' });
  event('ToolCall', { type: 'function', id: 'c1', function: { name: 'Edit', arguments: '{"path":"a.txt"}' } });
  const display = [{ type: 'diff', path: 'a.txt', old_text: '', new_text: LONG }];
  const output = [
    { type: 'text', text: '\x1b[31mred\x1b[0m\x1b[2J and \x1b[8mconcealed\x1b[0m' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
    { type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,PHN2Zy8+' } },
  ];
  event('ToolResult', { tool_call_id: 'c1', return_value: { is_error: false, output, message: '', display } });
  raw(ODD);
  raw(DEEP);
  raw(BIG);
  journal.data('agent', 5e6, Buffer.from([0x61, 0xff, 0x0a]));
  event('TurnEnd', {});
  raw(JSON.stringify({ jsonrpc: '2.0', id: 'p1', result: { status: 'finished' } }));
  journal.exit(9e6);
}

/** A server of MCP that asks its client for its folders, and then the user to fill in a form. */
function formTalk(journal: TestJournal): void {
  let second = 1;
  const say = (from: 'agent' | 'client', message: Record<string, unknown>) => {
    second += 0.1;
    journal.data(from, second * 1e6, rpc(message));
  };
  const about = { protocolVersion: '2025-11-25', capabilities: {} };
  journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
  say('client', { id: 0, method: 'initialize', params: { ...about, clientInfo: { name: 'c', version: '1' } } });
  say('agent', { id: 0, result: { ...about, serverInfo: { name: 's', version: '1' } } });
  say('client', { method: 'notifications/initialized' });
  say('agent', { id: 0, method: 'roots/list' });
  say('client', { id: 0, result: { roots: [{ uri: 'file:///w', name: 'w' }] } });
  say('client', { id: 1, method: 'tools/call', params: { name: 'form', arguments: {} } });
  const properties = {
    name: { title: 'Full name', type: 'string' },
    age: { title: 'Age', type: 'integer' },
    pet: { title: 'Pet', type: 'string', enum: ['Cat', 'Dog'] },
  };
  const requestedSchema = { type: 'object', properties };
  say('agent', { id: 1, method: 'elicitation/create', params: { message: 'Please tell us.', requestedSchema } });
  say('client', { id: 1, result: { action: 'accept', content: { name: 'Ada', pet: 'Dog' } } });
  say('agent', { id: 1, result: { content: [{ type: 'text', text: 'Thanks.' }] } });
  journal.exit(9e6);
}

inBrowser('the details', (tabs) => {
  let place: Place;
  let tour: string;
  let rich: string;
  let form: string;
  /** The number of the first frame whose line on the tape has this. */
  let frameWith: (text: string) => number;

  beforeAll(async () => {
    place = makePlace();
    const { tape } = makeSession(place.home, richTalk, { about: { command: ['kimi', '--wire'] } });
    const lines = readFileSync(tape, 'utf8').split('\n');
    frameWith = (text) => (JSON.parse(lines.find((line) => line.includes(text))!) as { f: number }).f;
    tour = await exportPage(place, [TOUR], 'tour');
    rich = await exportPage(place, [tape], 'rich');
    form = await exportPage(place, [makeSession(place.home, formTalk).tape], 'form', ...UNREDACTED);
  });

  afterAll(() => removePlace(place));

  const open = async (file: string, f: number, hash = ''): Promise<Page> => {
    const page = await tabs.open(file, { hash: `f${f}${hash}` });
    await page.locator(`.detail-title[data-f="${f}"]`).waitFor();
    return page;
  };
  const raw = async (page: Page): Promise<string[]> => {
    await page.locator('#detail-raw').click();
    await page.locator('.raw-row').first().waitFor();
    return page.locator('.raw-row:visible').allTextContents();
  };
  const body = (page: Page) => page.locator('.detail-body');

  describe('raw', () => {
    it('shows what was sent, by its tokens', async () => {
      const page = await open(rich, frameWith('1e400'));
      const lines = await raw(page);
      expect(lines.join('\n')).toContain('"n": 12345678901234567890,');
      expect(lines.filter((line) => line.includes('"x"'))).toEqual(['"x": 1e400,', '"x": 2,']);
      await page.locator('.raw-row [data-do=inner]').click();
      await page.locator('.raw-row.is-inner').first().waitFor();
      expect(await page.locator('.raw-row.is-inner').allTextContents()).toEqual(['▾{', '▾"a": [', '1,', '2', ']', '}']);
    });

    it('survives nesting, and shows a long line in parts', async () => {
      const page = await open(rich, frameWith('[[[['));
      expect((await raw(page)).length).toBeGreaterThan(10);
      await page.goto(page.url().replace(/#.*/, `#f${frameWith('v39999')}`));
      const all = page.locator('.raw-notes button');
      await all.waitFor();
      await all.click();
      await page.locator('.raw-list').press('End');
      await expect.poll(() => page.locator('.raw-row.is-at').textContent()).toBe('}');
    });

    it('dumps bytes that are not UTF-8', async () => {
      const page = await open(rich, frameWith('Yf8='));
      expect((await raw(page))[0]).toMatch(/^00000000 {2}61 ff .*a\.$/);
      expect(await page.locator('.raw-notes').textContent()).toContain('byte 1');
    });
  });

  describe('view', () => {
    it('renders Markdown without a link or an element of its own', async () => {
      const page = await open(rich, frameWith('# Done'));
      expect(await body(page).locator('[role=heading]').allTextContents()).toContain('Done');
      expect(await body(page).textContent()).toContain('javascript:alert(1');
      expect(await body(page).textContent()).toContain('<b>this</b>');
      expect(await page.locator('a').count()).toBe(0);
    });

    it('shows colours, counts what it hides, and draws pictures that are pictures', async () => {
      const page = await open(rich, frameWith('"ToolCall"'));
      expect(await body(page).locator('.ansi-1').textContent()).toBe('red');
      expect(await body(page).locator('.ansi-conceal').textContent()).toBe('concealed');
      expect(await body(page).textContent()).toContain('1 control sequence hidden');
      const images = body(page).locator('img');
      expect(await images.count()).toBe(1);
      await expect.poll(() => images.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
    });

    it('caps a long change, and renders the rest on demand', async () => {
      const page = await open(rich, frameWith('"ToolCall"'));
      const lines = body(page).locator('.patch-line');
      const before = await lines.count();
      expect(before).toBeLessThanOrEqual(400);
      await body(page).locator('.patch-gap button').last().click();
      await expect.poll(() => lines.count()).toBeGreaterThan(before);
    });

    it('says who allowed a call, and leads to the request', async () => {
      const page = await open(tour, 25);
      await body(page).locator('.item-decision [data-f="29"]').click();
      await page.locator('.detail-title[data-f="29"]').waitFor();
      expect(await body(page).locator('.is-chosen').textContent()).toContain('approve');
      expect(await page.locator('.detail-tools [data-f="30"]').count()).toBe(1);
    });
  });

  it('relates a call to everything about it', async () => {
    const page = await open(tour, 117);
    await page.locator('#detail-related').click();
    await page.locator('.related').waitFor();
    const frames = await page
      .locator('.related section')
      .nth(1)
      .locator('[data-f]')
      .evaluateAll((all) => all.map((one) => Number((one as HTMLElement).dataset.f)));
    expect(frames).toEqual(expect.arrayContaining([115, 117, 118, 120]));
  });

  it('compares two frames', async () => {
    const page = await open(tour, 29);
    await page.keyboard.press('m');
    await page.goto(page.url().replace(/#.*/, '#f91'));
    await page.locator('.detail-title[data-f="91"]').waitFor();
    await page.keyboard.press('d');
    await page.locator('.detail-compare').waitFor();
    expect(await body(page).locator('.patch-line.is-removed').count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await page.locator('.detail-compare').waitFor({ state: 'detached' });
  });

  describe('the conversation', () => {
    const talk = async (file: string, hash = ''): Promise<Page> => {
      const page = await tabs.open(file, { hash: `${hash}v=conversation` });
      await page.locator('.talk-entry').first().waitFor();
      return page;
    };

    it('tells prompts, answers, decisions and the end', async () => {
      const page = await talk(tour);
      await page.locator('.talk-end').waitFor();
      const text = (await page.locator('.talk').textContent()) ?? '';
      for (const said of ['What is in this project?', 'allowed for the session', 'exited with 0'])
        expect(text).toContain(said);
      const denied = page.locator('.talk-entry[data-f="117"]');
      expect(await denied.textContent()).toMatch(/denied.*by the client/);
      expect(await denied.textContent()).toContain('only the cache, please');
    });

    it('opens a call with the keyboard and follows a link', async () => {
      const page = await talk(tour, 'f25&');
      const call = page.locator('.talk-entry[data-f="25"]');
      await expect.poll(() => call.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await call.locator('.block-output').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => page.locator('.talk-entry.is-selected').getAttribute('data-f')).toBe('29');
    });

    it('shows what the query finds, or dims the rest', async () => {
      const page = await talk(tour, 'q=kind:prompt&');
      await expect.poll(() => page.locator('.talk-entry:not(.is-prompt)').count()).toBe(0);
      expect(await page.locator('.talk-entry.is-prompt').count()).toBeGreaterThan(3);
    });
  });

  it('shows a form with its message and what was typed, and that the client answered a call', async () => {
    const page = await tabs.open(form, { hash: 'v=conversation' });
    const asked = page.locator('.talk-entry.is-question');
    await asked.waitFor();
    expect(await asked.locator('.item-name').textContent()).toBe('Please tell us.');
    expect(await asked.locator('.question-field').allTextContents()).toEqual(['Full name: Ada', 'Age: not answered']);
    expect(await asked.locator('.question-option.is-chosen').allTextContents()).toEqual(['◉Dogchosen']);
    const call = page.locator('.talk-entry.is-client-call .item-decision');
    expect(await call.textContent()).toBe('✓answeredafter 100 ms');
  });

  it('says that a call was denied, as the timeline does', async () => {
    const details = await open(tour, 115);
    await details.locator('.detail-call').waitFor();
    expect(await details.locator('.detail-call .item-outcome').textContent()).toBe('✗denied');
    const talk = await tabs.open(tour, { hash: 'f115&v=conversation' });
    const outcome = talk.locator('.talk-entry[data-f="115"] .item-outcome');
    await expect.poll(() => outcome.allTextContents()).toEqual(['✗denied']);
  });

  it('relates the frames of a call of a subagent', async () => {
    for (const f of [89, 91, 92, 94]) {
      const page = await open(tour, f);
      await page.locator('#detail-related').click();
      const part = page.locator('.related .item-part', { hasText: 'Everything about call Shell:7' });
      await part.waitFor();
      const lines = await part.locator('.related-line').evaluateAll((all) =>
        all.map((line) =>
          [...line.children]
            .slice(0, 2)
            .map(({ textContent }) => textContent)
            .join(' '),
        ),
      );
      expect(lines).toEqual([
        'f89 tool call',
        'f91 approval',
        'f92 answer to an approval',
        'f93 approval resolved',
        'f94 tool result',
      ]);
    }
  });

  it('says at once what was found at a frame', async () => {
    const page = await open(await exportPage(place, [NUMBER_ID], 'number-id'), 2);
    const found = page.locator('.detail-view > .item-part').first();
    await found.waitFor();
    expect(await found.locator('code').allTextContents()).toEqual(['wire-id']);
    expect(await found.textContent()).toContain('the id is a number: the agent refuses the line');
    await page.goto(page.url().replace(/#.*/, '#f1'));
    await page.locator('.detail-title[data-f="1"]').waitFor();
    await expect.poll(() => page.locator('.detail-view', { hasText: 'wire-id' }).count()).toBe(0);
  });

  it('keeps the time of a call apart from the number of its frame on a phone', async () => {
    const page = await tabs.open(tour, { viewport: { width: 390, height: 800 }, hash: 'v=conversation' });
    const entry = page.locator('.talk-entry[data-f="25"]');
    await entry.waitFor();
    const [time, f] = [await entry.locator('.item-time').boundingBox(), await entry.locator('.talk-f').boundingBox()];
    expect(f!.x - (time!.x + time!.width)).toBeGreaterThanOrEqual(6);
  });

  it('prints a linear document, and goes away after it', async () => {
    const page = await tabs.open(tour, { hash: 'v=conversation' });
    await expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
        return page.locator('.print-banner').count();
      })
      .toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.shell').isVisible()).toBe(false);
    expect(await page.locator('.print h1').textContent()).toContain('pbnx');
    expect(await page.locator('.print .talk-entry').count()).toBeGreaterThan(40);
    expect(await page.locator('.print button').count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('.print').count()).toBe(0);
  });

  it('can be printed soon after it was opened, and another view at once', async () => {
    const page = await tabs.open(tour);
    /** The entries that would be printed now, and what is said about others. */
    const printed = () =>
      page.evaluate(() => {
        dispatchEvent(new Event('beforeprint'));
        const count = document.querySelectorAll('.print .talk-entry').length;
        const banner = document.querySelector('.print-banner')?.textContent ?? null;
        dispatchEvent(new Event('afterprint'));
        return { count, banner };
      });
    await expect.poll(printed).toMatchObject({ banner: null });
    const all = await printed();
    await page.evaluate(() => {
      location.hash = 'v=conversation';
    });
    await page.waitForSelector('.talk-entry');
    const told = await printed();
    expect(told.banner).toBeNull();
    expect(told.count).toBeLessThan(all.count);
    expect(told.count).toBeGreaterThan(40);
  });
});
