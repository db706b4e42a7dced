/** What was recorded, quoted in a message: never more than a line of it, and whatever it is, it can be written. */
import { toJson } from '../../core/message.ts';

const LONGEST = 100;

/** As JSON: `"text"`, `7`, `null`. */
export function quoted(value: unknown): string {
  return short(toJson(value ?? null));
}

/** A name or an id as it is; what is no text, as JSON. */
export function word(value: unknown): string {
  return typeof value === 'string' ? short(value) : quoted(value);
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
