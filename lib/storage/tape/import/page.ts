/** Pages of `export --format html`: each of their sessions is a tape, taken out for as long as it is read. */
import { rmSync } from 'node:fs';
import { sessionsIn, takeTape } from '../page.ts';
import type { ImportSource } from './source.ts';
import { wiretape } from './wiretape.ts';

export function openPage(path: string): ImportSource[] {
  return Array.from({ length: sessionsIn(path) }, (_, at) => ({
    format: 'page',
    path,
    rebuilt: false,
    *read(findings) {
      const { path: tape, folder } = takeTape(path, at + 1);
      try {
        yield* wiretape.open(tape).read(findings);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  }));
}
