/** What kind each message of Wire is: on real traffic where a tape has it, else on lines after the documents. */
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../lib/dialects/dialect.ts';
import { wire } from '../../../lib/dialects/wire/index.ts';
import { wireLegacy } from '../../../lib/dialects/wire-legacy/index.ts';
import { answer, event, eventsAt, kindsOf, last, read, request } from '../../support/wire.ts';

describe('mapping', () => {
  it.each([
    // any dialect
    ['no envelope', 'noise', 'wire-0.46/errors#18'],
    ['an error without id', 'error', 'wire-1.49.0/errors#10'],
    ['an error to an unknown id', 'error', 'wire-0.59/errors#16'],
    ['an answer nobody asked for', 'control', 'wire-0.46/errors#19'],
    ['the same, by shape', 'approval-answer', 'wire-1.49.0/approval_late_duplicate#20'],
    ['an unknown method', 'other', 'wire-0.46/errors#1'],
    ['its answer', 'other', 'wire-0.46/errors#5'],
    ['an unknown notification', 'other', 'wire-1.49.0/errors#13'],
    // wire
    ['initialize', 'handshake', 'wire-1.31.0/hooks#1'],
    ['its answer', 'handshake', 'wire-1.31.0/hooks#2'],
    ['its error', 'handshake', 'wire-1.25.0/late_initialize#8'],
    ['prompt', 'prompt', 'wire-0.59/approval_bad_answer#1'],
    ['its answer', 'prompt-answer', 'wire-0.59/approval_bad_answer#14'],
    ['its error', 'prompt-answer', 'wire-1.49.0/llm_error#18'],
    ['cancel', 'cancel', 'wire-0.59/cancel#1'],
    ['its answer', 'cancel', 'wire-0.59/cancel#2'],
    ['steer', 'steer', 'wire-1.21.0/steer#3'],
    ['its answer', 'steer', 'wire-1.21.0/steer#4'],
    ['replay', 'control', 'wire-1.24.0/replay#3'],
    ['its answer', 'control', 'wire-1.24.0/replay#522'],
    ['set_plan_mode', 'mode', 'wire-1.31.0/plan_mode#3'],
    ['its answer', 'mode', 'wire-1.31.0/plan_mode#5'],
    ['TurnBegin', 'turn-begin', 'wire-0.59/approval_bad_answer#2'],
    ['TurnEnd', 'turn-end', 'wire-1.21.0/steer#24'],
    ['StepBegin', 'step-begin', 'wire-0.59/approval_bad_answer#3'],
    ['StepInterrupted', 'step-interrupted', 'wire-0.80/compact_fails#28'],
    ['StepRetry', 'step-retry', 'wire-1.49.0/llm_error#6'],
    ['CompactionBegin', 'compaction', 'wire-0.80/compact#21'],
    ['CompactionEnd', 'compaction', 'wire-0.80/compact#22'],
    ['MCPLoadingBegin', 'status', 'wire-1.17.0/mcp#8'],
    ['MCPLoadingEnd', 'status', 'wire-1.17.0/mcp#9'],
    ['Notification', 'notice', 'wire-1.24.0/background_shell#17'],
    ['ContentPart text', 'text', 'wire-0.59/approval_bad_answer#4'],
    ['ContentPart think', 'thinking', 'wire-0.59/think#4'],
    ['ToolCall', 'tool-call', 'wire-0.59/approval_bad_answer#5'],
    ['ToolCallPart', 'tool-args', 'wire-0.59/tools#62'],
    ['ToolResult', 'tool-result', 'wire-0.59/approval_bad_answer#10'],
    ['ApprovalRequestResolved', 'approval-resolved', 'wire-0.59/approval_bad_answer#9'],
    ['ApprovalResponse', 'approval-resolved', 'wire-1.17.0/mcp#16'],
    ['StatusUpdate with tokens or context', 'usage', 'wire-0.59/approval_bad_answer#8'],
    ['StatusUpdate without', 'status', 'wire-1.17.0/mcp#13'],
    ['PlanDisplay', 'plan', 'wire-1.31.0/plan_mode#27'],
    ['HookTriggered', 'hook', 'wire-1.31.0/hooks#4'],
    ['HookResolved', 'hook-resolved', 'wire-1.31.0/hooks#7'],
    ['SteerInput', 'steer', 'wire-1.21.0/steer#19'],
    ['SubagentEvent > TurnBegin', 'subagent turn-begin', 'wire-0.59/subagent#6'],
    ['SubagentEvent > ToolCall', 'subagent tool-call', 'wire-0.59/subagent#12'],
    ['ApprovalRequest', 'approval', 'wire-0.59/approval_bad_answer#6'],
    ['its answer', 'approval-answer', 'wire-0.59/approval_bad_answer#7'],
    ['ToolCallRequest', 'client-call', 'wire-0.80/external_tool#8'],
    ['its answer', 'client-call-answer', 'wire-0.80/external_tool#9'],
    ['QuestionRequest', 'question', 'wire-1.31.0/plan_mode#16'],
    ['its answer', 'question-answer', 'wire-1.31.0/plan_mode#17'],
    ['HookRequest', 'hook', 'wire-1.31.0/hooks#5'],
    ['its answer', 'hook-answer', 'wire-1.31.0/hooks#6'],
    // wire-legacy
    ['run', 'prompt', 'wire-0.46/approve#1'],
    ['its answer', 'prompt-answer', 'wire-0.46/cancel#13'],
    ['interrupt', 'cancel', 'wire-0.46/cancel#1'],
    ['interrupt without id', 'cancel', 'wire-0.46/cancel#15'],
    ['its answer', 'cancel', 'wire-0.46/cancel#2'],
    ['step_begin', 'step-begin', 'wire-0.46/approve#2'],
    ['step_interrupted', 'step-interrupted', 'wire-0.58/llm_error#8'],
    ['content_part text', 'text', 'wire-0.46/approve#3'],
    ['content_part think', 'thinking', 'wire-0.46/tools_yolo#12'],
    ['tool_call', 'tool-call', 'wire-0.46/approve#4'],
    ['tool_call_part', 'tool-args', 'wire-0.46/tools_yolo#49'],
    ['tool_result', 'tool-result', 'wire-0.46/cancel#9'],
    ['status_update', 'usage', 'wire-0.46/cancel#7'],
    ['subagent_event > step_begin', 'subagent step-begin', 'wire-0.58/subagent#6'],
    ['approval', 'approval', 'wire-0.46/approve#5'],
    ['its answer', 'approval-answer', 'wire-0.46/approve#6'],
  ])('%s is %s (%s)', (_, kinds, example) => {
    expect(kindsOf(eventsAt(example))).toBe(kinds);
  });

  it.each<[Dialect, string, unknown, object]>([
    [wire, 'ContentPart', { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } }, image('image')],
    [wire, 'ContentPart', { type: 'audio_url', audio_url: { url: 'https://a/b', id: 'x' } }, media('audio')],
    [wire, 'ContentPart', { type: 'video_url', video_url: { url: 'https://a/b' } }, media('video')],
    [wire, 'ContentPart', { type: 'hologram' }, { kind: 'other', name: 'ContentPart hologram' }],
    [wire, 'BtwBegin', { id: '1', question: 'why?' }, { kind: 'notice', name: 'BtwBegin', text: 'why?' }],
    [wire, 'BtwEnd', { id: '1', response: 'so', error: null }, { kind: 'notice', name: 'BtwEnd', text: 'so' }],
    [wire, 'BtwEnd', { id: '1', response: null, error: 'no' }, { kind: 'notice', text: 'no' }],
    [wire, 'NewThing', {}, { kind: 'other', name: 'NewThing' }],
    [wireLegacy, 'compaction_begin', undefined, { kind: 'compaction', done: false }],
    [wireLegacy, 'compaction_end', undefined, { kind: 'compaction', done: true }],
  ])('%s', (dialect, type, payload, expected) => {
    expect(last(read(dialect, event(type, payload)))).toMatchObject(expected);
  });

  function image(type: string) {
    return { kind: 'text', block: { type, mime: 'image/png', size: 4 } };
  }

  function media(type: string) {
    return { kind: 'text', block: { type, mime: null, size: null, url: 'https://a/b' } };
  }

  it('keeps unknown requests and their answers visible', () => {
    const events = read(wire, request('r', 'NewRequest', {}), answer('>', 'r', { x: 1 }));
    expect(events.map(kindsOf)).toEqual(['other', 'other']);
  });
});
