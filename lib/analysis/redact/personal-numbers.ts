/** Numbers that identify a person: phones, cards, identity numbers, passports, bank accounts. */
import { ibanLength, isCard, isChineseId, isIban, isOldChineseId } from './check-digits.ts';
import { isLocalPartChar } from './email.ts';
import { privateIpv4Hit } from './hosts.ts';
import type { Hit } from './kinds.ts';
import type { CountryPresets } from './presets.ts';

const END = '(?![0-9A-Za-z_]|[.-][0-9])';
const sticky = (source: string): RegExp => new RegExp(source + END, 'y');

const CARD_NUMBER = sticky(
  '(?:[0-9]{15,19}|[0-9]{4}([ -])[0-9]{4}\\1[0-9]{4}\\1[0-9]{4}(?:\\1[0-9]{1,3})?|3[47][0-9]{2}([ -])[0-9]{6}\\2[0-9]{5})',
);
const US_PHONE = sticky('[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}');
/** The numbers that the operators have. */
const MOBILE_PREFIX = '1(?:3[0-9]|4[5-9]|5[0-35-9]|6[2567]|7[0-8]|8[0-9]|9[0-35-9])';
const CHINESE_MOBILE = sticky(`${MOBILE_PREFIX}[0-9]{8}`);
const GROUPED_MOBILE = sticky(`${MOBILE_PREFIX}([ -])[0-9]{4}\\1[0-9]{4}`);
const AREA_CODE = '0(?:10|2[0-57-9]|[3-9][0-9]{2})';
const LANDLINE = sticky(`${AREA_CODE}-[2-8][0-9]{2,3}[ -]?[0-9]{4}`);
const LANDLINE_IN_BRACKETS = sticky(`\\(${AREA_CODE}\\)[ -]?[2-8][0-9]{2,3}[ -]?[0-9]{4}`);
const SSN = sticky('(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}');
const CHINESE_ID = sticky('[1-8][0-9]{16}[0-9Xx]');
const INTERNATIONAL = sticky(
  '(?:\\+[1-9][0-9]{0,2}[ .-]?(?:\\([0-9]{1,4}\\)[ .-]?)?[0-9]{1,4}(?:[ .-]?[0-9]{2,4}){2,4}|\\([2-9][0-9]{2}\\) ?[2-9][0-9]{2}-[0-9]{4})',
);
const TELEGRAM = /[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}/y;

const US_PHONE_WITH_DOTS = sticky('[2-9][0-9]{2}\\.[2-9][0-9]{2}\\.[0-9]{4}');
/** As they are written at home: in pairs, or behind an area code or that of an operator. */
const EUROPEAN_PHONE = sticky(
  '(?:0[1-79](?:([ .-])[0-9]{2})(?:\\1[0-9]{2}){3}|01[5-7][0-9]{1,2}[ /-][0-9]{7,8}|07[0-9]{3}[ ][0-9]{3}[ ]?[0-9]{3}|06-[0-9]{8}|0(?:1[0-9]{2,3}|2[0-9]|3[0-9]{2})[ ][0-9]{3,4}[ ][0-9]{4})',
);
/** Any digits in groups, behind a word that says so. */
const CALLED_PHONE = sticky('(?:0|[6-9])[0-9]{2,4}(?:[ /.-]?[0-9]{2,4}){2,4}');
const DIALLED_ABROAD = sticky('00[1-9][0-9]{0,2}[ .-]?[0-9]{1,4}(?:[ .-]?[0-9]{2,4}){2,4}');
const PHONE_WORD =
  /(?:\b(?:tel|phone|mobile?|cell|fax|call|ring|dial|handy|rufnummer|ruf|telefono?|m[oó]vil|t[eé]l[eé]phone|t[eé]l|portable|appelez|bel|whatsapp)\b|电话|手机|传真)[^0-9A-Za-z]{0,6}(?:[A-Za-z]{1,6}[^0-9A-Za-z]{1,3})?$/i;

