/**
 * Most lines of a session are pieces of a streamed text, and differ from each other only in that text. To look at the rest
 * and parse the text alone takes a quarter of the time of parsing the line. The result is the same.
 */
import type { Event } from '../core/event.ts';
import type { Frame } from '../core/frame.ts';
import { textIn } from '../core/message.ts';
import { asPattern } from '../core/text.ts';
import type { Dialect, Json } from './dialect.ts';

/** A form of lines, as agents write them: with their keys in this order. */
interface Form {
  line(text: string): Json;
  /** What such a line means if the one before was of this form, and meant `before`. */
  event(text: string, before: Event): Event;
}

const utf8 = new TextEncoder();
const TEXT = '…';
/** Of a longer line, the text is all that takes time. */
const LONGEST = 4096;

export function readPieces(...forms: Form[]): NonNullable<Dialect['piece']> {
  const known = forms.map((form) => {
    const quoted = JSON.stringify(form.line(TEXT));
    const [head, tail] = quoted.split(TEXT) as [string, string];
    const bytes = [utf8.encode(head), utf8.encode(tail)] as const;
    // V8 compares faster by a pattern than with `startsWith`.
    return { form, head, tail, bytes, begins: new RegExp(`^${asPattern(head)}`) };
  });
  // The next line mostly is a piece of the same text.
  let latest = known[0]!;
  return (frame) => {
    if ((frame.size ?? frame.raw.length) > LONGEST) return undefined;
    const text = frame.between?.(latest) ?? escaped(frame);
    if (text === undefined) return undefined;
    const { form } = latest;
    return { form, text, value: form.line(text) };
  };

  function escaped(frame: Frame): string | undefined {
    const line = textIn(frame);
    if (line === null) return undefined;
    if (!latest.begins.test(line)) {
      const found = known.find(({ begins }) => begins.test(line));
      if (!found) return undefined;
      latest = found;
    }
    const { head, tail } = latest;
    return line.endsWith(tail) ? stringIn(line.slice(head.length - 1, line.length - tail.length + 1)) : undefined;
  }
}

/** What is between may be more than a string; then it is no JSON on its own, and has to be read with the line. */
function stringIn(json: string): string | undefined {
  try {
    return json.length < 2 ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
