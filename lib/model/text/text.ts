/**
 * Text for people, from untrusted text. All recorded or typed text goes through `visible` before it reaches a terminal:
 * control characters, escape sequences, bidi controls and invisible characters are shown, never obeyed. Secrets are hidden
 * where the program says so (`mask.ts`).
 */
import { maskedText } from './mask.ts';

// Control characters, line separators, the blank Braille cell, annotations, default-ignorable characters (format characters,
// fillers, joiners, selectors, tags), lone surrogates.
const HOSTILE = /[\p{Cc}\u2028\u2029\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]|\p{Surrogate}/gu;

/** Nothing in such a text is hostile. */
const PLAIN = /^[\x20-\x7e]*$/;

/** One line that is safe to print. `keepLines` keeps line feeds and tabs. */
export function visible(recorded: string, keepLines = false): string {
  const text = maskedText(recorded);
  if (PLAIN.test(text)) return text;
  return text.replace(HOSTILE, (c, at: number) => {
    if (keepLines && (c === '\n' || c === '\t')) return c;
    const code = c.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    if (isNeeded(c, text.slice(Math.max(0, at - 4), at), text.slice(at + c.length, at + c.length + 2))) return c;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Scripts that use joiners between letters. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
];

let letters: { end: RegExp; start: RegExp } | null = null;

/** Made on first use, because that takes a millisecond. */
function joiningLetters(): { end: RegExp; start: RegExp } {
  const letter = `[${JOINING.map((script) => `\\p{Script=${script}}`).join('')}]`;
  letters ??= { end: new RegExp(`${letter}$`, 'u'), start: new RegExp(`^${letter}`, 'u') };
  return letters;
}

/** Joiners and selectors where they have an effect: in emoji, joining letters, and Han variants. */
function isNeeded(c: string, before: string, behind: string): boolean {
  const isStyled = /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u;
  if (c === '\u200d' && isStyled.test(before) && /^\p{Extended_Pictographic}/u.test(behind)) return true;
  if (c === '\u200d' || c === '\u200c') return joiningLetters().end.test(before) && joiningLetters().start.test(behind);
  if (c === '\ufe0e' || c === '\ufe0f')
    return /\p{Extended_Pictographic}$/u.test(before) || (/[\d#*]$/.test(before) && behind.startsWith('\u20e3'));
  return /^[\u{e0100}-\u{e01ef}]/u.test(c) && /\p{Script=Han}$/u.test(before);
}

/** The lines of a text, safe to print, without blank lines at the start and end. */
export function textLines(text: string): string[] {
  // As a whole, because a private key has several lines.
  const lines = maskedText(text)
    .split('\n')
    .map((line) => visible(line.replace(/\r$/, '').replaceAll('\t', '    ')));
  while (lines.length > 0 && lines[0]!.trim() === '') lines.shift();
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop();
  return lines;
}

/** Folds case in any script. A final Greek sigma equals a sigma. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
}

const LONE = /\p{Surrogate}/u;

/** The text as UTF-8 preserves it: a lone surrogate becomes U+FFFD. */
export function wellFormed(text: string): string {
  return LONE.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}

let segmenter: Intl.Segmenter | null = null;

/** Created on first use, because that takes ten milliseconds. */
function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** One-cell characters that never combine: ASCII, Latin, punctuation, arrows, box drawing and signs. */
const SINGLE_CELLS =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2400-\u2426\u2500-\u259f]*$/;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]+$/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f1e6}-\u{1f1ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** How many terminal cells the text occupies. */
export function cells(text: string): number {
  if (SINGLE_CELLS.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += cellsOf(segment);
  return width;
}

/** The same for one grapheme cluster. */
export function cellsOf(cluster: string): number {
  if (WIDE.test(cluster)) return 2;
  return ZERO_WIDTH.test(cluster) ? 0 : 1;
}

/** The text cut to `width` cells, with an ellipsis if something was cut off. */
export function clip(text: string, width: number): string {
  if (SINGLE_CELLS.test(text)) return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
  let used = 0;
  let kept = 0;
  for (const { segment, index } of graphemes(text)) {
    const w = cellsOf(segment);
    if (used + w > width) return `${text.slice(0, kept)}…`;
    used += w;
    if (used <= width - 1) kept = index + segment.length;
  }
  return text;
}

/** The text padded with spaces to `width` cells. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - cells(text)));
}

/** 1234567 as `1.2 MB`. */
export function humanBytes(n: number): string {
  if (n < 1000) return `${n} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = n / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** `1234`, but `14.2k` for 14150. */
export function humanCount(n: number): string {
  if (n < 10_000) return String(n);
  if (n < 999_500) return `${n < 99_950 ? (n / 1000).toFixed(1) : Math.round(n / 1000)}k`;
  return `${(n / 1e6).toFixed(n < 9.995e6 ? 2 : 1)}M`;
}

/** Seconds of something that still goes on: whole ones, `14 s`. */
export function wholeSeconds(seconds: number): string {
  return seconds < 60 ? `${Math.floor(Math.max(0, seconds))} s` : humanSeconds(seconds);
}

/** Seconds for people: `8 ms`, `1.24 s`, `3m 05s`, `2h 10m`. */
export function humanSeconds(seconds: number): string {
  if (seconds >= 1e-6 && seconds < 0.0005) return '<1 ms';
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 59.995) return `${seconds.toFixed(2)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, '0')}s`;
  return `${Math.floor(whole / 3600)}h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')}m`;
}

/** Never 0% for more than nothing, and never 100% for less than all. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '<1%';
  if (share < 1 && share > 0.995) return '>99%';
  return `${Math.round(100 * share)}%`;
}

/** The source of a pattern that matches this text. */
export function asPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Any value of a message as text. `String` throws where an object of the message has a `toString` of its own. */
export function textOfValue(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
