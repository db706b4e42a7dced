/** The page of a report opens at what went wrong, whatever the reader last looked at, and at a frame that was asked for. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wiretape } from '../support/run.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { asked } from './support/pages.ts';
import { Reader } from './support/reader.ts';
import { inBrowser } from './support/tabs.ts';

const HANG = fileURLToPath(new URL('../../samples/tapes/hang.jsonl', import.meta.url));

inBrowser('the page of a report', (tabs) => {
  let place: Place;

  beforeAll(() => {
    place = makePlace();
  });

  afterAll(() => removePlace(place));

  const report = async (name: string, ...args: string[]) => {
    const file = join(place.dir, `${name}.html`);
    const { code, stderr } = await wiretape(place, ['report', HANG, '--html', '-o', file, ...args]);
    expect({ code, stderr: `${stderr}` }).toMatchObject({ code: 0 });
    return file;
  };

  it('opens at the trouble, and an address leads elsewhere', async () => {
    const file = await report('hang');
    const [open] = await asked<{ f: number }>(place, 'why', HANG);
    const { page } = new Reader(await tabs.open(file));
    await page.locator(`#view [data-f="${open!.f}"]:is([aria-selected=true], [aria-current=true])`).first().waitFor();
    await page.waitForFunction((f) => document.querySelector('#detail')!.textContent!.includes(`f${f}`), open!.f);
    const reader = new Reader(await tabs.open(file, { hash: 'f3&v=frames' }));
    await reader.isAt(3);
  });

  it('opens at the frame that the report is about', async () => {
    const reader = new Reader(await tabs.open(await report('around', '--around', 'f5')));
    await reader.isLinked('f5');
    await reader.press('3');
    await reader.isAt(5);
  });
});
