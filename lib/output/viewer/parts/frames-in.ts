/** Finds the frames that a sentence names. */
export interface TextPart {
  text: string;
  /** Null: plain text. */
  f: number | null;
}

const NAMED = /\bf(\d{1,9})\b/g;

export function framesIn(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const found of text.matchAll(NAMED)) {
    if (found.index > at) parts.push({ text: text.slice(at, found.index), f: null });
    parts.push({ text: found[0], f: Number(found[1]) });
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), f: null });
  return parts;
}
