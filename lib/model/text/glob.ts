/** `*` is any text, `?` any one character. Backtracks only to the last star, so no pattern takes exponential time. */

export const hasGlob = (text: string): boolean => /[*?]/.test(text);

/** Whether the whole text matches. Both must be in the same case. */
export function globMatches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    const wanted = pattern[p];
    if (wanted === '*') {
      star = p++;
      resume = t;
    } else if (wanted === '?') {
      p++;
      t += characterLength(text, t);
    } else if (wanted !== undefined && wanted === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      resume += characterLength(text, resume);
      t = resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Two for a surrogate pair. */
function characterLength(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}
