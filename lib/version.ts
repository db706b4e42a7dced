import { readFileSync } from 'node:fs';

/** From our package.json, which is some folders above this file, or above the chunk that it became part of. */
export const VERSION: string = (() => {
  for (const up of ['../package.json', '../../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8'));
      if (name === 'wiretape') return version as string;
    } catch {
      // One folder further up.
    }
  }
  return 'unknown';
})();
