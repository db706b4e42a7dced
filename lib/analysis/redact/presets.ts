/** Personal data by country: which forms of phone numbers and of numbers of people are looked for. */

/**
 * `cn`: mobile numbers and landlines without a country code, identity numbers, passports, UnionPay. `us`: phone numbers,
 * Social Security numbers, passports. `eu`: bank accounts (IBAN). Numbers with a country code, and cards, are in none: they
 * are always looked for.
 */
export const COUNTRY_PRESETS = ['cn', 'us', 'eu'] as const;
export type CountryPreset = (typeof COUNTRY_PRESETS)[number];
export type CountryPresets = ReadonlySet<CountryPreset>;

export const ALL_PRESETS: CountryPresets = new Set(COUNTRY_PRESETS);
