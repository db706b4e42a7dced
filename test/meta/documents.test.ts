/** What is written about the program is true of it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../lib/commands/index.ts';

const read = (name: string) => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');

describe('documents', () => {
  it.each(COMMANDS.map(({ name }) => name))('README shows `wiretape %s`', (name) => {
    expect(read('README.md')).toMatch(new RegExp(`wiretape ${name}\\b`));
  });

  it('README names only commands that exist', () => {
    const named = [...read('README.md').matchAll(/^\$ wiretape (\w+)|`wiretape (\w+)/gm)].map(([, a, b]) => a ?? b);
    const known = [...COMMANDS.map(({ name }) => name), 'help'];
    for (const name of named) expect(known).toContain(name);
  });

  it('ARCHITECTURE stays one page', () => {
    expect(read('ARCHITECTURE.md').split('\n').length).toBeLessThanOrEqual(120);
  });

  it.each(COMMANDS)('help for $name has examples', async ({ name, load }) => {
    const { Command } = await import('commander');
    const command = new Command(name);
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    (await load()).define(command, { io: {} as never, commands: COMMANDS, exit: () => {} });
    command.outputHelp();
    expect(help).toMatch(/\$ wiretape /);
  });
});
