/**
 * The Copilot SDK: `copilot --headless --stdio`, JSON-RPC in Content-Length frames. The client creates a session and sends
 * prompts, which are accepted at once; all the rest is events, up to `session.idle`.
 */
import { isProgram } from '../common/command-line.ts';
import { objectOf } from '../common/fields.ts';
import type { Dialect, FirstLines } from '../dialect.ts';
import { envelope } from './asks.ts';
import { CopilotReader } from './reader.ts';
import { COPILOT_ENTRIES } from './rules/entries.ts';
import { COPILOT_RULES } from './rules/index.ts';
import { copilotTraits } from './traits.ts';

export const copilot: Dialect = {
  name: 'copilot',
  traits: copilotTraits,
  recognise,
  envelope,
  open: () => new CopilotReader(),
  conformance: { prefix: 'copilot', title: 'the Copilot SDK', rules: COPILOT_RULES, entries: COPILOT_ENTRIES },
};

const OWN = /^session\.(?:event|lifecycle|create|resume|send|abort|detach|permissions\.)/;

function recognise({ command, lines }: FirstLines): number {
  for (const { value } of lines) {
    if (typeof value.method === 'string' && OWN.test(value.method)) return 0.95;
    const { supportedTaskKinds, taskKinds } = objectOf(value.params ?? value.result);
    if (supportedTaskKinds !== undefined || taskKinds !== undefined) return 0.9;
  }
  if (lines.length > 0) return 0;
  return isProgram(command, 'copilot') && command.includes('--headless') ? 0.8 : 0;
}
