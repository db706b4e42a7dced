/** Any order of any lines: an audit never throws, and rows asked for after every frame end up as those of the whole. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import * as $ from '../../../support/audit.ts';
import { ask, refuse, type Said } from '../../../support/reading.ts';
import { cases } from '../../../support/scale.ts';

const ids = ['a', 'b'];

const LINES: (Said | $.Happening)[] = [
  ...ids.flatMap((id) => [
    ...[$.prompts(`p-${id}`), $.begins(`p-${id}`), $.finishes(`p-${id}`), $.calls(id), $.calls(id, 'ping')],
    ...[$.says('ToolCallPart', { arguments_part: ' ' }), $.says('ToolCallPart', { arguments_part: '1' })],
    ...[$.wants(`r-${id}`, id), $.wants(`r-${id}`, id, { agent_id: 'x', source_kind: 'background_agent' })],
    ...['approve', 'approve_for_session', 'reject', 'maybe'].map((word) => $.decides(`r-${id}`, word)),
    ...[
      $.resolves(`r-${id}`, 'approve'),
      $.resolves(`r-${id}`, 'reject', 'timed out'),
      $.results(id),
      $.results(id, true),
    ],
    ['client', refuse(`r-${id}`, -1)] as Said,
    $.asks(`h-${id}`, 'HookRequest', { event: 'PreToolUse', target: 'Shell', input_data: { tool_call_id: id } }),
    $.replies(`h-${id}`, { request_id: `h-${id}`, action: 'block' }),
    $.asks(`q-${id}`, 'QuestionRequest', { tool_call_id: id, questions: [] }),
    $.replies(`q-${id}`, { request_id: `q-${id}`, answers: {} }),
    $.says('SubagentEvent', {
      parent_tool_call_id: id,
      event: { type: 'ToolCall', payload: { id: 'sub', function: {} } },
    }),
  ]),
  $.says('HookResolved', { event: 'PreToolUse', target: 'Shell', action: 'block' }),
  ['client', ask('x', 'cancel')],
  ['client', ask('y', 'replay')],
  ['agent', { id: 'y', result: {} }],
  ['eof'],
  ['signal', { signal: 'SIGTERM' }],
  ['exit', { code: 0 }],
];

/** A hook that is told to block a call after its result: that changes what the approval of the call says. */
const BLOCKED_LATE: (Said | $.Happening)[] = [
  $.wants('r-b', 'b', { agent_id: 'x', source_kind: 'background_agent' }),
  $.results('b', true),
  $.asks('h-b', 'HookRequest', { event: 'PreToolUse', target: 'Shell', input_data: { tool_call_id: 'b' } }),
  $.says('HookResolved', { event: 'PreToolUse', target: 'Shell', action: 'block' }),
];

/** The agent gives up on one request after the other call has run. */
const DENIED_LATE: (Said | $.Happening)[] = [
  $.wants('r-a', 'a'),
  $.wants('r-b', 'b'),
  $.results('b'),
  $.resolves('r-a', 'reject', 'timed out'),
];

/** A call that was asked about before it was announced is cut off by the end of the process. */
const CUT_OFF: (Said | $.Happening)[] = [
  $.wants('r-b', 'b'),
  $.says('SubagentEvent', {
    parent_tool_call_id: 'b',
    event: { type: 'ToolCall', payload: { id: 'sub', function: {} } },
  }),
  $.calls('b'),
  $.resolves('r-b', 'approve'),
  ['exit', { code: 0 }],
];

it('is audited', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 60 }), (lines) => {
      const frames = $.sessionOf(lines);
      const whole = $.auditFrames(wire, frames).rows;
      expect($.auditFrames(wire, frames, [], true).rows).toEqual(whole);
      for (const row of whole) {
        expect(row.wait === null || row.wait >= 0).toBe(true);
        expect(row.flags).toEqual([...new Set(row.flags)].sort());
        expect(row.by === 'grant').toBe(row.grant_f !== null);
        expect(row.by !== 'nobody' || row.answer_f === null).toBe(true);
        expect(row.executed !== 'no' || row.executed_arguments === null).toBe(true);
      }
    }),
    { numRuns: cases(1000), examples: [[BLOCKED_LATE], [DENIED_LATE], [CUT_OFF]] },
  );
});
