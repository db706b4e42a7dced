/** What a text cites: rules of the model by letter and number, and decisions by number. */

/** The comments of a source, line by line. Only comments that end a line of code need a space on both sides of `//`. */
export function commentsOf(source: string): string {
  return source
    .split('\n')
    .map((line) => (/^\s*(?:\/\/|\/\*|\*)/.test(line) ? line : (line.match(/[^'"`] \/\/ (.*)$/)?.[1] ?? '')))
    .join('\n')
    .replaceAll(/`[^`\n]*`/g, '');
}

/** `T6`, and each of `A1-A4`. */
export function citedRules(text: string): string[] {
  return [...text.matchAll(/\b([FRTSCWUAN])(\d{1,2})(?:(?:-| to )\1(\d{1,2}))?\b/g)].flatMap(
    ([, letter, first, last]) => {
      const count = Number(last ?? first) - Number(first) + 1;
      return Array.from({ length: count }, (_, at) => `${letter}${Number(first) + at}`);
    },
  );
}

export function citedDecisions(text: string): number[] {
  return [...text.matchAll(/\bdecisions? (\d+(?:(?:, | and |-)\d+)*)/gi)].flatMap(([, numbers]) =>
    numbers!.match(/\d+/g)!.map(Number),
  );
}

/** The rules in the page about the model, each under a heading of its own. */
export function rulesIn(page: string): { name: string; text: string }[] {
  return [...page.matchAll(/^### (\S+)\n([^#]*)/gm)].map(([, name, text]) => ({ name: name!, text: text!.trim() }));
}
