// What a page does in Chromium, measured inside of it: from the navigation, from a key, or while it scrolls.
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { ARGUMENTS, findBrowser } from '../../browser/support/find.mjs';

/** The machine must have one. */
export async function openBrowser() {
  return chromium.launch({ executablePath: findBrowser(), args: ARGUMENTS });
}

/** Loads a page anew, calls `use`, and closes it. */
export async function inPage(browser, file, hash, use) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watchStart, /^f(\d+)/.exec(hash)?.[1] ?? null);
    await page.goto(`${pathToFileURL(file)}${hash === '' ? '' : `#${hash}`}`, {
      waitUntil: 'commit',
      timeout: 120_000,
    });
    await page.waitForFunction(() => globalThis.started !== undefined, undefined, { timeout: 120_000, polling: 50 });
    return await use(page);
  } finally {
    await context.close();
  }
}

/** In the page: when it can be used. That is when its first row is there, or, of an address, when its frame has the focus. */
function watchStart(wanted) {
  const look = () => {
    const row =
      wanted === null ? document.querySelector('[role=row][data-f]') : document.activeElement?.closest('[data-f]');
    const isThere = row && (wanted === null || row.dataset.f === wanted);
    if (isThere && performance.getEntriesByName('app:interactive').length > 0) globalThis.started = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Seconds from the navigation until the page can be used. */
export const startOf = async (page) => (await page.evaluate(() => globalThis.started)) / 1000;

/** Seconds from the Enter key until a query is answered, and until its first hits are shown. */
export async function askPage(page, query) {
  return page.evaluate(async (text) => {
    const input = document.querySelector('#query');
    const box = input.closest('[aria-busy], search');
    const count = box.querySelector('[role=status]');
    const before = count.textContent;
    const told = { first: null, all: null };
    const isOver = new Promise((done) => {
      const watch = new MutationObserver(() => {
        if (told.first === null && count.textContent !== before) told.first = performance.now();
        if (box.getAttribute('aria-busy') !== 'false') return;
        watch.disconnect();
        done();
      });
      watch.observe(box, { attributes: true, childList: true, characterData: true, subtree: true });
    });
    input.value = text;
    const start = performance.now();
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await isOver;
    told.all = performance.now();
    // What was found is in the page by then.
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return {
      first: ((told.first ?? told.all) - start) / 1000,
      all: (told.all - start) / 1000,
      said: count.textContent,
    };
  }, query);
}

/** Kilobytes that scripts hold, with the data of their arrays, when garbage is gone. */
export async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
  // Without it, the columns would not count.
  if (backingStorageSize === undefined) throw new Error('this browser does not say what arrays hold');
  return (usedSize + backingStorageSize) / 1024;
}

/** Turns the wheel for some seconds: the times of its frames, and of tasks over 50 ms. */
export async function scrollPage(page, { steps = 120, distance = 480 } = {}) {
  const box = await page.locator('.virtual').first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate(() => {
    globalThis.scrolled = { frames: [], long: [], isOver: false };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.scrolled.long.push(duration);
    }).observe({ entryTypes: ['longtask'] });
    let before = performance.now();
    const tick = (now) => {
      globalThis.scrolled.frames.push(now - before);
      before = now;
      if (!globalThis.scrolled.isOver) requestAnimationFrame(tick);
    };
    requestAnimationFrame((now) => {
      before = now;
      requestAnimationFrame(tick);
    });
  });
  for (let i = 0; i < steps; i++) await page.mouse.wheel(0, i < steps / 2 ? distance : -distance / 2);
  return page.evaluate(() => {
    globalThis.scrolled.isOver = true;
    const frames = globalThis.scrolled.frames.sort((a, b) => a - b);
    const rows = document.querySelectorAll('[role=row][data-f]').length;
    return { p95: frames[Math.floor(frames.length * 0.95)] / 1000, long: globalThis.scrolled.long.length, rows };
  });
}
