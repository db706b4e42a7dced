/** What a redaction replaced, and what it kept although it looks private, as text for people. */

import type { ManifestRow } from '../../analysis/redact/book.ts';
import { glimpse, patternFor } from '../../analysis/redact/glimpse.ts';
import { HARDLY, type Suspect } from '../../analysis/redact/suspects.ts';
import { shellWord } from '../../model/text/shell.ts';
import { visible } from '../../model/text/text.ts';
import { plural } from './words.ts';

/** How many kept values are shown. */
const SHOWN = 20;

export function replacedLines(kinds: readonly ManifestRow[]): string[] {
  return kinds.map(
    ({ kind, values, places, frames }) =>
      `${kind.padEnd(24)} ${plural(values, 'value').padStart(12)} ${plural(places, 'place').padStart(12)}${whereOf(places, frames)}`,
  );
}

/** None if nothing looks private but ids and digests. With the option to type for each. */
export function keptLines(kept: readonly Suspect[]): string[] {
  const worth = kept.filter(({ weight }) => weight > HARDLY);
  if (worth.length === 0) return [];
  const lines = worth.slice(0, SHOWN).map(({ kind, value, places, frames }) => {
    const pattern = patternFor(value);
    const option = pattern === null ? '--also VALUE' : `--also ${shellWord(pattern)}`;
    const about = `${visible(kind).padEnd(14)} ${visible(glimpse(value)).padEnd(6)} ${plural(value.length, 'character').padStart(14)}`;
    return `  ${about} ${plural(places, 'place').padStart(11)}${whereOf(places, frames)}   ${visible(option)}`;
  });
  return [
    `kept, although ${worth.length === 1 ? 'it looks' : 'they look'} private:`,
    ...lines,
    ...(worth.length > SHOWN ? [`  and ${worth.length - SHOWN} more`] : []),
  ];
}

function whereOf(places: number, frames: readonly number[]): string {
  return frames.length === 0 ? '' : `  f${frames.join(', f')}${places > frames.length ? ', …' : ''}`;
}
