/** What is known about the context and the tokens of a session. */
import type { UsagePoint } from '../../page/page.ts';

/** How full the context was, from 0 to 1; null if that is not known. */
export function contextShare({ share, used, size }: UsagePoint): number | null {
  if (share !== null) return share;
  return used !== null && size ? used / size : null;
}

export function tokensIn({ input, cache_read, cache_write, output }: UsagePoint): number {
  return (input ?? 0) + (cache_read ?? 0) + (cache_write ?? 0) + (output ?? 0);
}

/** 128000 as `128k`. */
export function briefCount(n: number): string {
  if (n < 1000) return String(Math.round(n));
  if (n < 999_500) return `${n < 9950 ? (n / 1000).toFixed(1) : Math.round(n / 1000)}k`;
  return `${(n / 1e6).toFixed(n < 9.95e6 ? 1 : 0)}M`;
}
