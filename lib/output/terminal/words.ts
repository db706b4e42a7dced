/** Words shared by several views: error codes, tokens, counts. */

import type { Traits } from '../../dialects/traits.ts';
import type { Usage } from '../../model/event.ts';
import { humanCount } from '../../model/text/text.ts';

const JSON_RPC_MEANINGS: Record<number, string> = {
  [-32700]: 'parse error',
  [-32600]: 'invalid request',
  [-32601]: 'method not found',
  [-32602]: 'invalid params',
  [-32603]: 'internal error',
};

/** `-32003 (chat provider error)`. `meanings`: those of the protocol, for codes that JSON-RPC does not define. */
export function codeWords(code: number, meanings: Traits['errorMeanings'] = {}): string {
  const meaning = JSON_RPC_MEANINGS[code] ?? meanings[code];
  return meaning ? `${code} (${meaning})` : String(code);
}

/** `14.2k in, 350 out`, or with a noun `14.2k tokens in, 350 out`; empty for no tokens. */
export function tokenWords({ input, cache_read, cache_write, output }: Usage, noun = ''): string {
  const all = input + cache_read + cache_write;
  return all + output === 0 ? '' : `${humanCount(all)}${noun && ` ${noun}`} in, ${humanCount(output)} out`;
}

export function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
