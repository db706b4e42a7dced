/** Placeholders of a redaction: the client of a redacted tape has values of its own in their place. */

/** `[PATH_2]`, filled up with dots if it stands for something long. */
const PSEUDONYM = /\[[A-Z]+(?:_[A-Z]+)*_\d+\.*\]/;

/** The live text has some text in place of each pseudonym, and is the same elsewhere. */
export function matchesRedacted(recorded: string, live: string): boolean {
  const parts = recorded.split(PSEUDONYM);
  if (parts.length === 1 || !live.startsWith(parts[0]!)) return false;
  const last = parts.pop()!;
  let at = parts[0]!.length;
  for (const part of parts.slice(1)) {
    const next = live.indexOf(part, at + 1);
    if (next < 0) return false;
    at = next + part.length;
  }
  return live.length - last.length > at && live.endsWith(last);
}

const WHOLE_PATH = new RegExp(`^/?${PSEUDONYM.source}$`);

/** A path of which nothing is left. */
export const isRedactedPath = (value: unknown): value is string => typeof value === 'string' && WHOLE_PATH.test(value);
