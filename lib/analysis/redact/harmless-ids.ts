/** What looks random and is harmless in this session, because it is an id or a digest somewhere: it stays wherever it stands. */

/** A shorter part is no id of its own. */
const MIN_PART_CHARS = 6;
/** Of one id; what is longer is none. */
const MAX_ID_CHARS = 400;
/** At most this many are remembered, so that memory does not grow with an endless session. */
const MAX_PARTS = 1_000_000;

export class HarmlessIds {
  readonly #parts = new Set<string>();

  /** Each part of letters and digits counts alone: the same id is written with prefixes and in paths. */
  add(id: string): void {
    if (id.length > MAX_ID_CHARS || this.#parts.size > MAX_PARTS) return;
    for (const [part] of id.matchAll(/[A-Za-z0-9]+/g)) if (part.length >= MIN_PART_CHARS) this.#parts.add(part);
  }

  /** Whether the part from here to there is one. */
  has(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#parts.size > 0 && to - from >= MIN_PART_CHARS && this.#parts.has(asciiText(bytes, from, to));
  }
}

/** Bytes of ASCII as a text. */
export function asciiText(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
