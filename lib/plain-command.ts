/**
 * Parses plain command lines in place of Commander, which takes longer to load and run than most commands. Plain means
 * arguments and known options, each a separate word. Commander gets everything else: help, mistakes, `--option=value`,
 * `-abc`, values that start with a dash.
 */
import type { Command } from 'commander';

/** The action and its arguments, except the command itself. */
export interface PlainCall {
  action: (...values: unknown[]) => unknown;
  values: unknown[];
  /** Whether the command has this option. */
  hasOption(name: string): boolean;
}

type Parse = (word: string, before: unknown) => unknown;

/** Reads the words as Commander would, given what a command defines; null if only Commander can. */
export function plainCall(define: (command: Command) => void, words: readonly string[]): PlainCall | null {
  const plain = new PlainCommand();
  const asked = new Proxy(plain, {
    get(target, name) {
      const method = Reflect.get(target, name) as ((...args: unknown[]) => unknown) | undefined;
      return (...args: unknown[]) => {
        // A method that only Commander has.
        if (!method) plain.isPlain = false;
        return method?.apply(plain, args) ?? asked;
      };
    },
  });
  define(asked as unknown as Command);
  return plain.read(words);
}

/** An option: `--name` or `-n, --name <value>`. */
class PlainOption {
  readonly names: string[];
  readonly key: string;
  readonly takesValue: boolean;
  parse: Parse | null = null;
  initial: unknown;

  constructor(flags: string) {
    const [, names, value] = /^((?:-\w, )?--[a-z][a-z-]*)( <[^.>]+>)?$/.exec(flags) ?? [];
    this.names = names?.split(', ') ?? [];
    this.key = (this.names.at(-1) ?? '').slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    this.takesValue = value !== undefined;
  }

  get isPlain(): boolean {
    return this.names.length > 0 && !this.names.at(-1)!.startsWith('--no-');
  }

  argParser(parse: Parse): this {
    this.parse = parse;
    return this;
  }

  default(value: unknown): this {
    this.initial = value;
    return this;
  }
}

/** The methods of Commander's Command that most commands use. */
class PlainCommand {
  isPlain = true;
  readonly #options: PlainOption[] = [];
  /** As declared: `<one>`, `[one]`, `<some...>`, `[some...]`. */
  readonly #arguments: string[] = [];
  #action: PlainCall['action'] | null = null;

  argument(declared: string, _help: string, ...more: unknown[]): void {
    this.#arguments.push(declared);
    if (more.length > 0) this.isPlain = false;
  }

  option(flags: string, _help: string, parse?: unknown, initial?: unknown): void {
    const option = new PlainOption(flags);
    if (typeof parse === 'function') option.argParser(parse as Parse).default(initial);
    else option.default(parse);
    this.addOption(option);
  }

  createOption(flags: string): PlainOption {
    return new PlainOption(flags);
  }

  addOption(option: PlainOption): void {
    this.#options.push(option);
    if (!option.isPlain) this.isPlain = false;
  }

  addHelpText(): void {}
  usage(): void {}

  action(action: PlainCall['action']): void {
    this.#action = action;
  }

  read(words: readonly string[]): PlainCall | null {
    if (!this.isPlain || !this.#action) return null;
    const options: Record<string, unknown> = {};
    for (const { key, initial } of this.#options) if (initial !== undefined) options[key] = initial;
    const rest: string[] = [];
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      if (!word.startsWith('-')) {
        rest.push(word);
        continue;
      }
      const option = this.#options.find(({ names }) => names.includes(word));
      const value = option?.takesValue ? words[++i] : '';
      if (!option || value === undefined || value.startsWith('-')) return null;
      options[option.key] = readValue(option, value, options[option.key]);
    }
    const values = this.#fill(rest);
    const hasOption = (name: string) => this.#options.some(({ names }) => names.includes(name));
    return values && { action: this.#action, values: [...values, options], hasOption };
  }

  /** The values of the declared arguments; null if there are too few or too many. */
  #fill(words: readonly string[]): unknown[] | null {
    const isVariadic = this.#arguments.at(-1)?.includes('...') ?? false;
    const required = this.#arguments.filter((declared) => declared.startsWith('<')).length;
    if (words.length < required || (words.length > this.#arguments.length && !isVariadic)) return null;
    return this.#arguments.map((declared, i) => (declared.includes('...') ? words.slice(i) : words[i]));
  }
}

function readValue({ takesValue, parse }: PlainOption, word: string, before: unknown): unknown {
  if (!takesValue) return true;
  return parse ? parse(word, before) : word;
}
