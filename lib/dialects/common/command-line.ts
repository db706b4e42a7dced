/** What the agent's command line says about the session. */

/** The value of an option, written `--name value` or `--name=value`. The last one wins. */
export function optionOf(command: readonly string[], ...names: string[]): string | null {
  for (let at = command.length - 1; at > 0; at--) {
    const word = command[at]!;
    const next = command[at + 1];
    if (names.includes(word) && next !== undefined && !next.startsWith('-')) return next;
    const name = names.find((name) => name.startsWith('--') && word.startsWith(`${name}=`));
    if (name) return word.slice(name.length + 1);
  }
  return null;
}

/** Options whose value is the prompt. */
export const PROMPT_OPTIONS: readonly string[] = ['-p', '--prompt', '--print', '--command'];

/** The prompt on the command line, if an option has it. */
export function promptOf(command: readonly string[]): string | null {
  return optionOf(command, ...PROMPT_OPTIONS);
}

/**
 * The prompt of a one-shot run: the value of an option, else the last argument with a space in it, else the last argument.
 */
export function findPrompt(command: readonly string[], options: readonly string[]): string | null {
  const words = command.slice(1).filter((word) => !word.startsWith('-'));
  return optionOf(command, ...options) ?? words.findLast((word) => /\s/.test(word)) ?? lastWord(command);
}

function lastWord(command: readonly string[]): string | null {
  const word = command.length > 1 ? command.at(-1)! : '-';
  return word.startsWith('-') ? null : word;
}

/** The client sends prompts as lines of JSON, so they come from nowhere else. */
export function takesJsonInput(command: readonly string[]): boolean {
  return optionOf(command, '--input-format')?.startsWith('stream-') ?? false;
}

/** A run with a single prompt, on its command line. */
export function isOneShot(command: readonly string[]): boolean {
  return !takesJsonInput(command) && promptOf(command) !== null;
}

/** One of the first words, the program or its interpreter, names this agent. */
export function isProgram(command: readonly string[], name: string): boolean {
  return command.slice(0, 4).some((word) => !word.startsWith('-') && !word.includes(' ') && word.includes(name));
}
