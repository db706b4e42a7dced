/** What tests want to know of a page in Markdown. */

export interface Shown {
  line: string;
  /** Null where only options follow, as in `wiretape --version`. */
  command: string | null;
  options: string[];
}

/** The text of every code span outside of fenced blocks. */
export function codeSpans(page: string): string[] {
  return [...withoutFences(page).matchAll(/`([^`\n]+(?:\n[^`\n]+)?)`/g)].map(([, text]) =>
    text!.replaceAll(/\s+/g, ' '),
  );
}

/** Commands in fenced blocks, behind `$ `, and in code spans. */
export function commandsIn(page: string): Shown[] {
  const fenced = [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap(
    ([, text]) => text!.match(/^\$ wiretape.*/gm) ?? [],
  );
  const spans = codeSpans(page).filter((text) => text.startsWith('wiretape '));
  return [...fenced.map((line) => line.slice(2)), ...spans].map(shown);
}

export interface Example {
  line: string;
  /** Behind `wiretape`. */
  words: string[];
  /** `…` stands for lines that are left out. */
  output: string[];
}

/** Commands that are shown with their output. */
export function examplesIn(page: string): Example[] {
  return [...page.matchAll(/^```console\n\$ wiretape (.*)\n((?!\$ )[^\n]+\n[\s\S]*?)^```/gm)].map(
    ([, line, output]) => ({
      line: line!,
      words: line!.split(' '),
      output: output!.trimEnd().split('\n'),
    }),
  );
}

function shown(line: string): Shown {
  const words: string[] = line.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  // What follows belongs to the agent, to the next program, or to a reader.
  const end = words.findIndex((word, i) => i > 0 && /^(?:--|\||>|#.*|&&)$/.test(word));
  const own = words.slice(1, end < 0 ? undefined : end);
  const [first] = own;
  const command = first === undefined || first.startsWith('-') ? null : first;
  return { line, command: command === 'COMMAND' ? 'help' : command, options: own.flatMap(optionsIn) };
}

/** Long options anywhere in a text; a short one only where it is a word of its own. */
export function optionsIn(text: string): string[] {
  if (/^-\w$/.test(text)) return [text];
  return [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option);
}

/** The first cell of each row that is one code span, without its backticks. */
export function firstCells(page: string): string[] {
  return [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, text]) => text!);
}

/** Links within the project. */
export function linksIn(page: string): string[] {
  const links = [...withoutFences(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

/** As GitHub makes them of headings. */
export function anchorsOf(page: string): string[] {
  return [...withoutFences(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}

/** What a page says in words: without fenced blocks, code spans, and the targets of links. */
export function prose(page: string): string {
  return withoutFences(page)
    .replaceAll(/`[^`\n]+(?:\n[^`\n]+)?`/g, '')
    .replaceAll(/\]\([^)\s]+\)/g, ']');
}

function withoutFences(page: string): string {
  return page.replaceAll(/^```[\s\S]*?^```/gm, '');
}
