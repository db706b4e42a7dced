/** What `check` finds in recorded sessions of Claude Code: nothing that is no fault. */
import { expect, it } from 'vitest';
import { findings } from '../../support/check.ts';
import { claudeTape } from '../../support/claude.ts';

it.each([['a request before the line of its call', 'agents2', []]])('%s: %s', (_what, name, found) => {
  const { command, frames } = claudeTape(name);
  expect(findings({ dialect: 'stream-json', command }, frames)).toEqual(found);
});
