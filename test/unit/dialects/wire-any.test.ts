/** Reading never throws, whatever a peer sends. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wire } from '../../../lib/dialects/wire/index.ts';
import { wireLegacy } from '../../../lib/dialects/wire-legacy/index.ts';
import { cases } from '../../support/scale.ts';
import { last, read } from '../../support/wire.ts';

describe('any JSON object', () => {
  const words = fc.constantFrom(
    ...['event', 'request', 'prompt', 'initialize', 'cancel', 'steer', 'replay', 'set_plan_mode', 'run', 'interrupt'],
    ...['TurnBegin', 'ToolCall', 'ToolCallPart', 'ToolResult', 'StatusUpdate', 'SubagentEvent', 'ContentPart', 'text'],
    ...['ApprovalRequest', 'ApprovalResponse', 'QuestionRequest', 'HookRequest', 'ToolCallRequest', 'approval'],
    ...['think', 'image_url', 'diff', 'todo', 'subagent_event', 'tool_result', 'constructor', '__proto__'],
  );
  const keys = fc.constantFrom(
    ...['id', 'method', 'params', 'result', 'error', 'type', 'payload', 'event', 'user_input', 'function', 'display'],
    ...[
      'return_value',
      'output',
      'request_id',
      'response',
      'answers',
      'action',
      'questions',
      'token_usage',
      'external_tools',
    ],
  );
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: 'medium' }, words, fc.jsonValue(), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 3 }),
    object: fc.dictionary(keys, tie('any'), { maxKeys: 6 }),
  }));
  const frames = fc.array(fc.tuple(fc.constantFrom('>', '<'), fc.dictionary(keys, any, { maxKeys: 6 })), {
    maxLength: 8,
  });
  const shaped = fc.record({ method: words, id: fc.constantFrom('1', '2', 3), params: fc.dictionary(keys, any) });

  it.each([wire, wireLegacy])('is read as something ($name)', (dialect) => {
    fc.assert(
      fc.property(frames, fc.array(shaped, { maxLength: 4 }), (loose, requests) => {
        const lines = loose.map(([who, value]) => `${who}${JSON.stringify(value)}`);
        const asked = requests.flatMap((value) => [`<${JSON.stringify(value)}`, `>${JSON.stringify(value)}`]);
        for (const events of read(dialect, ...asked, ...lines)) expect(events.length).toBeGreaterThan(0);
      }),
      { numRuns: cases(300) },
    );
  });

  it('may be nested deeper than the stack', () => {
    const deep = `${'{"type":"SubagentEvent","payload":{"event":'.repeat(50_000)}1${'}}'.repeat(50_000)}`;
    expect(read(wire, `<{"method":"event","params":${deep}}`)[0]!.length).toBe(50_001);
    const input = '['.repeat(50_000) + ']'.repeat(50_000);
    const begin = `<{"method":"event","params":{"type":"TurnBegin","payload":{"user_input":${input}}}}`;
    expect(last(read(wire, `>{"id":"1","method":"prompt","params":{"user_input":${input}}}`, begin))).toMatchObject({
      ...{ takes: 1 },
    });
  });
});
