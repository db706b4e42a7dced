/** Numbers for strings: a long session has the same few over and over. */
export class StringTable {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    // A copy: part of a line would keep all of that line in memory.
    const own = JSON.parse(JSON.stringify(text)) as string;
    this.#numbers.set(own, this.#texts.length);
    return this.#texts.push(own) - 1;
  }

  text(number: number): string {
    return this.#texts[number]!;
  }
}
