/**
 * The shapes of Kimi Wire, of all versions at once: what one version added is optional, and what versions call differently
 * is listed under both names. A new type is a line in a table. Python writes `null` where a field is not set.
 */
import { either, type FieldShapes, type JsonShape, mapOf, tagged, wrapped } from '../../rules/schema.ts';

const MEDIA: JsonShape = { url: 'string', 'id?': 'string|null' };

export const PARTS: Readonly<Record<string, FieldShapes>> = {
  text: { text: 'string' },
  think: { think: 'string', 'encrypted?': 'string|null' },
  image_url: { image_url: MEDIA },
  audio_url: { audio_url: MEDIA },
  video_url: { video_url: MEDIA },
};

const PART: JsonShape = tagged('type', PARTS);
export const INPUT: JsonShape = either('string', [PART]);

/** A `brief` has its text under `data` until 0.67. */
const BLOCK: JsonShape = tagged('type', {
  brief: { 'text?': 'string', 'data?': 'string' },
  diff: {
    ...{ path: 'string', old_text: 'string', new_text: 'string' },
    ...{ 'old_start?': 'integer', 'new_start?': 'integer', 'is_summary?': 'boolean' },
  },
  todo: { items: [{ title: 'string', status: "'pending'|'in_progress'|'done'" }] },
  shell: { language: 'string', command: 'string' },
  background_task: { task_id: 'string', kind: 'string', status: 'string', description: 'string' },
});

const RETURNED: JsonShape = {
  ...{ is_error: 'boolean', output: either('string', [PART]), message: 'string' },
  ...{ display: [BLOCK], 'extras?': 'object|null' },
};

const USAGE: JsonShape = either('null', {
  ...{ input_other: 'integer', output: 'integer' },
  ...{ 'input_cache_read?': 'integer', 'input_cache_creation?': 'integer' },
});

const MCP_SERVER: JsonShape = {
  name: 'string',
  status: "'pending'|'connecting'|'connected'|'failed'|'unauthorized'",
  tools: ['string'],
};

const MCP_STATUS: JsonShape = either('null', {
  ...{ loading: 'boolean', connected: 'integer', total: 'integer', tools: 'integer' },
  servers: [MCP_SERVER],
});

const NOTHING: JsonShape = {};
const TOOL_CALL: JsonShape = {
  ...{ type: "'function'", id: 'string', 'extras?': 'object|null' },
  function: { name: 'string', 'arguments?': 'string|null' },
};
const TOOL_CALL_PART: JsonShape = { 'arguments_part?': 'string|null' };
const DECISION = "'approve'|'approve_for_session'|'reject'";
const RESOLVED: JsonShape = { request_id: 'string', response: DECISION, 'feedback?': 'string' };