/** Words before a number, at most so far away, that tell what it is. */
const MAX_CHARS_BEFORE = 40;
const ID_WORD = /身份证|证件|公民|[Ii][Dd] ?[Cc]ard|identity/;
const SSN_WORD = /\bSSN\b|[Ss]ocial [Ss]ecurity/i;
const PASSPORT_WORD = /passport|护照|通行证/i;
/** What counts bytes or time, or names a row: eleven digits behind it are no phone, nor before a unit. */
const MEASURE_WORD =
  /(?:size|bytes?|total|used|free|avail(?:able)?|mem(?:ory)?|limit|count|time|timestamp|stamp|_at|At|ts|nanos?|micros|duration|elapsed|offset|length|tokens?|usage|quota|capacity|seq|version|ids?|Id|inode|rss|heap|blocks?)["'\\]{0,4}\s{0,3}[:=]?\s{0,3}$/i;
const UNIT_AFTER = /^[ \t]?(?:[kKMGT]?i?[bB]\b|bytes?\b|[nuµm]s\b|ns\b|tokens?\b|octets?\b|字节|微秒|纳秒)/;

const isDigit = (c: number): boolean => c >= 48 && c <= 57;

/** What a number at the start of a word is, by its length and by what follows. */
export function numberHit(text: string, at: number, presets: CountryPresets): Hit | null {
  const before = text.charCodeAt(at - 1);
  // In the middle of a number, an id or a version.
  if (before === 46 || before === 45 || before === 95 || before === 43) return null;
  let end = at + 2;
  while (end - at < 20 && isDigit(text.charCodeAt(end))) end++;
  const length = end - at;
  const c = text.charCodeAt(end);
  const isGap = c === 32 || c === 45;
  const phone = presets.has('us') && length === 3 && c === 46 ? matchHit('phone', US_PHONE_WITH_DOTS, text, at) : null;
  if (phone) return phone;
  const european = presets.has('eu') && (text[at] === '0' || isGap) ? europeanHit(text, at) : null;
  return european ?? numberOfLength(text, at, end, presets);
}

function numberOfLength(text: string, at: number, end: number, presets: CountryPresets): Hit | null {
  const length = end - at;
  const c = text.charCodeAt(end);
  if (length <= 3 && c === 46) return privateIpv4Hit(text, at);
  if (length <= 4 && (c === 32 || c === 45)) return shortGroupHit(text, at, length, presets);
  if (length >= 8 && length <= 10 && c === 58) return matchHit('telegram-token', TELEGRAM, text, at);
  if (length === 9) return nineDigitsHit(text, at, end, presets);
  if (length === 11) return presets.has('cn') ? mobileHit(text, at) : null;
  if (length === 13 && text.startsWith('86', at)) return presets.has('cn') ? mobileHit(text, at, 2) : null;
  return length >= 15 && length <= 19 ? longNumberHit(text, at, length, presets) : null;
}

/** A phone number of Europe, as it is written at home, or as it is dialled from abroad. */
function europeanHit(text: string, at: number): Hit | null {
  const certain = matchHit('phone', EUROPEAN_PHONE, text, at);
  if (certain) return certain;
  if (!PHONE_WORD.test(text.slice(Math.max(0, at - MAX_CHARS_BEFORE), at)) && !text.startsWith('00', at)) return null;
  const found = matchHit('phone', text.startsWith('00', at) ? DIALLED_ABROAD : CALLED_PHONE, text, at);
  const digits = found ? text.slice(at, found.end).replace(/[^0-9]/g, '').length : 0;
  return digits >= 9 && digits <= 15 ? found : null;
}

function shortGroupHit(text: string, at: number, length: number, presets: CountryPresets): Hit | null {
  if (length === 4) return cardHit(text, at) ?? (presets.has('cn') ? matchHit('phone', LANDLINE, text, at) : null);
  if (length !== 3) return null;
  const found = presets.has('us') ? matchHit('phone', US_PHONE, text, at) : null;
  if (found) return found;
  const chinese = presets.has('cn')
    ? (matchHit('phone', GROUPED_MOBILE, text, at) ?? matchHit('phone', LANDLINE, text, at))
    : null;
  if (chinese) return chinese;
  return presets.has('us') && isNear(text, at, SSN_WORD) ? matchHit('id-number', SSN, text, at) : null;
}

/** Nine digits are what a word before them says. */
function nineDigitsHit(text: string, at: number, end: number, presets: CountryPresets): Hit | null {
  if (!presets.has('us') || /[0-9A-Za-z_.-]/.test(text[end] ?? '')) return null;
  if (isNear(text, at, SSN_WORD)) return { kind: 'id-number', start: at, end, from: at, strong: false };
  return isNear(text, at, PASSPORT_WORD) ? { kind: 'passport', start: at, end, from: at, strong: false } : null;
}

/** Eleven digits that an operator has given out, unless they are said to be a size or a time. */
function mobileHit(text: string, at: number, code = 0): Hit | null {
  const found = matchHit('phone', CHINESE_MOBILE, text, at + code);
  if (!found) return null;
  if (Number(text.slice(at, found.end)) % 1024 === 0 || UNIT_AFTER.test(text.slice(found.end, found.end + 10)))
    return null;
  return MEASURE_WORD.test(text.slice(Math.max(0, at - MAX_CHARS_BEFORE), at)) ? null : found;
}

function longNumberHit(text: string, at: number, length: number, presets: CountryPresets): Hit | null {
  if (presets.has('cn') && (length === 17 || length === 18)) {
    const found = matchHit('id-number', CHINESE_ID, text, at);
    if (found && isChineseId(text.slice(at, found.end))) return found;
  }
  if (presets.has('cn') && length === 15 && isNear(text, at, ID_WORD) && isOldChineseId(text.slice(at, at + 15)))
    return { kind: 'id-number', start: at, end: at + 15, from: at, strong: false };
  return cardHit(text, at);
}

function cardHit(text: string, at: number): Hit | null {
  const card = matchHit('card', CARD_NUMBER, text, at);
  return card && isCard(text.slice(card.start, card.end).replace(/[ -]/g, '')) ? card : null;
}

function isNear(text: string, at: number, word: RegExp): boolean {
  return word.test(text.slice(Math.max(0, at - MAX_CHARS_BEFORE), at));
}

function matchHit(kind: string, form: RegExp, text: string, at: number): Hit | null {
  form.lastIndex = at;
  return form.test(text) ? { kind, start: at, end: form.lastIndex, from: at, strong: kind === 'telegram-token' } : null;
}

/** A number that begins with a plus or a bracket. */
export function phoneHit(text: string, at: number, presets: CountryPresets): Hit | null {
  const before = text.charCodeAt(at - 1);
  if (isLocalPartChar(before) && before !== 46) return null;
  const found = matchHit('phone', INTERNATIONAL, text, at);
  const digits = found ? text.slice(at, found.end).replace(/[^0-9]/g, '').length : 0;
  if (digits >= 10 && digits <= 15) return found;
  return presets.has('cn') ? matchHit('phone', LANDLINE_IN_BRACKETS, text, at) : null;
}

const PASSPORT = /[A-Z]{1,2}[0-9]{7,8}(?![0-9A-Za-z_-])/y;

/** A passport behind its word; `at`: its last letter. */
export function passportHit(text: string, at: number): Hit | null {
  const isSecond = /[A-Z]/.test(text[at - 1] ?? '');
  const start = isSecond ? at - 1 : at;
  if (/[A-Za-z0-9_-]/.test(text[start - 1] ?? '')) return null;
  const found = matchHit('passport', PASSPORT, text, start);
  return found && isNear(text, start, PASSPORT_WORD) ? found : null;
}

/** An IBAN, as one word or in groups of four. */
export function ibanHit(text: string, at: number): Hit | null {
  const length = ibanLength(text.slice(at, at + 2));
  if (length === 0 || !isDigit(text.charCodeAt(at + 2)) || !isDigit(text.charCodeAt(at + 3))) return null;
  const gap = text[at + 4];
  const isGrouped = gap === ' ' || gap === '-';
  const end = at + length + (isGrouped ? Math.floor((length - 1) / 4) : 0);
  const written = text.slice(at, end);
  const number = isGrouped ? written.split(gap).join('') : written;
  if (number.length !== length || !/^[A-Z0-9]+$/.test(number) || /[A-Za-z0-9]/.test(text[end] ?? '')) return null;
  return isIban(number) ? { kind: 'iban', start: at, end, from: at, strong: false } : null;
}
