/**
 * Splits a shell command line into its simple commands, so that a rule for the first word does not let the rest through.
 * It knows quotes, chains (`;`, `&`, `&&`, `||`, `|`, newlines), groups, `$(…)`, backticks, `<(…)`, `sh -c` and `eval`. What
 * it cannot follow for certain (here-documents, `$'…'`, escaped backticks, an open quote) makes the whole line unclear.
 * Linear in the length of the text.
 */

export interface SimpleCommand {
  /** As written, with single blanks between words. */
  text: string;
  /** Its words without quotes, as the shell would pass them; variables are left as they are. */
  words: string[];
  /** The files that it redirects output to. */
  writes: string[];
  /** The name of its program stands there, and is not what a shell makes of a variable or a pattern. */
  isNamed: boolean;
}

export interface SplitCommand {
  commands: SimpleCommand[];
  /** Nobody can tell for certain what runs. `commands` then has every piece that might be one. */
  unclear: boolean;
}

const MAX_SCRIPT_DEPTH = 8;
const MAX_COMMANDS = 1000;

export function splitCommand(text: string, depth = 0): SplitCommand {
  const splitter = new CommandSplitter(text);
  splitter.run();
  const split: SplitCommand = { commands: splitter.commands, unclear: splitter.unclear };
  const inner = [...splitter.nested, ...splitter.commands.flatMap(scriptsIn)];
  if (inner.length > 0 && depth >= MAX_SCRIPT_DEPTH) split.unclear = true;
  else for (const script of inner) addCommands(split, splitCommand(script, depth + 1));
  if (split.unclear && depth === 0)
    addCommands(split, { commands: text.split(/[\n;&|()`]/, MAX_COMMANDS).flatMap(bareCommand), unclear: true });
  return split;
}

function addCommands(to: SplitCommand, { commands, unclear }: SplitCommand): void {
  const free = MAX_COMMANDS - to.commands.length;
  to.commands.push(...commands.slice(0, free));
  to.unclear ||= unclear || commands.length > free;
}

/** A piece of an unclear line, as if nothing in it were quoted. */
function bareCommand(piece: string): SimpleCommand[] {
  const words = piece
    .replaceAll(/["'\\]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length === 0 ? [] : [{ text: words.join(' '), words, writes: [], isNamed: isNamed(words) }];
}

/** A variable, the output of a command, a pattern for file names, or `{a,b}`. */
const EXPANDED = /[$`*?]|\{[^{}]+\}|\[[^[\]]+\]/;

/** Words before which another command may stand. */
const BEFORE =
  /^(?:if|then|else|elif|while|until|do|!|\{|function|coproc|time|sudo|doas|env|xargs|parallel|nohup|exec|command|builtin|nice|ionice|chrt|taskset|timeout|stdbuf|setsid|unshare|chroot|flock|watch|strace|ltrace|busybox|toybox)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

export const isAssignment = (word: string): boolean => ASSIGNMENT.test(word);
export const isBefore = (word: string): boolean => BEFORE.test(word.replace(/^.*\//, ''));

/** Nobody can tell which file a shell takes it for. */
export const isExpanded = (path: string): boolean => path.startsWith('~') || EXPANDED.test(path);

/** The folder of the program may be anything. */
function isNamed(words: readonly string[]): boolean {
  const word = words.find((one) => !isAssignment(one) && !isBefore(one)) ?? '';
  const slash = word.lastIndexOf('/');
  const isOutside = slash > Math.max(...[')', '}', '`'].map((closingBracket) => word.lastIndexOf(closingBracket)));
  return !EXPANDED.test(isOutside ? word.slice(slash + 1) : word);
}

const SHELLS = /^(?:.*\/)?(?:sh|bash|dash|zsh|ksh|ash|fish|su|script)$/;

/** What `sh -c`, `eval` and `trap` run. */
function scriptsIn({ words }: SimpleCommand): string[] {
  if (words[0] === 'trap') return words.slice(1, 2);
  const at = words.findIndex((word) => SHELLS.test(word) || word === 'eval');
  if (at < 0) return [];
  if (words[at] === 'eval') return at + 1 < words.length ? [words.slice(at + 1).join(' ')] : [];
  const option = words.findIndex((word, i) => i > at && /^-[a-z]*c[a-z]*$/.test(word));
  const script = option < 0 ? undefined : words[option + 1];
  return script === undefined ? [] : [script];
}

class CommandSplitter {
  readonly commands: SimpleCommand[] = [];
  /** The scripts inside `$(…)`, backticks and `<(…)`. */
  readonly nested: string[] = [];
  unclear = false;
  readonly #text: string;
  #at = 0;
  /** The command so far. */
  #raw = '';
  #words: string[] = [];
  #writes: string[] = [];
  /** The word so far; null between words. */
  #word: string | null = null;
  /** The next word is the target of a redirection of output or of input. */
  #redirects: '>' | '<' | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  run(): void {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand();
  }

  #step(): void {
    const char = this.#text[this.#at]!;
    const next = this.#text[this.#at + 1];
    if ((char === '$' && next === "'") || (char === '<' && next === '<')) this.unclear = true;
    if (char === '#' && this.#word === null) return this.#comment();
    if (char === '\\') return this.#escape();
    if (char === "'") return this.#single();
    if (char === '"') return this.#double();
    if (this.#substitution()) return;
    if (char === '\n' || char === ';' || char === '|' || char === '(' || char === ')') return this.#chain();
    // `&>file` does not end a command.
    if (char === '&' && next !== '>') return this.#chain();
    if (char === ' ' || char === '\t') {
      this.#endWord();
      this.#raw += ' ';
      this.#at++;
    } else if (char === '>' || char === '<') this.#redirect(char);
    else this.#add(char, char);
  }

  #add(raw: string, value: string): void {
    this.#raw += raw;
    this.#word = (this.#word ?? '') + value;
    this.#at += raw.length;
  }

  #chain(): void {
    this.#endCommand();
    this.#at++;
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #escape(): void {
    const next = this.#text[this.#at + 1];
    // A line that goes on.
    if (next === '\n') this.#at += 2;
    else this.#add(`\\${next ?? ''}`, next ?? '');
  }

  #single(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) this.unclear = true;
    const to = end < 0 ? this.#text.length : end;
    const content = this.#text.slice(this.#at + 1, to);
    this.#add(this.#text.slice(this.#at, to + 1), content);
  }

  #double(): void {
    this.#add('"', '');
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]!;
      if (char === '"') return this.#add('"', '');
      if (char === '\\') this.#escape();
      else if (!this.#substitution()) this.#add(char, char);
    }
    this.unclear = true;
  }

  /** `$(…)`, backticks, `<(…)` and `>(…)`. What is inside runs too. */
  #substitution(): boolean {
    const text = this.#text;
    const char = text[this.#at]!;
    if (char === '`') {
      const end = text.indexOf('`', this.#at + 1);
      if (text.slice(this.#at, end < 0 ? text.length : end).includes('\\')) this.unclear = true;
      return this.#inside(this.#at + 1, end);
    }
    if (text[this.#at + 1] !== '(' || (char !== '$' && char !== '<' && char !== '>')) return false;
    return this.#inside(this.#at + 2, closingBracket(text, this.#at + 2));
  }

  #inside(from: number, end: number): true {
    if (end < 0) this.unclear = true;
    const to = end < 0 ? this.#text.length : end;
    this.nested.push(this.#text.slice(from, to));
    const raw = this.#text.slice(this.#at, to + 1);
    this.#add(raw, raw);
    return true;
  }

  #redirect(char: '>' | '<'): void {
    // A number before it is a descriptor.
    if (/^\d+$/.test(this.#word ?? '')) this.#word = null;
    if (this.#word?.endsWith('&')) this.#word = this.#word.slice(0, -1) || null;
    this.#endWord();
    let sign: string = char;
    while (/[<>|&]/.test(this.#text[this.#at + sign.length] ?? '')) sign += this.#text[this.#at + sign.length];
    this.#raw += sign;
    this.#at += sign.length;
    // `<>` opens a file to write, too.
    this.#redirects = sign.includes('>') ? '>' : '<';
  }

  #endWord(): void {
    const word = this.#word;
    this.#word = null;
    if (word === null) return;
    if (this.#redirects === null) this.#words.push(word);
    // Another descriptor, or nothing at all, is not a file.
    else if (this.#redirects === '>' && !/^(?:\d+|-|\/dev\/(?:null|stdout|stderr))$/.test(word))
      this.#writes.push(word);
    this.#redirects = null;
  }

  #endCommand(): void {
    this.#endWord();
    const text = this.#raw.trim().replace(/ {2,}/g, ' ');
    if (text !== '') {
      if (this.commands.length >= MAX_COMMANDS) this.unclear = true;
      else this.commands.push({ text, words: this.#words, writes: this.#writes, isNamed: isNamed(this.#words) });
    }
    this.#raw = '';
    this.#words = [];
    this.#writes = [];
    this.#redirects = null;
  }
}

/** The bracket that closes the one before `from`; -1 if none does. Brackets in quotes do not count. */
function closingBracket(text: string, from: number): number {
  let depth = 1;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (char === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at;
  }
  return -1;
}
