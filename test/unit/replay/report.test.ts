/** The words of a report name what a client did, and hide secrets where the command hides them. */
import { afterEach, describe, expect, it } from 'vitest';
import { dialectNamed } from '../../../lib/dialects/index.ts';
import { maskSecrets } from '../../../lib/model/text/mask.ts';
import { MASK_SECRETS } from '../../../lib/model/text/secret.ts';
import { describeStep, messageName } from '../../../lib/replay/report.ts';
import type { ClientStep } from '../../../lib/replay/script-step.ts';
import { readAll, sessionOf } from '../../support/audit.ts';

const KEY = 'ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';

function heard(method: string, params: object): ClientStep {
  const frames = sessionOf([['client', { jsonrpc: '2.0', id: 1, method, params }]]);
  const [read] = [...readAll(dialectNamed('mcp')!, frames, ['agent'])];
  const { message, events, value, frame } = read!;
  return { message, events, value, ask: null, frame: { text: null, ...frame } } as unknown as ClientStep;
}

afterEach(() => maskSecrets(null));

describe.each([
  ['a method', heard(`weird/${KEY}`, {})],
  ['a tool', heard('tools/call', { name: KEY })],
  ['a tool of two words', heard('tools/call', { name: `${KEY} x` })],
  ['a prompt', heard('prompts/get', { name: KEY })],
])('a key in the place of %s', (_, hear) => {
  it('is hidden where secrets are, also if it is a single word', () => {
    expect(messageName(hear) + describeStep(hear)).toContain(KEY.slice(0, 30));
    maskSecrets(MASK_SECRETS);
    expect(messageName(hear) + describeStep(hear)).not.toContain(KEY.slice(4, 20));
    expect(describeStep(hear)).toContain('***');
  });
});
