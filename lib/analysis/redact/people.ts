/** Personal data that begins neither with a digit nor around an `@`: what may start at a pair of characters. */
import { startsWord } from '../../model/text/key-formats.ts';
import { idAt, ownersAt, passwdAt } from './accounts.ts';
import { IBAN_COUNTRIES } from './check-digits.ts';
import { tildeAt } from './homes.ts';
import { INTERNAL_ENDINGS, internalHostAt, sixAt } from './hosts.ts';
import type { Hit } from './kinds.ts';
import { ibanAt, passportAt, phoneAt } from './personal.ts';
import type { Presets } from './presets.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const DIGITS = [...'0123456789'];

/** The pairs of characters that it may start with. */
export const PEOPLE_PAIRS: readonly string[] = [
  ...['fc', 'fd', 'fe', 'FC', 'FD', 'FE', 'ui', ':x', 'rw', 'r-', ...IBAN_COUNTRIES],
  ...INTERNAL_ENDINGS.map((ending) => ending.slice(0, 2)),
  ...DIGITS.flatMap((digit) => [`+${digit}`, `(${digit}`]),
  ...LETTERS.flatMap((letter) => [`~${letter}`, `~${letter.toLowerCase()}`, ...DIGITS.map((digit) => letter + digit)]),
];

const NONE: readonly Hit[] = [];
const listOf = (hit: Hit | null): readonly Hit[] => (hit ? [hit] : NONE);

export function peopleAt(text: string, at: number, presets: Presets): readonly Hit[] {
  switch (text[at]) {
    case 'r':
      return ownersAt(text, at);
    case 'u':
      return text.startsWith('uid=', at) ? idAt(text, at) : NONE;
    case ':':
      return passwdAt(text, at);
    case '~':
      return listOf(tildeAt(text, at));
    case '.':
      return listOf(internalHostAt(text, at));
    case '+':
    case '(':
      return listOf(phoneAt(text, at, presets));
    default:
      return listOf((startsWord(text, at) ? sixAt(text, at) : null) ?? documentAt(text, at, presets));
  }
}

/** A passport, whose last letter stands here, or a bank account that begins. */
function documentAt(text: string, at: number, presets: Presets): Hit | null {
  if (/[0-9]/.test(text[at + 1] ?? '')) return presets.has('cn') || presets.has('us') ? passportAt(text, at) : null;
  return presets.has('eu') && startsWord(text, at) ? ibanAt(text, at) : null;
}
