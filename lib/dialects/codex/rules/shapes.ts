/** The shapes of Codex's app-server: what clients and agents of all versions rely on. */

import { expectByMethod, type MethodShape } from '../../rules/method-shapes.ts';
import { either, type FieldShapes, type JsonShape, type MessageSchemas, tagged } from '../../rules/schema.ts';

const INPUT: JsonShape = tagged('type', {
  text: { text: 'string' },
  localImage: { path: 'string' },
  skill: { name: 'string', path: 'string' },
  mention: { name: 'string', path: 'string' },
});

const TURN: JsonShape = {
  id: 'string',
  'items?': 'list',
  status: "'completed'|'interrupted'|'failed'|'inProgress'",
  'error?': either('null', { message: 'string' }),
};

const CHANGE: JsonShape = { path: 'string', kind: either('string', { type: 'string' }), diff: 'string' };

const ITEM: JsonShape = tagged('type', {
  userMessage: { id: 'string', content: [INPUT] },
  agentMessage: { id: 'string', text: 'string' },
  reasoning: { id: 'string', 'summary?': ['string'], 'content?': ['string'] },
  plan: { id: 'string', text: 'string' },
  commandExecution: {
    ...{ id: 'string', command: 'string', cwd: 'string', status: 'string' },
    ...{ 'aggregatedOutput?': 'string|null', 'exitCode?': 'integer|null' },
  },
  fileChange: { id: 'string', changes: [CHANGE], status: 'string' },
  mcpToolCall: { id: 'string', server: 'string', tool: 'string', status: 'string' },
  dynamicToolCall: { id: 'string', tool: 'string', status: 'string' },
  collabAgentToolCall: { id: 'string', tool: 'string', status: 'string', receiverThreadIds: ['string'] },
});

const OF_THREAD: FieldShapes = { threadId: 'string' };
const OF_TURN: FieldShapes = { ...OF_THREAD, turnId: 'string' };
const OF_ITEM: FieldShapes = { ...OF_TURN, itemId: 'string' };
const DELTA: MethodShape = { params: { ...OF_ITEM, delta: 'string' } };
const ITEM_TOLD: MethodShape = { params: { ...OF_TURN, item: ITEM } };
const TURN_TOLD: MethodShape = { params: { ...OF_THREAD, turn: TURN } };
const OPENED: JsonShape = { thread: { id: 'string' } };
const TOKENS: JsonShape = { inputTokens: 'integer', cachedInputTokens: 'integer', outputTokens: 'integer' };

const METHODS: Readonly<Record<string, MethodShape>> = {
  initialize: {
    params: { clientInfo: { name: 'string', version: 'string' }, 'capabilities?': 'object|null' },
    result: { userAgent: 'string' },
  },
  'thread/start': { result: OPENED },
  'thread/resume': { params: OF_THREAD, result: OPENED },
  'thread/fork': { params: OF_THREAD, result: OPENED },
  'turn/start': { params: { ...OF_THREAD, input: [INPUT] }, result: { turn: TURN } },
  'turn/steer': { params: { ...OF_THREAD, input: [INPUT], expectedTurnId: 'string' }, result: { turnId: 'string' } },
  'turn/interrupt': { params: { ...OF_THREAD, turnId: 'string' } },
  'review/start': { params: { ...OF_THREAD, target: { type: 'string' } }, result: { turn: TURN } },
  'turn/started': TURN_TOLD,
  'turn/completed': TURN_TOLD,
  'item/started': ITEM_TOLD,
  'item/completed': ITEM_TOLD,
  'item/agentMessage/delta': DELTA,
  'item/reasoning/summaryTextDelta': DELTA,
  'item/reasoning/textDelta': DELTA,
  'item/commandExecution/outputDelta': DELTA,
  'item/commandExecution/requestApproval': {
    params: { ...OF_ITEM, 'command?': 'string|null', 'reason?': 'string|null' },
  },
  'item/fileChange/requestApproval': { params: { ...OF_ITEM, 'reason?': 'string|null' } },
  'item/permissions/requestApproval': { params: { ...OF_ITEM, permissions: 'object' } },
  'item/tool/requestUserInput': { params: { ...OF_ITEM, questions: [{ id: 'string', question: 'string' }] } },
  'item/tool/call': { params: { ...OF_TURN, callId: 'string', tool: 'string' } },
  'mcpServer/elicitation/request': { params: { ...OF_THREAD, serverName: 'string' } },
  execCommandApproval: { params: { conversationId: 'string', callId: 'string', command: ['string'] } },
  applyPatchApproval: { params: { conversationId: 'string', callId: 'string', fileChanges: 'object' } },
  'serverRequest/resolved': { params: { ...OF_THREAD, requestId: 'string|integer' } },
  'thread/tokenUsage/updated': { params: { ...OF_TURN, tokenUsage: { total: TOKENS, last: TOKENS } } },
  error: { params: { error: { message: 'string' }, willRetry: 'boolean' } },
};

export const codexSchemas: MessageSchemas = {
  source: 'codex app-server generate-ts, 0.166.0',
  open: () => expectByMethod(METHODS),
};
