/** Numbers that prove themselves: bank cards, Chinese identity numbers, bank accounts. */

/** The issuers that a card number begins with, but for UnionPay, whose numbers have 16 to 19 digits. */
const CARD_ISSUER = /^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|35(?:2[89]|[3-8])|6(?:011|5|4[4-9]))/;

/** Digits alone: by their issuer and the check digit (Luhn). */
export function isCard(digits: string): boolean {
  const isIssued = digits.length <= 16 && CARD_ISSUER.test(digits);
  if (!isIssued && !(digits.length >= 16 && digits.startsWith('62'))) return false;
  if (/^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

const CHINESE_ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** 18 characters: a province, a date and the check digit of GB 11643. */
export function isChineseId(number: string): boolean {
  if (!isProvince(number) || !isDate(Number(number.slice(6, 10)), number.slice(10, 14))) return false;
  const sum = CHINESE_ID_WEIGHTS.reduce((all, weight, i) => all + weight * Number(number[i]), 0);
  return '10X98765432'[sum % 11] === number[17]!.toUpperCase();
}

/** The form before 1999: 15 digits, without a check digit. */
export function isOldChineseId(number: string): boolean {
  return isProvince(number) && isDate(1900 + Number(number.slice(6, 8)), number.slice(8, 12));
}

const isProvince = (number: string): boolean => /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3])/.test(number);

function isDate(year: number, monthAndDay: string): boolean {
  const [month, day] = [Number(monthAndDay.slice(0, 2)), Number(monthAndDay.slice(2))];
  return year >= 1900 && year <= 2099 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** The length of an IBAN by its country. */
const IBAN_LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 ' +
    'GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 ' +
    'MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 ' +
    'TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

export const IBAN_COUNTRIES: readonly string[] = [...IBAN_LENGTHS.keys()];

export function ibanLength(country: string): number {
  return IBAN_LENGTHS.get(country) ?? 0;
}

/** Letters and digits alone, of the right length: by the check digits (mod 97). */
export function isIban(number: string): boolean {
  let rest = 0;
  for (const c of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(c, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
