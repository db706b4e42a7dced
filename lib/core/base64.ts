/**
 * Tells text from data that is written in letters: images, archives, signatures in base64. Nobody searches for what is in
 * there, and short words would be found in it by chance. What is not certainly data is text: paths, hexadecimal digits,
 * code without a blank, any script.
 */

/** Shorter ones are text: tokens and digests may be searched for. */
const SHORTEST = 1024;
/** Judged apart, so that text among data stays text. */
const WINDOW = 256;

const RUN = /(?<![\w+/=-])[\w+/=-]{1024,}/g;

/** The text without the data in it: what is before, between and behind. */
export function withoutData(text: string): string[] {
  if (text.length < SHORTEST) return [text];
  const parts: string[] = [];
  let kept = 0;
  for (const { index, 0: run } of text.matchAll(RUN)) {
    for (let at = 0; at < run.length; at += WINDOW) {
      const window = run.slice(at, at + WINDOW);
      if (!isData(window)) continue;
      if (index + at > kept) parts.push(text.slice(kept, index + at));
      kept = index + at + window.length;
    }
  }
  if (kept < text.length) parts.push(text.slice(kept));
  return parts;
}

/** In base64, about 26 of 64 characters are capitals, 26 small letters and 10 digits; no text has so many of each. */
function isData(window: string): boolean {
  const share = (pattern: RegExp) => (window.match(pattern)?.length ?? 0) / window.length;
  return share(/[A-Z]/g) >= 0.2 && share(/[a-z]/g) >= 0.2 && share(/\d/g) >= 0.05;
}
