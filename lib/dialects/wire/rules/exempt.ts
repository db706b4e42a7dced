/** Rules for any protocol that Wire replaces by its own. */
export const EXEMPT_RULES: readonly string[] = [
  ...['io-noise-first', 'io-noise', 'io-bad-line', 'io-utf8', 'io-bom', 'io-cut', 'io-blank'],
  ...['io-early-eof', 'io-exit-success', 'io-exit-failure'],
];
