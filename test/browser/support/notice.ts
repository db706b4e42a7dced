/** For vitest: says once, before anything else, that what needs a browser is skipped. */
import { findBrowser, NO_BROWSER } from './find.mjs';

export function setup(): void {
  if (findBrowser() === null) console.warn(`test/browser is skipped: ${NO_BROWSER}`);
}
