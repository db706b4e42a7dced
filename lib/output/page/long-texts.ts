/**
 * Where the latest long texts stand. Texts are found by a few of their characters and then compared: to hash all of a
 * text, as a map would, takes longer than everything else that is done with it.
 */

/** Texts that are remembered, and the characters that they may have together. */
const MAX_TEXTS = 20_000;
const MAX_CHARS = 16 << 20;
/** Texts that look the same at a glance. More never happen by chance, and a tape made to have them must not slow us down. */
const MAX_ALIKE_TEXTS = 16;
/** Characters of a text that are looked at. */
const COMPARED_CHARS = 32;

interface RememberedText {
  text: string;
  f: number;
  n: number;
}

export class LongTexts {
  /** A map keeps the order. */
  readonly #texts = new Map<number, RememberedText[]>();
  #count = 0;
  #characters = 0;

  /** `n`: which of the strings of the frame it is. The first frame that says a text is kept. */
  add(text: string, f: number, n: number): void {
    const mark = markOf(text);
    const alike = this.#texts.get(mark);
    if (alike === undefined) this.#texts.set(mark, [{ text, f, n }]);
    else if (alike.length < MAX_ALIKE_TEXTS && !alike.some((one) => one.text === text)) alike.push({ text, f, n });
    else return;
    this.#count++;
    this.#characters += text.length;
    if (this.#count > MAX_TEXTS || this.#characters > MAX_CHARS) this.#forget();
  }

  find(text: string): RememberedText | undefined {
    return this.#texts.get(markOf(text))?.find((one) => one.text === text);
  }

  /** The oldest half. */
  #forget(): void {
    const [most, characters] = [this.#count / 2, this.#characters / 2];
    for (const [mark, alike] of this.#texts) {
      if (this.#count <= most && this.#characters <= characters) break;
      this.#texts.delete(mark);
      this.#count -= alike.length;
      for (const { text } of alike) this.#characters -= text.length;
    }
  }
}

function markOf(text: string): number {
  const step = Math.ceil(text.length / COMPARED_CHARS);
  let mark = text.length;
  for (let at = text.length - 1; at >= 0; at -= step) mark = (Math.imul(mark, 31) + text.charCodeAt(at)) | 0;
  return mark;
}
