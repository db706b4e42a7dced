import { readFileSync } from 'node:fs';

/** From package.json, the only place that knows it. Compiled files lie one folder deeper than the sources. */
export const VERSION: string = (() => {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      return JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')).version as string;
    } catch {
      // One folder further up.
    }
  }
  return 'unknown';
})();
