/** How a request ends that nobody answers in time, and what is missing when it has ended. */

import { describe, expect, it } from 'vitest';
import { grantsIn } from '../../../../lib/analysis/audit/sum.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import * as $ from '../../../support/audit.ts';
import { answer, ask, type Said } from '../../../support/reading.ts';

/** A turn with one call that is asked about in frame 4; `then` follows from frame 5 on. */
const asked = (...then: (Said | $.Happening)[]) =>
  $.rowOf($.auditWire([$.prompts('p'), $.begins('p'), $.calls('c'), $.wants('r', 'c'), ...then]));
const cancel: Said[] = [
  ['client', ask('x', 'cancel', {})],
  ['agent', answer('x', {})],
];

describe('without an answer', () => {
  it('a grant of the same action decides', () => {
    const { rows } = $.auditWire([
      ...[$.prompts('p'), $.begins('p'), $.calls('c'), $.calls('d'), $.wants('r', 'c'), $.wants('s', 'd')],
      ...[$.decides('r', 'approve_for_session'), $.resolves('r', 'approve_for_session'), $.resolves('s', 'approve')],
      ...[$.results('c'), $.results('d'), $.finishes('p')],
    ]);
    expect(rows.map($.words)).toEqual(['allow-always client f7 yes f10 [grant]', 'none grant f7 yes f11 [swept]']);
    expect(rows[1]).toMatchObject({ grant_f: 5, wait: 3, run: 2, resolved: 'allow' });
    expect(grantsIn(rows)).toMatchObject([
      { f: 5, answer_f: 7, tool: 'Shell', scope: 'run command', covered: [6], ran: [{ f: 6, what: 'ls' }] },
    ]);
  });

  it('a grant of another action does not', () => {
    const { rows } = $.auditWire([
      ...[$.prompts('p'), $.begins('p'), $.calls('c'), $.calls('d'), $.wants('r', 'c')],
      ...[$.wants('s', 'd', { action: 'edit file' }), $.decides('r', 'approve_for_session')],
      ...[$.resolves('r', 'approve_for_session'), $.resolves('s', 'approve'), $.results('c'), $.results('d')],
    ]);
    expect(rows.map($.words)[1]).toBe('none agent - yes f11 []');
  });

  it("the client's cancel decides", () => {
    const row = asked(...cancel, $.resolves('r', 'reject'), $.finishes('p', 'cancelled'));
    expect($.words(row)).toBe('cancelled client f5 no - [turn-cancelled]');
    expect(row.wait).toBe(1);
    const late = asked(...cancel, $.finishes('p', 'cancelled'), $.resolves('r', 'reject'));
    expect($.words(late)).toBe('cancelled client f5 no - [late-resolved turn-cancelled]');
    const never = asked(...cancel, $.prompts('q'), $.begins('q'), $.finishes('q'));
    expect($.words(never)).toBe('cancelled client f5 no - [turn-cancelled unresolved]');
  });

  it('a cancel after the answer decides nothing', () => {
    const row = asked($.decides('r', 'approve'), $.resolves('r', 'approve'), ...cancel, $.finishes('p', 'cancelled'));
    expect($.words(row)).toBe('allow client f5 unknown - [no-result]');
  });

  it('the end of the turn settles it', () => {
    expect($.words(asked($.finishes('p')))).toBe('none agent - no - [turn-ended unresolved]');
    expect($.words(asked($.finishes('p'), $.decides('r', 'approve')))).toBe(
      'none agent - no - [late-answer turn-ended unresolved]',
    );
  });

  it('the agent may run out of patience', () => {
    const row = asked($.resolves('r', 'reject', 'approval timed out'), $.results('c', true), $.finishes('p'));
    expect($.words(row)).toBe('none agent - no f6 [timed-out]');
  });

  it('the agent may take it back', () => {
    const { rows } = $.auditSaid(streamJson, [
      ['client', { type: 'user', message: { content: 'go' } }],
      ['agent', { type: 'system', subtype: 'init', permission_mode: 'default' }],
      [
        'agent',
        {
          ...{ type: 'control_request', request_id: 'r' },
          request: { subtype: 'can_use_tool', tool_name: 'edit', tool_use_id: 'c', input: {} },
        },
      ],
      ['agent', { type: 'control_cancel_request', request_id: 'r' }],
    ]);
    expect(rows.map($.words)).toEqual(['none agent - no - [timed-out unlinked]']);
  });

  it('nobody decides once the client or the agent is gone', () => {
    expect($.words(asked(['eof']))).toBe('none nobody - no - [eof unresolved]');
    const after = asked(['eof'], $.resolves('r', 'reject'), ['exit', { code: 0, signal: null }]);
    expect($.words(after)).toBe('none nobody - no - [eof]');
    expect(after.wait).toBe(1);
    expect($.words(asked(['exit', { code: null, signal: 'SIGKILL' }]))).toBe('none nobody - no - [killed unresolved]');
    expect($.words(asked(['signal', { signal: 'SIGTERM' }], ['exit', { code: 0 }]))).toMatch(/\[killed unresolved\]$/);
    expect($.words(asked(['lost']))).toBe('none nobody - no - [killed unresolved]');
    // When the recorder was killed is not on the tape, only what it saw last.
    expect(asked(['lost']).wait).toBeNull();
    expect($.words(asked(['exit', { code: 1, signal: null }]))).toBe('none nobody - no - [exited unresolved]');
    // The agent closed its own input: that is not the client's doing.
    expect($.words(asked(['eof', { by: 'agent' }]))).toBe('none nobody - no - [unresolved]');
  });

  it('nobody has decided as long as it is open', () => {
    const row = asked();
    expect($.words(row)).toBe('none nobody - no - [unresolved]');
    expect(row.wait).toBe(null);
  });
});

