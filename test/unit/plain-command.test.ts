/** A plain command line means the same to us as to Commander. */
import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMANDS, type Context } from '../../lib/commands/index.ts';
import { plainCall } from '../../lib/plain-command.ts';

const context = { commands: COMMANDS } as unknown as Context;

/** Those that Commander always has to read: subcommands, required options, options that take something away. */
const NEVER_PLAIN = ['record', 'replay', 'minimize', 'export', 'tag', 'config'];
const loaded = await Promise.all(COMMANDS.map(async ({ name, load }) => ({ name, define: (await load()).define })));
const plain = loaded.filter(({ name }) => !NEVER_PLAIN.includes(name));

/** What an action gets from Commander, or why it gets nothing. */
function byCommander(define: (typeof loaded)[number]['define'], words: readonly string[]): unknown {
  const command = new Command('test').exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} });
  define(command, context);
  let values: unknown[] = [];
  command.action((...given: unknown[]) => {
    values = given.slice(0, -1);
  });
  try {
    command.parse(words, { from: 'user' });
    return values;
  } catch (error) {
    return (error as Error).message;
  }
}

function byUs(define: (typeof loaded)[number]['define'], words: readonly string[]): unknown {
  try {
    return plainCall((command) => define(command, context), words)?.values ?? null;
  } catch (error) {
    return (error as Error).message;
  }
}

function optionsOf(define: (typeof loaded)[number]['define']): string[] {
  const command = new Command();
  define(command, context);
  return command.options.flatMap(({ short, long }) => [short, long]).filter((flag) => typeof flag === 'string');
}

describe.each(plain)('$name', ({ define }) => {
  const word = fc.constantFrom(
    ...optionsOf(define),
    ...[
      'last',
      'k3f9',
      '2',
      '0',
      'is:error',
      '',
      'error',
      'R1,R2',
      'all',
      '-x',
      '--',
      '-',
      '--json=1',
      '-n5',
      '--help',
    ],
  );

  it('gets from a plain command line what Commander reads in it', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const ours = byUs(define, words);
        if (ours === null) return;
        read++;
        expect(ours).toEqual(byCommander(define, words));
      }),
      { numRuns: 300 },
    );
    expect(read).toBeGreaterThan(10);
  });
});

it.each(loaded.filter(({ name }) => NEVER_PLAIN.includes(name)))('$name is left to Commander', ({ define }) => {
  expect(byUs(define, ['last'])).toBe(null);
});

it.each(['--help', '-h', '--color', '--json=yes', '-nx', '--unknown', '--', '-'])('%s is left to Commander', (word) => {
  const { define } = loaded.find(({ name }) => name === 'ls')!;
  expect(byUs(define, [word])).toBe(null);
});
