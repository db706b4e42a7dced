/** Personal data by country: which forms of phone numbers and of numbers of people are looked for. */

/**
 * `cn`: mobile numbers and landlines without a country code, identity numbers, passports, UnionPay. `us`: phone numbers,
 * Social Security numbers, passports. `eu`: bank accounts (IBAN). Numbers with a country code, and cards, are in none: they
 * are always looked for.
 */
export const PRESETS = ['cn', 'us', 'eu'] as const;
export type Preset = (typeof PRESETS)[number];
export type Presets = ReadonlySet<Preset>;

export const ALL_PRESETS: Presets = new Set(PRESETS);
