import { expect, it } from 'vitest';
import { COMMAND_WORDS } from '../../../../../lib/output/viewer/shell/command-words.ts';
import { COMMANDS, commandOf, isPrefix } from '../../../../../lib/output/viewer/shell/commands.ts';

it('has one meaning for each key', () => {
  // In the waterfall, four letters zoom and pan: there they come first.
  const keys = COMMANDS.filter(({ name }) => name !== 'pan').flatMap((command) => command.keys);
  expect(new Set(keys).size).toBe(keys.length);
});

it('never waits for a second key where one is enough', () => {
  for (const { keys } of COMMANDS)
    for (const key of keys) if (!key.includes(' ')) expect(isPrefix(key), key).toBe(false);
  expect(isPrefix('y')).toBe(true);
});

it('finds a command by its key', () => {
  expect(commandOf('e')).toBe(COMMANDS.find(({ name }) => name === 'nextError')!.run);
  expect(commandOf('y l')).toBeDefined();
  expect(commandOf('3')).toBeDefined();
  expect(commandOf('q')).toBeUndefined();
});

it('has words for every command in both languages', () => {
  for (const { name } of COMMANDS) for (const words of Object.values(COMMAND_WORDS)) expect(words[name]).not.toBe('');
});
