/** What a redaction replaced, and what it kept although it looks private, as text for people. */

import { glimpse, patternFor } from '../../analysis/redact/glimpse.ts';
import type { ManifestRow } from '../../analysis/redact/pseudonym-book.ts';
import { MAX_HARMLESS_WEIGHT, type Suspect } from '../../analysis/redact/suspects.ts';
import { shellWord } from '../../model/text/shell.ts';
import { visible } from '../../model/text/text.ts';
import { plural } from './words.ts';

/** How many kept values are shown. */
const MAX_SHOWN_VALUES = 20;

export function replacedLines(kinds: readonly ManifestRow[]): string[] {
  return kinds.map(
    ({ kind, values, places, frames }) =>
      `${kind.padEnd(24)} ${plural(values, 'value').padStart(12)} ${plural(places, 'place').padStart(12)}${whereOf(places, frames)}`,
  );
}

/** None if nothing looks private but ids and digests. With the option to type for each. */
export function keptLines(kept: readonly Suspect[]): string[] {
  const suspicious = kept.filter(({ weight }) => weight > MAX_HARMLESS_WEIGHT);
  if (suspicious.length === 0) return [];
  const lines = suspicious.slice(0, MAX_SHOWN_VALUES).map(({ kind, value, places, frames }) => {
    const pattern = patternFor(value);
    const option = pattern === null ? '--also VALUE' : `--also ${shellWord(pattern)}`;
    const about = `${visible(kind).padEnd(14)} ${visible(glimpse(value)).padEnd(6)} ${plural(value.length, 'character').padStart(14)}`;
    return `  ${about} ${plural(places, 'place').padStart(11)}${whereOf(places, frames)}   ${visible(option)}`;
  });
  return [
    `kept, although ${suspicious.length === 1 ? 'it looks' : 'they look'} private:`,
    ...lines,
    ...(suspicious.length > MAX_SHOWN_VALUES ? [`  and ${suspicious.length - MAX_SHOWN_VALUES} more`] : []),
  ];
}

function whereOf(places: number, frames: readonly number[]): string {
  return frames.length === 0 ? '' : `  f${frames.join(', f')}${places > frames.length ? ', …' : ''}`;
}
