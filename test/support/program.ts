/** Every command of the program as commander knows it, by name. */
import { Command } from 'commander';
import { COMMANDS } from '../../lib/commands/index.ts';

export const PROGRAM = new Map(
  await Promise.all(
    COMMANDS.map(async ({ name, load }) => {
      const command = new Command(name);
      (await load()).define(command, { io: {} as never, argv: [], commands: COMMANDS, exit: () => {} });
      return [name, command] as const;
    }),
  ),
);
