/**
 * Pages in a real browser. Each is watched: an error, a dialog, a request for anything but the page itself, or a violation
 * of its security policy fails the test during which it happens.
 */
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { ARGUMENTS, findBrowser, NO_BROWSER } from './find.mjs';

/** What a page may load: itself, and what it has made. */
const OWN = /^(?:file|blob|data):/;

export interface Look extends BrowserContextOptions {
  /** Behind the `#`. */
  hash?: string;
}

export class Tabs {
  #browser: Browser | null = null;
  #open: Page[] = [];
  #problems: string[] = [];

  async launch(executablePath: string): Promise<void> {
    const { chromium } = await import('playwright-core');
    this.#browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  }

  /** Opens a file in a window of its own and waits until it can be used. It is closed after the test. */
  async open(file: string, { hash, ...look }: Look = {}): Promise<Page> {
    const page = await this.#page(look);
    await this.go(page, file, hash);
    return page;
  }

  /** The same, for a page whose script does not run. */
  async openStill(file: string): Promise<Page> {
    const page = await this.#page({ javaScriptEnabled: false });
    await page.goto(`${pathToFileURL(file)}`);
    return page;
  }

  async #page(look: BrowserContextOptions): Promise<Page> {
    const context = await this.#browser!.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...look,
    });
    // It only ends what hangs: a busy machine is no failure.
    context.setDefaultTimeout(300_000);
    const page = await context.newPage();
    this.#open.push(page);
    this.#watch(page);
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`the page broke its policy: ${violatedDirective} ${blockedURI}`),
      );
    });
    return page;
  }

  /** Shows another file in a page, or the same one anew. */
  async go(page: Page, file: string, hash = ''): Promise<void> {
    const url = `${pathToFileURL(file)}`;
    // Another fragment alone would load nothing.
    if (page.url().split('#')[0] === url) await page.goto('about:blank');
    await page.goto(`${url}${hash === '' ? '' : `#${hash}`}`);
    await page.waitForFunction(() => performance.getEntriesByName('app:interactive').length > 0);
  }

  #watch(page: Page): void {
    const tell = (problem: string) => this.#problems.push(problem);
    page.on('pageerror', (error) => tell(`error: ${error.stack ?? error}`));
    page.on('crash', () => tell('the page crashed'));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) tell(`console: ${message.text()}`);
    });
    page.on('dialog', (dialog) => {
      tell(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => tell(`popup: ${popup.url()}`));
    page.on('request', (request) => {
      if (!OWN.test(request.url())) tell(`request: ${request.url()}`);
    });
  }

  /** What went wrong in all pages since the last time somebody asked. */
  takeProblems(): string[] {
    return this.#problems.splice(0);
  }

  async closePages(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((page) => page.context().close()));
  }

  async close(): Promise<void> {
    await this.#browser?.close();
  }
}

/** Tests with one browser for all of them; skipped without one. */
export function inBrowser(name: string, define: (tabs: Tabs) => void): void {
  const executable = findBrowser();
  describe.skipIf(executable === null)(executable === null ? `${name}: ${NO_BROWSER}` : name, () => {
    const tabs = new Tabs();
    beforeAll(() => tabs.launch(executable!));
    afterEach(async () => {
      await tabs.closePages();
      expect(tabs.takeProblems().join('\n')).toBe('');
    });
    afterAll(() => tabs.close());
    define(tabs);
  });
}
