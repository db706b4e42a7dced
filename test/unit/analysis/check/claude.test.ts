/** What `check` finds in recorded sessions of Claude Code: nothing that is no fault. */
import { expect, it } from 'vitest';
import { findings } from '../../../support/check.ts';
import { claudeTape } from '../../../support/claude.ts';

const TAPES: [what: string, tape: string][] = [
  ['a request before the line of its call', 'agents2'],
  ['a turn that the agent begins when its agent ends', 'bgagent'],
  ['a turn that the agent begins when its command ends', 'bgshell'],
  ['two prompts that become one turn', 'queue'],
  ['answers of the client that the agent repeats', 'checkpoint'],
  ['blocks that are repeated before their stream ends', 'partial'],
  ['hooks', 'hooks'],
];

it.each(TAPES)('%s: %s', (_what, name) => {
  const { command, frames } = claudeTape(name);
  expect(findings({ dialect: 'stream-json', command }, frames)).toEqual([]);
});
