/**
 * What hides secrets on a screen. The program sets it once, for commands whose output is for people; elsewhere nothing is
 * hidden. `visible` applies it. Code that shortens a recorded text must apply it first: half a key would not be recognised.
 */

export interface Mask {
  text(text: string): string;
  /** Strings anywhere in a value, and those under names such as `password`. */
  value<T>(value: T): T;
}

const LONGEST_NAME = 60;
let mask: Mask | null = null;

export function maskSecrets(by: Mask | null): void {
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
const LONGEST_SECRET = 1 << 16;

/** The beginning of a recorded text, masked before it is cut: half a key would not be recognised. */
export function shortened(text: string, most: number, mark = '…'): string {
  const shown = text.length > most ? maskedText(text.slice(0, most + LONGEST_SECRET)) : text;
  return shown.length > most ? `${shown.slice(0, most)}${mark}` : shown;
}

/** The value at the end of this path, whose last part may give it away: `/params/password`. */
export function maskedAt<T>(path: string, value: T): T {
  if (mask === null) return value;
  const name = /[\w-]*$/.exec(path.slice(-LONGEST_NAME))![0];
  return mask.value({ [name]: value })[name]!;
}
