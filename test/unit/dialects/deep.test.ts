/** A peer may nest deeper than the stack is high: JSON.parse stands that, and so must every reader behind it. */
import { expect, it } from 'vitest';
import { DIALECTS } from '../../../lib/dialects/index.ts';
import type { Frame } from '../../../lib/model/frame.ts';
import { TimelineBuilder } from '../../../lib/model/timeline/builder.ts';
import { SessionReader } from '../../../lib/session/reader.ts';

const DEEP = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
const rpc = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;

/** Calls, requests and answers of every family, with the deep value wherever a peer may put one. */
const LINES: [Frame['from'], string][] = [
  [
    'agent',
    rpc('session/update', `{"update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","rawInput":${DEEP}}}`),
  ],
  ['agent', rpc('session/request_permission', `{"options":[],"toolCall":{"toolCallId":"c","rawInput":${DEEP}}}`)],
  ['client', rpc('tools/call', `{"name":"t","arguments":${DEEP}}`)],
  ['client', rpc('initialize', DEEP)],
  ['client', rpc('prompt', `{"user_input":${DEEP}}`)],
  ['agent', rpc('event', `{"type":"TurnBegin","payload":{"user_input":${DEEP}}}`)],
  ['agent', rpc('event', `{"type":"ToolResult","payload":{"tool_call_id":"c","return_value":${DEEP}}}`)],
  ['agent', rpc('request', `{"type":"ApprovalRequest","payload":{"id":"r","display":[${DEEP}]}}`)],
  ['agent', `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"u","name":"n","input":${DEEP}}]}}`],
  ['agent', `{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","input":${DEEP}}}`],
  ['client', `{"type":"user","message":{"content":[${DEEP}]}}`],
  ['agent', `{"role":"assistant","tool_calls":[{"id":"x","function":{"name":"n","arguments":${DEEP}}}]}`],
  ['agent', `{"jsonrpc":"2.0","id":1,"result":${DEEP}}`],
];

it.each(DIALECTS)('$name reads what is nested without end', (dialect) => {
  const reader = new SessionReader(dialect, { command: [] });
  const builder = new TimelineBuilder();
  // Twice: the second request under an id is compared with the first.
  [...LINES, ...LINES].forEach(([from, line], i) => {
    const raw = new TextEncoder().encode(line);
    const frame: Frame = { f: i + 1, t: i, t0: null, from, form: 'message', raw, eol: '\n', event: null, detail: {} };
    try {
      builder.take(reader.read(frame));
    } catch (error) {
      expect.fail(`${from} ${line.slice(0, 90)}: ${error}`);
    }
  });
});
