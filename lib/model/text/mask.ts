/**
 * What hides secrets on a screen. The program sets it once, for commands whose output is for people; elsewhere nothing is
 * hidden. `visible` applies it. Code that shortens a recorded text must apply it first: half a key would not be recognised.
 */

export interface SecretMask {
  text(text: string): string;
  /** Strings anywhere in a value, and those under names such as `password`. */
  value<T>(value: T): T;
}

const MAX_NAME_CHARS = 60;
let mask: SecretMask | null = null;

export function maskSecrets(by: SecretMask | null): void {
  mask = by;
}

export function hidesSecrets(): boolean {
  return mask !== null;
}

export function maskedText(text: string): string {
  return mask === null ? text : mask.text(text);
}

export function maskedValue<T>(value: T): T {
  return mask === null ? value : mask.value(value);
}

/** No secret is longer. */
const MAX_SECRET_CHARS = 1 << 16;

/** The beginning of a recorded text, masked before it is cut: half a key would not be recognised. */
export function maskAndShorten(text: string, max: number, mark = '…'): string {
  const shown = text.length > max ? maskedText(text.slice(0, max + MAX_SECRET_CHARS)) : text;
  return shown.length > max ? `${shown.slice(0, max)}${mark}` : shown;
}

/** The value at the end of this path, whose last part may give it away: `/params/password`. */
export function maskedAt<T>(path: string, value: T): T {
  if (mask === null) return value;
  const name = /[\w-]*$/.exec(path.slice(-MAX_NAME_CHARS))![0];
  return mask.value({ [name]: value })[name]!;
}
