/** Words for people that several views share: errors and their meaning, tokens, counts. */
import type { Usage } from '../core/event.ts';

const EVERYWHERE: Record<number, string> = {
  [-32700]: 'parse error',
  [-32600]: 'invalid request',
  [-32601]: 'method not found',
  [-32602]: 'invalid params',
  [-32603]: 'internal error',
};

/** Each protocol has its own meaning for the rest. */
const BY_DIALECT: Record<string, Record<number, string>> = {
  wire: {
    [-32000]: 'invalid state',
    [-32001]: 'no model set',
    [-32002]: 'model not supported',
    [-32003]: 'chat provider error',
    [-32004]: 'login expired',
  },
  'wire-legacy': {
    [-32000]: 'invalid state',
    [-32001]: 'no model set',
    [-32002]: 'chat provider error',
    [-32003]: 'model not supported',
  },
  acp: { [-32000]: 'login needed', [-32002]: 'not found' },
  mcp: { [-32002]: 'resource not found', [-32042]: 'elicitation needed' },
};

/** `-32003 (chat provider error)`, as agents of that dialect mean it. */
export function codeWords(code: number, dialect: string | null = null): string {
  const meaning = EVERYWHERE[code] ?? (dialect === null ? undefined : BY_DIALECT[dialect]?.[code]);
  return meaning ? `${code} (${meaning})` : String(code);
}

/** 1234 as it is, 14150 as `14.2k`. */
export function humanCount(n: number): string {
  if (n < 10_000) return String(n);
  if (n < 999_500) return `${n < 99_950 ? (n / 1000).toFixed(1) : Math.round(n / 1000)}k`;
  return `${(n / 1e6).toFixed(n < 9.995e6 ? 2 : 1)}M`;
}

/** `14.2k in, 350 out`, or `14.2k tokens in, 350 out`; empty where nothing was counted. */
export function tokenWords({ input, cache_read, cache_write, output }: Usage, noun = ''): string {
  const all = input + cache_read + cache_write;
  return all + output === 0 ? '' : `${humanCount(all)}${noun && ` ${noun}`} in, ${humanCount(output)} out`;
}

export function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