/** The payload of each event. */
export const EVENTS: Readonly<Record<string, JsonShape>> = {
  TurnBegin: { user_input: INPUT },
  SteerInput: { user_input: INPUT },
  TurnEnd: NOTHING,
  StepBegin: { n: 'integer' },
  StepInterrupted: NOTHING,
  StepRetry: {
    ...{ n: 'integer', next_attempt: 'integer', max_attempts: 'integer', wait_s: 'number', error_type: 'string' },
    'status_code?': 'integer|null',
  },
  CompactionBegin: NOTHING,
  CompactionEnd: NOTHING,
  StatusUpdate: {
    ...{ 'context_usage?': 'number|null', 'token_usage?': USAGE, 'message_id?': 'string|null' },
    ...{ 'context_tokens?': 'integer|null', 'max_context_tokens?': 'integer|null' },
    ...{ 'plan_mode?': 'boolean|null', 'mcp_status?': MCP_STATUS },
  },
  MCPLoadingBegin: NOTHING,
  MCPLoadingEnd: NOTHING,
  Notification: {
    ...{ id: 'string', category: 'string', type: 'string', source_kind: 'string', source_id: 'string' },
    ...{ title: 'string', body: 'string', severity: 'string', created_at: 'number', payload: 'object' },
  },
  ContentPart: PART,
  ToolCall: TOOL_CALL,
  ToolCallPart: TOOL_CALL_PART,
  ToolResult: { tool_call_id: 'string', return_value: RETURNED },
  ApprovalRequestResolved: RESOLVED,
  ApprovalResponse: RESOLVED,
  SubagentEvent: either(
    {
      ...{ parent_tool_call_id: 'string|null', 'agent_id?': 'string|null', 'subagent_type?': 'string|null' },
      event: () => EVENT,
    },
    { task_tool_call_id: 'string', event: () => EVENT },
  ),
  PlanDisplay: { content: 'string', file_path: 'string' },
  HookTriggered: { event: 'string', 'target?': 'string', 'hook_count?': 'integer' },
  HookResolved: {
    ...{ event: 'string', 'target?': 'string', 'action?': "'allow'|'block'" },
    ...{ 'reason?': 'string', 'duration_ms?': 'integer' },
  },
  BtwBegin: { id: 'string', question: 'string' },
  BtwEnd: { id: 'string', 'response?': 'string|null', 'error?': 'string|null' },
};

const EVENT: JsonShape = wrapped('type', 'payload', EVENTS);

const LEGACY_OUTPUT: JsonShape = { output: 'string|object|list', 'message?': 'string', 'brief?': 'string' };

/** Of 0.46-0.58. Some have no payload at all. */
export const LEGACY_EVENTS: Readonly<Record<string, JsonShape>> = {
  content_part: PART,
  step_begin: { n: 'integer' },
  status_update: { context_usage: 'number' },
  tool_call: TOOL_CALL,
  tool_call_part: TOOL_CALL_PART,
  tool_result: { tool_call_id: 'string', ok: 'boolean', result: LEGACY_OUTPUT },
  subagent_event: { task_tool_call_id: 'string', event: () => LEGACY_EVENT },
};

const LEGACY_EVENT: JsonShape = wrapped('type', 'payload', LEGACY_EVENTS);

const APPROVAL: FieldShapes = {
  ...{ id: 'string', tool_call_id: 'string', sender: 'string', action: 'string', description: 'string' },
};

const QUESTION: JsonShape = {
  ...{ question: 'string', 'header?': 'string', 'multi_select?': 'boolean' },
  options: [{ label: 'string', 'description?': 'string' }],
  ...{ 'body?': 'string', 'other_label?': 'string', 'other_description?': 'string' },
};

/** The payload of each request of the agent. */
export const REQUESTS: Readonly<Record<string, JsonShape>> = {
  approval: APPROVAL,
  ApprovalRequest: {
    ...APPROVAL,
    'display?': [BLOCK],
    'source_kind?': "'foreground_turn'|'background_agent'|null",
    ...{ 'source_id?': 'string|null', 'agent_id?': 'string|null' },
    ...{ 'subagent_type?': 'string|null', 'source_description?': 'string|null' },
  },
  ToolCallRequest: { id: 'string', name: 'string', 'arguments?': 'string|null' },
  QuestionRequest: { id: 'string', tool_call_id: 'string', questions: [QUESTION] },
  HookRequest: {
    ...{ id: 'string', subscription_id: 'string', event: 'string', 'target?': 'string' },
    'input_data?': 'object',
  },
};

/** What the client answers, by the type of the request. Whether it repeats the right id is not checked here. */
export const ANSWERS: Readonly<Record<string, JsonShape>> = {
  approval: { response: DECISION },
  ApprovalRequest: { request_id: 'string', response: DECISION, 'feedback?': 'string' },
  ToolCallRequest: { tool_call_id: 'string', return_value: RETURNED },
  QuestionRequest: { request_id: 'string', answers: mapOf('string') },
  HookRequest: { request_id: 'string', 'action?': "'allow'|'block'", 'reason?': 'string' },
};
