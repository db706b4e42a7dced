/** The meaning of the agent's events, by type, with the names from before 0.59. */
import type { Event, Usage } from '../../model/event.ts';
import { textOfBlocks } from '../common/content.ts';
import { numberOf, objectOf, stringOf, tokensOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { inputBlocks, mcpText, mediaBlock, readLegacyToolReturn, readToolReturn, type ToolReturn } from './content.ts';
import { decisionOf } from './decisions.ts';
import type { SentRequests } from './sent-requests.ts';
import type { WireTurns } from './turns.ts';

/** The agent that speaks: the main one or a subagent. */
export interface WireSpeaker {
  /** The id of its latest call. Parts without an id belong to it. */
  call: string | null;
  /** Its latest thought is complete, so the next one is new. */
  thought: boolean;
}

/** The context of an event. */
export interface WireEventContext {
  speaker: WireSpeaker;
  isMain: boolean;
  isReplayed: boolean;
  /** The session is one of 0.46-0.58. */
  isLegacy: boolean;
  turns: WireTurns;
  requests: SentRequests;
}

export type ReadWireEvent = (payload: JsonObject, context: WireEventContext) => Event;

export const SUBAGENT_TYPES: ReadonlySet<unknown> = new Set(['SubagentEvent', 'subagent_event']);

/** Since 0.59, with all names that a type has had. */
export const EVENTS: ReadonlyMap<unknown, ReadWireEvent> = new Map<unknown, ReadWireEvent>([
  ['ContentPart', readContentPart],
  ['TurnBegin', readTurnBegin],
  ['TurnEnd', readTurnEnd],
  ['StepBegin', readStepBegin],
  ['StepInterrupted', () => ({ kind: 'step-interrupted' })],
  ['StepRetry', readStepRetry],
  ['SteerInput', readSteerInput],
  ['CompactionBegin', () => ({ kind: 'compaction', done: false })],
  ['CompactionEnd', () => ({ kind: 'compaction', done: true })],
  ['MCPLoadingBegin', () => ({ kind: 'status', name: 'MCPLoadingBegin' })],
  ['MCPLoadingEnd', () => ({ kind: 'status', name: 'MCPLoadingEnd' })],
  ['StatusUpdate', readStatusUpdate],
  ['Notification', readNotification],
  ['ToolCall', readToolCall],
  ['ToolCallPart', readToolCallPart],
  ['ToolResult', ({ tool_call_id, return_value }) => readToolResult(tool_call_id, readToolReturn(return_value))],
  ['ApprovalResponse', readApprovalResolved],
  ['ApprovalRequestResolved', readApprovalResolved],
  ['PlanDisplay', readPlanDisplay],
  ['HookTriggered', ({ event, target }) => readHookTriggered(event, target)],
  ['HookResolved', readHookResolved],
  ['BtwBegin', ({ question }) => withText({ kind: 'notice', name: 'BtwBegin' }, stringOf(question))],
  [
    'BtwEnd',
    ({ response, error }) => withText({ kind: 'notice', name: 'BtwEnd' }, stringOf(response) ?? stringOf(error)),
  ],
]);

/** In 0.46-0.58. */
export const LEGACY_EVENTS: ReadonlyMap<unknown, ReadWireEvent> = new Map<unknown, ReadWireEvent>([
  ['content_part', readContentPart],
  ['step_begin', readStepBegin],
  ['step_interrupted', () => ({ kind: 'step-interrupted' })],
  ['compaction_begin', () => ({ kind: 'compaction', done: false })],
  ['compaction_end', () => ({ kind: 'compaction', done: true })],
  ['status_update', readStatusUpdate],
  ['tool_call', readToolCall],
  ['tool_call_part', readToolCallPart],
  ['tool_result', ({ tool_call_id, ok, result }) => readToolResult(tool_call_id, readLegacyToolReturn(ok, result))],
]);

/** Parts come as the model sends them, or merged. Either way, the whole is the parts in order. */
function readContentPart(part: JsonObject, { speaker }: WireEventContext): Event {
  const { type, text, think } = part;
  if (type === 'text' && typeof text === 'string') return { kind: 'text', delta: true, text };
  if (type === 'think' && typeof think === 'string') {
    // Nothing is appended to an encrypted thought.
    const isNext = speaker.thought;
    speaker.thought = typeof part.encrypted === 'string';
    return isNext ? { kind: 'thinking', text: think } : { kind: 'thinking', delta: true, text: think };
  }
  const block = mediaBlock(part);
  return block ? { kind: 'text', block } : { kind: 'other', name: `ContentPart ${stringOf(type) ?? ''}`.trimEnd() };
}

/**
 * A turn takes up the waiting prompt with the same input, or else the oldest waiting prompt if no turn is open.
 * Otherwise it is nested, as in flows. A replayed turn takes up nothing.
 */
function readTurnBegin({ user_input }: JsonObject, { speaker, isMain, isReplayed, turns }: WireEventContext): Event {
  speaker.call = null;
  const text = textOfBlocks(inputBlocks(user_input));
  if (!isMain || isReplayed) return { kind: 'turn-begin', nested: !isMain, text };
  const same = turns.takeSame(user_input);
  if (same !== null) return { kind: 'turn-begin', nested: false, takes: same, restates: true, text };
  const isNested = turns.open !== null;
  const oldest = turns.takeOldest() ?? turns.takeUnprompted();
  if (oldest !== null) return { kind: 'turn-begin', nested: false, takes: oldest, text };
  return { kind: 'turn-begin', nested: isNested, text };
}

function readTurnEnd(_payload: JsonObject, { isMain, isReplayed, turns }: WireEventContext): Event {
  const ends = isMain && !isReplayed ? turns.endUnprompted() : null;
  return ends === null ? { kind: 'turn-end' } : { kind: 'turn-end', ends };
}

/** Until 0.58, only this shows that a run has begun. */
function readStepBegin({ n }: JsonObject, { speaker, isMain, isLegacy, turns }: WireEventContext): Event {
  speaker.call = null;
  speaker.thought = false;
  const takes = isLegacy && isMain ? turns.takeOldest() : null;
  return takes === null ? { kind: 'step-begin', n: numberOf(n) } : { kind: 'step-begin', n: numberOf(n), takes };
}

/** The output of the step so far no longer counts. */
function readStepRetry(payload: JsonObject, { speaker }: WireEventContext): Event {
  const { n, next_attempt, max_attempts, wait_s, error_type, status_code } = payload;
  speaker.call = null;
  speaker.thought = false;
  const reason = [stringOf(error_type), numberOf(status_code)].filter((word) => word !== null).join(' ');
  const wait = numberOf(wait_s)?.toFixed(1) ?? '?';
  const text = `attempt ${numberOf(next_attempt) ?? '?'} of ${numberOf(max_attempts) ?? '?'} in ${wait} s`;
  return { kind: 'step-retry', n: numberOf(n), reason: reason || null, text };
}

/** The steer takes effect. */
function readSteerInput({ user_input }: JsonObject, { turns, isReplayed }: WireEventContext): Event {
  const blocks = inputBlocks(user_input);
  const event: Event = { kind: 'steer', blocks, done: true, text: textOfBlocks(blocks) };
  if (!isReplayed && turns.takeSteer(user_input)) event.restates = true;
  return event;
}

/** Null means no change. Token usage is that of one step. */
function readStatusUpdate(payload: JsonObject): Event {
  const { context_usage, context_tokens, max_context_tokens, token_usage, mcp_status } = payload;
  const event: Event =
    token_usage == null && context_usage == null && context_tokens == null
      ? { kind: 'status', name: 'StatusUpdate' }
      : {
          kind: 'usage',
          usage: token_usage == null ? null : usageOf(objectOf(token_usage)),
          total: false,
          context: {
            used: numberOf(context_tokens),
            size: numberOf(max_context_tokens),
            share: numberOf(context_usage),
          },
        };
  if (mcp_status != null) event.text = mcpText(mcp_status);
  return event;
}

function usageOf({ input_other, input_cache_read, input_cache_creation, output }: JsonObject): Usage {
  return tokensOf(input_other, input_cache_read, input_cache_creation, output);
}

function readNotification({ type, title, body }: JsonObject): Event {
  const text = [stringOf(title), stringOf(body)].filter((part) => part).join('\n');
  return { kind: 'notice', name: stringOf(type), text };
}

/** Tools that change or run something. */
const WRITERS = new Set(['Shell', 'Bash', 'CMD', 'PowerShell', 'WriteFile', 'StrReplaceFile', 'PatchFile']);

/** More arguments may follow in parts. */
function readToolCall({ id, function: called }: JsonObject, { speaker }: WireEventContext): Event {
  const { name, arguments: args } = objectOf(called);
  const tool = stringOf(name);
  const call = stringOf(id);
  speaker.call = call;
  const event: Event = { kind: 'tool-call', call, tool, args: stringOf(args), complete: false };
  if (tool !== null && WRITERS.has(tool)) event.writes = true;
  return event;
}

/** A part has no id. It belongs to the latest call of its agent in this step, or to nothing. */
function readToolCallPart({ arguments_part }: JsonObject, { speaker }: WireEventContext): Event {
  const event: Event = { kind: 'tool-args', call: speaker.call, delta: true, text: stringOf(arguments_part) ?? '' };
  if (speaker.call === null) event.flags = ['orphan'];
  return event;
}

function readToolResult(call: unknown, value: ToolReturn): Event {
  const { ok, blocks, displays, text } = value;
  return { kind: 'tool-result', call: stringOf(call), ok, blocks, displays, text };
}

/** Usually repeats the client's decision. If the client did not decide, this is the only decision. */
function readApprovalResolved(
  { request_id, response, feedback }: JsonObject,
  { requests, isReplayed }: WireEventContext,
): Event {
  const request = stringOf(request_id);
  const decision = decisionOf(response);
  const event: Event = { kind: 'approval-resolved', request, decision, feedback: stringOf(feedback) || null };
  if (!isReplayed && requests.resolve(request) === decision && decision !== null) event.restates = true;
  return event;
}

function readPlanDisplay({ content, file_path }: JsonObject): Event {
  const text = stringOf(content) ?? '';
  return { kind: 'plan', blocks: [{ type: 'resource', uri: stringOf(file_path) ?? '', text }], text };
}

function readHookTriggered(event: unknown, target: unknown): Event {
  return { kind: 'hook', request: null, event: stringOf(event) ?? '', target: stringOf(target) || null };
}

function readHookResolved({ event, target, action, reason }: JsonObject): Event {
  const decision = action === 'block' ? 'deny' : action === 'allow' || action === undefined ? 'allow' : null;
  return {
    kind: 'hook-resolved',
    request: null,
    event: stringOf(event),
    target: stringOf(target) || null,
    decision,
    reason: stringOf(reason) || null,
  };
}
