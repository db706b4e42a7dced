/** Durations and sizes as people type them: `90s`, `12h`, `30d`, `500kb`, `1.5gb`. */

const SECONDS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const BYTES: Record<string, number> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** In seconds; null if it is not a duration. A unit is required, because `30` is ambiguous. */
export function parseDuration(word: string): number | null {
  return parse(word, SECONDS);
}

/** In bytes; null if it is not a size. A plain number is bytes. */
export function parseSize(word: string): number | null {
  return parse(/^[\d.]+$/.test(word) ? `${word}b` : word, BYTES);
}

function parse(word: string, units: Record<string, number>): number | null {
  const [, number, unit] = /^(\d+(?:\.\d+)?|\.\d+)\s*([a-z]+)$/i.exec(word.trim()) ?? [];
  const factor = unit === undefined ? undefined : Object.hasOwn(units, unit.toLowerCase()) && units[unit.toLowerCase()];
  return factor ? Number(number) * factor : null;
}
