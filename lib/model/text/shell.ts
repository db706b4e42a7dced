/** Words for a shell: what is pasted or run must mean the word itself. */

/** Quotes a word for sh. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A word as a person would write it: quoted only if it has to be. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : quote(word);
}
