/** What of a timeline is not shown by itself, because the entries around it say the same. */
import type { Item } from './entries.ts';

const HIDDEN = new Set<Item['kind']>(['usage', 'status', 'turn-end', 'step-end']);

export function isHidden({ kind, text, flags, entries }: Item): boolean {
  if (entries.length > 0 || flags.includes('replayed')) return false;
  return HIDDEN.has(kind) || ((kind === 'log' || kind === 'hook-resolved') && text.trim() === '');
}
