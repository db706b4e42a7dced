/** What looks random in a text, but for what is harmless. */
import { harmlessReason } from './harmless.ts';
import type { HarmlessIds } from './harmless-ids.ts';
import type { Hit } from './kinds.ts';
import { eachRandom, MIN_RANDOM_CHARS } from './random.ts';

/** The text, a byte a character; others than those of ASCII are 0. */
let ascii = new Uint8Array(1 << 16);

/** Calls `found` with each; what turns out to be named is known from now on. */
export function eachRandomIn(text: string, known: HarmlessIds, found: (hit: Hit) => void): void {
  if (text.length < MIN_RANDOM_CHARS) return;
  if (ascii.length <= text.length) ascii = new Uint8Array(text.length * 2);
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    ascii[i] = c < 128 ? c : 0;
  }
  ascii[text.length] = 0;
  eachRandom(ascii, text.length, known, (start, end, run, runEnd) => {
    const reason = harmlessReason(text, start, end, run, runEnd);
    if (reason === 'named') known.add(text.slice(start, end));
    if (reason === null)
      found({ kind: 'random', start, end: end === runEnd ? paddedEnd(text, end) : end, from: start, strong: false });
    return false;
  });
}

/** Where the equals signs of base64 end that ends here. */
function paddedEnd(text: string, from: number): number {
  let end = from;
  while (end - from < 2 && text[end] === '=') end++;
  return /[A-Za-z0-9_]/.test(text[end] ?? '') ? from : end;
}
