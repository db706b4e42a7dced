/** Personal data that begins neither with a digit nor around an `@`: what may start at a pair of characters. */
import { startsWord } from '../../model/text/key-formats.ts';
import { idHits, ownersHits, passwdHits } from './accounts.ts';
import { IBAN_COUNTRIES } from './check-digits.ts';
import { dashedHomeHit, tildeHit } from './homes.ts';
import { INTERNAL_ENDINGS, internalHostHit, privateIpv6Hit } from './hosts.ts';
import type { Hit } from './kinds.ts';
import { ibanHit, passportHit, phoneHit } from './personal-numbers.ts';
import type { CountryPresets } from './presets.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const DIGITS = [...'0123456789'];

/** The pairs of characters that it may start with. */
export const PEOPLE_PAIRS: readonly string[] = [
  ...['fc', 'fd', 'fe', 'FC', 'FD', 'FE', 'ui', ':x', '/-', 'rw', 'r-', ...IBAN_COUNTRIES],
  ...INTERNAL_ENDINGS.map((ending) => ending.slice(0, 2)),
  ...DIGITS.flatMap((digit) => [`+${digit}`, `(${digit}`]),
  ...LETTERS.flatMap((letter) => [`~${letter}`, `~${letter.toLowerCase()}`, ...DIGITS.map((digit) => letter + digit)]),
];

const NO_HITS: readonly Hit[] = [];
const listOf = (hit: Hit | null): readonly Hit[] => (hit ? [hit] : NO_HITS);

export function peopleHits(text: string, at: number, presets: CountryPresets): readonly Hit[] {
  switch (text[at]) {
    case 'r':
      return ownersHits(text, at);
    case 'u':
      return text.startsWith('uid=', at) ? idHits(text, at) : NO_HITS;
    case ':':
      return passwdHits(text, at);
    case '/':
      return listOf(dashedHomeHit(text, at));
    case '~':
      return listOf(tildeHit(text, at));
    case '.':
      return listOf(internalHostHit(text, at));
    case '+':
    case '(':
      return listOf(phoneHit(text, at, presets));
    default:
      return listOf((startsWord(text, at) ? privateIpv6Hit(text, at) : null) ?? documentHit(text, at, presets));
  }
}

/** A passport, whose last letter stands here, or a bank account that begins. */
function documentHit(text: string, at: number, presets: CountryPresets): Hit | null {
  if (/[0-9]/.test(text[at + 1] ?? '')) return presets.has('cn') || presets.has('us') ? passportHit(text, at) : null;
  return presets.has('eu') && startsWord(text, at) ? ibanHit(text, at) : null;
}
