/**
 * The words of a command line, for commands that are in a hurry: options that are written out, each word of its own.
 * Anything else (help, mistakes, short ways to write it) is left to the argument parser: then it is null.
 */
export interface Plain<Options> {
  words: string[];
  options: Options;
}

/** `flags` and `counts`: how an option is written, and its key. */
export function plainWords<Options extends object>(
  argv: readonly string[],
  flags: Record<string, keyof Options>,
  counts: Record<string, keyof Options>,
): Plain<Options> | null {
  const words: string[] = [];
  const options: Partial<Record<keyof Options, true | number>> = {};
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (!word.startsWith('-')) words.push(word);
    else if (Object.hasOwn(flags, word)) options[flags[word]!] = true;
    else if (Object.hasOwn(counts, word) && /^[1-9]\d{0,8}$/.test(argv[i + 1] ?? '')) {
      options[counts[word]!] = Number(argv[++i]);
    } else return null;
  }
  return { words, options: options as Options };
}
