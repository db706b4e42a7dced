/**
 * Most lines of a session are pieces of a streamed text, and differ from each other only in that text. To look at the rest
 * and parse the text alone takes a quarter of the time of parsing the line. The result is the same.
 */
import type { Event } from '../core/event.ts';
import { asPattern } from '../core/text.ts';
import type { Dialect, Json } from './dialect.ts';

/** A form of lines, as agents write them: with their keys in this order. */
interface Form {
  line(text: string): Json;
  /** What such a line means if the one before was of this form, and meant `before`. */
  event(text: string, before: Event): Event;
}

const TEXT = '…';
const QUOTE = 0x22;
/** Of a longer line, the text is all that takes time. */
const LONGEST = 4096;

export function readPieces(...forms: Form[]): NonNullable<Dialect['piece']> {
  const known = forms.map((form) => {
    const [head, tail] = JSON.stringify(form.line(TEXT)).split(JSON.stringify(TEXT)) as [string, string];
    // V8 compares faster by a pattern than with `startsWith`.
    return { form, head: new RegExp(`^${asPattern(head)}"`), start: head.length, tail };
  });
  // The next line mostly is a piece of the same text.
  let latest = known[0]!;
  return (line) => {
    if (line.length > LONGEST) return undefined;
    if (!latest.head.test(line)) {
      const found = known.find(({ head }) => head.test(line));
      if (!found) return undefined;
      latest = found;
    }
    const { form, start, tail } = latest;
    if (!line.endsWith(tail)) return undefined;
    const text = stringIn(line.slice(start, line.length - tail.length));
    return text === undefined ? undefined : { form, text, value: form.line(text) };
  };
}

/** What is between may be more than a string; then it is no JSON on its own, and has to be read with the line. */
function stringIn(json: string): string | undefined {
  if (json.length < 2 || json.charCodeAt(json.length - 1) !== QUOTE) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
