/** Help, hints and short options: they name only what exists, and a letter means the same in every command. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../support/program.ts';

const LIB = fileURLToPath(new URL('../../lib', import.meta.url));
const SOURCES = (readdirSync(LIB, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));

const optionsOf = (command: Command): string[] => [
  ...['--help', '--color', '--version'],
  ...command.options.flatMap(({ short, long }) => [short, long].filter((name) => name !== undefined)),
  ...command.commands.flatMap(optionsOf),
];

/** What texts tell people to type: a command, and its options up to what belongs to an agent or another program. */
function shownIn(source: string): { command: string; options: string[] }[] {
  const calls = source.matchAll(/(?<![\w./-])wiretape ([a-z]+)((?: (?:[^\n`'"|;,$]|\$\{[^}]*\})*)?)/g);
  return [...calls].map(([, command, rest]) => {
    const own = rest!.split(/ -- | {2}/)[0]!;
    return { command: command!, options: [...own.matchAll(/(?<= )--?[a-z][a-z-]*/gi)].map(([option]) => option) };
  });
}

/** Shell code, which passes on what was typed. */
const NOT_TEXT = 'commands/completion.ts';

describe('help and hints', () => {
  it.each(SOURCES.filter((name) => name !== NOT_TEXT))('%s names only options that exist', (name) => {
    const wrong = shownIn(readFileSync(join(LIB, name), 'utf8')).filter(({ command, options }) => {
      const program = PROGRAM.get(command);
      return program && options.some((option) => !optionsOf(program).includes(option));
    });
    expect(wrong).toEqual([]);
  });

  it('has examples of commands that exist', () => {
    const text = SOURCES.map((name) => readFileSync(join(LIB, name), 'utf8')).join('\n');
    const shown = [...text.matchAll(/^ {2}\$ wiretape ([a-z]+)/gm)].map(([, command]) => command!);
    expect(shown.length).toBeGreaterThan(80);
    expect(shown.filter((command) => !PROGRAM.has(command))).toEqual([]);
  });
});

describe('short options', () => {
  const meaning = new Map<string, Set<string>>();
  for (const { options } of PROGRAM.values()) {
    for (const { short, long, required, optional } of options) {
      if (!short) continue;
      const takes = required || optional ? ' <value>' : '';
      meaning.set(short, (meaning.get(short) ?? new Set()).add(`${long}${takes}`));
    }
  }

  it('mean one thing everywhere', () => {
    expect([...meaning.get('-a')!]).toEqual(['--all']);
    expect([...meaning.get('-q')!]).toEqual(['--query <value>']);
    // How many there should be: of sessions and matches, or of lines.
    expect([...meaning.get('-n')!].sort()).toEqual(['--limit <value>', '--lines <value>']);
    for (const [short, long] of meaning) if (short !== '-n') expect([short, long.size]).toEqual([short, 1]);
  });

  it('-a is all sessions', () => {
    const all = [...PROGRAM.values()].flatMap(({ options }) => options.filter(({ short }) => short === '-a'));
    expect(all.map(({ description }) => description).filter((text) => !text.startsWith('all sessions'))).toEqual([]);
  });
});
