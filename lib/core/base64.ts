/**
 * Tells text from data that is written in letters: images, archives, signatures in base64. Nobody searches for what is in
 * there, and short words would be found in it by chance. What is not certainly data is text: paths, hexadecimal digits,
 * code without a blank, any script.
 */

/** Shorter ones are text: tokens and digests may be searched for. */
const SHORTEST = 1024;
/** Judged apart, so that text among data stays text. */
const WINDOW = 256;

/** What base64 of any sort is written in. By code, for a regular expression would run out of stack on a long run. */
const IN_DATA = new Uint8Array(128);
const CAPITAL = 1;
const SMALL = 2;
const DIGIT = 3;
for (const c of '_+/=-') IN_DATA[c.charCodeAt(0)] = 4;
for (let i = 0; i < 26; i++) {
  IN_DATA[0x41 + i] = CAPITAL;
  IN_DATA[0x61 + i] = SMALL;
}
for (let i = 0; i < 10; i++) IN_DATA[0x30 + i] = DIGIT;

/** The text without the data in it: what is before, between and behind. */
export function withoutData(text: string): string[] {
  if (text.length < SHORTEST) return [text];
  const parts: string[] = [];
  let kept = 0;
  for (let start = 0; start < text.length; ) {
    const end = runEnd(text, start);
    for (let at = start; end - start >= SHORTEST && at < end; at += WINDOW) {
      const to = Math.min(end, at + WINDOW);
      if (!isData(text, at, to)) continue;
      if (at > kept) parts.push(text.slice(kept, at));
      kept = to;
    }
    start = end + 1;
  }
  if (kept < text.length) parts.push(text.slice(kept));
  return parts;
}

/** Behind the last character that data may have in it. */
function runEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && (IN_DATA[text.charCodeAt(end)] ?? 0) !== 0) end++;
  return end;
}

/** In base64, about 26 of 64 characters are capitals, 26 small letters and 10 digits; no text has so many of each. */
function isData(text: string, start: number, end: number): boolean {
  let [capitals, small, digits] = [0, 0, 0];
  for (let i = start; i < end; i++) {
    const sort = IN_DATA[text.charCodeAt(i)];
    if (sort === CAPITAL) capitals++;
    else if (sort === SMALL) small++;
    else if (sort === DIGIT) digits++;
  }
  const share = (count: number) => count / (end - start);
  return share(capitals) >= 0.2 && share(small) >= 0.2 && share(digits) >= 0.05;
}