describe('what ran', () => {
  const allowed = [$.decides('r', 'approve'), $.resolves('r', 'approve')];

  it('is told by its result', () => {
    expect($.words(asked(...allowed, $.results('c'), $.finishes('p')))).toBe('allow client f5 yes f7 []');
    const failed = asked(...allowed, $.results('c', true), $.finishes('p'));
    expect($.words(failed)).toBe('allow client f5 yes f7 [error-result]');
    expect(failed.result).toBe('error');
  });

  it('is not known without one', () => {
    expect($.words(asked(...allowed, $.finishes('p')))).toBe('allow client f5 unknown - [no-result]');
    expect($.words(asked($.decides('r', 'approve')))).toBe(
      'allow client f5 unknown - [no-effect no-result unresolved]',
    );
  });

  it('is told by an agent that it started', () => {
    const inner = $.says('SubagentEvent', {
      parent_tool_call_id: 'c',
      event: { type: 'StepBegin', payload: { n: 1 } },
    });
    expect($.words(asked(...allowed, inner))).toBe('allow client f5 yes - [no-result]');
  });

  it('is nothing if the agent says no, whatever the client said, unless it did succeed', () => {
    const denied = asked($.decides('r', 'approve'), $.resolves('r', 'reject'), $.results('c', true));
    expect($.words(denied)).toBe('allow client f5 no f7 []');
    const ran = asked($.decides('r', 'reject'), $.resolves('r', 'reject'), $.results('c'));
    expect($.words(ran)).toBe('deny client f5 yes f7 [ran-although-denied]');
    expect(ran.executed_arguments).toEqual({ command: 'ls' });
  });
});

describe('rows of a running session', () => {
  it('say nothing of what may still come', () => {
    const frames = $.sessionOf([
      ...[$.prompts('p'), $.begins('p'), $.calls('c'), $.wants('r', 'c'), $.decides('r', 'approve')],
      ...[$.resolves('r', 'approve'), $.results('c'), $.finishes('p')],
    ]);
    const { audit, reads } = $.auditing(frames);
    const told = Array.from(reads, (read) => audit.take(read).map($.words));
    expect(told).toEqual([
      ...[[], [], [], ['none nobody - no - []'], ['allow client f5 unknown - []'], ['allow client f5 unknown - []']],
      ...[['allow client f5 yes f7 []'], []],
    ]);
    expect(audit.end()).toEqual([]);
  });

  it('are told as the end would have them, once, until a frame changes them', () => {
    const { audit, reads } = $.auditing(
      $.sessionOf([$.prompts('p'), $.begins('p'), $.calls('c'), $.wants('r', 'c'), $.decides('r', 'approve')]),
    );
    const next = () => audit.take(reads.next().value!);
    for (let i = 0; i < 4; i++) next();
    expect(audit.end().map($.words)).toEqual(['none nobody - no - [unresolved]']);
    expect(audit.end()).toEqual([]);
    next();
    expect(audit.end().map($.words)).toEqual(['allow client f5 unknown - [no-effect no-result unresolved]']);
  });
});
