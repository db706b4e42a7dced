/** Numbers and times as the page shows them. */
import { dateOf } from '../../model/frame.ts';
import type { Language } from './app.ts';

const LOCALE: Record<Language, string> = { en: 'en', zh: 'zh-CN' };
const numbers = new Map<Language, Intl.NumberFormat>();

/** 18302 as `18,302`. */
export function count(n: number, language: Language): string {
  let format = numbers.get(language);
  if (!format) {
    format = new Intl.NumberFormat(LOCALE[language]);
    numbers.set(language, format);
  }
  return format.format(n);
}

/** Seconds since the session started, to the millisecond: `0:12.044`, `1:02:03.000`. */
export function offset(seconds: number): string {
  const ms = Math.round(Math.max(0, seconds) * 1000);
  const s = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor((s % 3600) / 60);
  const rest = `${two(s % 60)}.${String(ms % 1000).padStart(3, '0')}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Microseconds since the epoch as local date and time, with the name of the zone. */
export function moment(micros: number, language: Language): string {
  const format = new Intl.DateTimeFormat(LOCALE[language], {
    dateStyle: 'medium',
    timeStyle: 'long',
  });
  return format.format(dateOf(micros));
}
