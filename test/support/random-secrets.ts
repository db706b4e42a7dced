/** Secrets as programs draw them, from a seed, and the places in which they turn up. */

export type Draw = (below: number) => number;

/** The same numbers for the same seed (mulberry32). */
export function drawing(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const BASE62 = `${LOWER.toUpperCase()}${LOWER}0123456789`;
const of = (draw: Draw, alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[draw(alphabet.length)]).join('');
const bytes = (draw: Draw, length: number): Buffer => Buffer.from(Array.from({ length }, () => draw(256)));

export const FORMS: Record<string, (draw: Draw) => string> = {
  'base62, 24': (draw) => of(draw, BASE62, 24),
  'base62, 32': (draw) => of(draw, BASE62, 32),
  'base62, 40': (draw) => of(draw, BASE62, 40),
  'base36, 32': (draw) => of(draw, BASE62.slice(26), 32),
  'hex, 32': (draw) => bytes(draw, 16).toString('hex'),
  'hex, 64': (draw) => bytes(draw, 32).toString('hex'),
  'base64 of 32 bytes': (draw) => bytes(draw, 32).toString('base64'),
  'base64url of 32 bytes': (draw) => bytes(draw, 32).toString('base64url'),
  'letters, 32': (draw) => of(draw, BASE62.slice(0, 52), 32),
  'with signs, 24': (draw) => of(draw, `${BASE62}!#$%&*?@^~-_+`, 24),
  'with signs, 32': (draw) => of(draw, `${BASE62}!#$%&*?@^~-_+`, 32),
};

/** What stands around a secret, without a name that would tell it. */
export const AROUND: Record<string, (secret: string) => string> = {
  plain: (secret) => `use this one: ${secret} and go on`,
  alone: (secret) => secret,
  'in Chinese': (secret) => `请用${secret}登录。`,
  'in a command': (secret) => `deploy --with '${secret}' --to eu-west-1 && echo done`,
  'in JSON': (secret) => JSON.stringify({ region: 'eu', value: secret, n: 3 }),
  'in a list of JSON': (secret) => JSON.stringify(['a', secret, { b: [secret] }]),
  'in the environment': (secret) => `HOME=/root\nACME_RELAY=${secret}\nLANG=C.UTF-8\n`,
  'in a URL': (secret) => `GET https://api.example.com/v2/items?sig=${encodeURIComponent(secret)}&page=2`,
  'in a header': (secret) => `X-Acme-Relay: ${secret}\r\nAccept: */*\r\n`,
  'in YAML': (secret) => `relay:\n  value: "${secret}"\n`,
  'in a table': (secret) => `│ relay │ ${secret} │`,
};
