/**
 * Reads UTC dates and times. An incomplete one is a span: a date is the whole day. `today`, `yesterday` and ages such as
 * `7d` count from a moment that the caller gives, because this layer has no clock.
 */

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?)?(?:z|([+-])(\d\d):?(\d\d))?$/i;

/** Between these years, microseconds are exact and years have four digits. */
const FIRST_YEAR = 1970;
const LAST_YEAR = 2200;

const MINUTE = 60_000_000;

const DAY = 24 * 60 * MINUTE;
const AGE_UNITS: Record<string, number> = { m: MINUTE, h: 60 * MINUTE, d: DAY, w: 7 * DAY };

/** A span of time. `to` null: a moment, which only a range can contain. */
export interface TimeSpan {
  from: number;
  to: number | null;
}

/** The same as `readTime`, with words that depend on the time now, in microseconds. */
export function readWhen(text: string, now: number | null): TimeSpan | null {
  if (now === null) return readTime(text);
  const word = text.toLowerCase();
  const midnight = now - (now % DAY);
  if (word === 'today') return { from: midnight, to: midnight + DAY };
  if (word === 'yesterday') return { from: midnight - DAY, to: midnight };
  const [, count = '', unit = ''] = /^(\d{1,6})(m|h|d|w)$/.exec(word) ?? [];
  return unit === '' ? readTime(text) : { from: now - Number(count) * AGE_UNITS[unit]!, to: null };
}

/** Microseconds since the epoch, from `from` up to but not including `to`. Null if it is not a time. */
export function readTime(text: string): { from: number; to: number } | null {
  const found = DATE_TIME.exec(text);
  if (!found) return null;
  const [year, month, day, hour = '00', minute = '00', second = '00'] = found.slice(1, 7) as DateParts;
  const date = new Date(Date.UTC(+year, +month - 1, +day, +hour, +minute, +second));
  if (+year < FIRST_YEAR || +year > LAST_YEAR) return null;
  // No 31st of February, no 25 o'clock: Date counts on instead.
  if (!date.toISOString().startsWith(`${year}-${month}-${day}T${hour}:${minute}:${second}.`)) return null;
  const fraction = found[7] ?? '';
  const from = date.getTime() * 1000 + Number(fraction.padEnd(6, '0')) - zoneOffset(found);
  return { from, to: from + spanLength(found, fraction) };
}

type DateParts = [string, string, string, hour?: string, minute?: string, second?: string];

function zoneOffset([, , , , , , , , sign, hours, minutes]: RegExpExecArray): number {
  return sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE : 0;
}

function spanLength([, , , , hour, minute, second]: RegExpExecArray, fraction: string): number {
  if (hour === undefined) return DAY;
  if (minute === undefined) return 60 * MINUTE;
  if (second === undefined) return MINUTE;
  return 10 ** (6 - fraction.length);
}
