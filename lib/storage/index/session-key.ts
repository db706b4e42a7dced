import { SESSION_ID } from '../store/home.ts';

/** A session id as an integer: unique, in order of time, and so the same for every writer of rows. It fits 53 bits. */
export function sessionKey(id: string): number {
  const [, year, month, day, hour, minute, second, tail] = SESSION_ID.exec(id) ?? [];
  if (tail === undefined) throw new Error(`${id} is not a session id`);
  const days = ((Number(year) - 1970) * 12 + Number(month) - 1) * 31 + Number(day) - 1;
  const seconds = ((days * 24 + Number(hour)) * 60 + Number(minute)) * 60 + Number(second);
  return seconds * 36 ** 4 + Number.parseInt(tail, 36);
}
