/**
 * Separates text from base64 data such as images, archives and signatures. Nobody searches inside such data, and short
 * words would match in it by chance. Anything that is not certainly data counts as text: paths, hexadecimal digits,
 * code without spaces, any script.
 */

/** Shorter runs count as text, because people search for tokens and digests. */
const MIN_DATA_CHARS = 1024;
/** Each window is judged separately, so that text between data stays text. */
const WINDOW_CHARS = 256;

/** The characters of all base64 variants. A regular expression would exhaust the stack on a long run. */
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

/** The parts of a text before, between and after the data in it. */
export function withoutData(text: string): string[] {
  if (text.length < MIN_DATA_CHARS) return [text];
  const parts: string[] = [];
  let kept = 0;
  for (let start = 0; start < text.length; ) {
    const end = runEnd(text, start);
    for (let at = start; end - start >= MIN_DATA_CHARS && at < end; at += WINDOW_CHARS) {
      const to = Math.min(end, at + WINDOW_CHARS);
      if (!isData(text, at, to)) continue;
      if (at > kept) parts.push(text.slice(kept, at));
      kept = to;
    }
    start = end + 1;
  }
  if (kept < text.length) parts.push(text.slice(kept));
  return parts;
}

/** The end of the run of base64 characters that starts here. */
function runEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && (IN_DATA[text.charCodeAt(end)] ?? 0) !== 0) end++;
  return end;
}

/** About 26 of 64 base64 characters are capitals, 26 small letters and 10 digits. No text has so many of each. */
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
