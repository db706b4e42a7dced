/** The shapes of MCP up to 2025-11-25, of all versions at once: what one version added is optional. */
import type { ReadFrame } from '../../../model/read-frame.ts';
import { expectByMethod, type MethodShape } from '../../rules/method-shapes.ts';
import type { ExpectedShape, MessageSchemas } from '../../rules/schema.ts';
import { either, type JsonShape, mapOf, tagged } from '../../rules/schema.ts';
import { Era } from './era.ts';

const RESOURCE: JsonShape = either(
  { uri: 'string', text: 'string', 'mimeType?': 'string' },
  { uri: 'string', blob: 'string', 'mimeType?': 'string' },
);

const CONTENT: JsonShape = tagged('type', {
  text: { text: 'string' },
  image: { data: 'string', mimeType: 'string' },
  audio: { data: 'string', mimeType: 'string' },
  resource: { resource: RESOURCE },
  resource_link: { uri: 'string', name: 'string' },
  tool_use: { id: 'string', name: 'string', input: 'object' },
  tool_result: { toolUseId: 'string', content: 'list' },
});

const INFO: JsonShape = { name: 'string', version: 'string' };
const ROLE = "'user'|'assistant'";
const PAGE: JsonShape = { 'cursor?': 'string' };
const NEXT = { 'nextCursor?': 'string' } as const;
const ANY_OBJECT = 'object';
const ID = 'string|integer';
const LEVEL = "'debug'|'info'|'notice'|'warning'|'error'|'critical'|'alert'|'emergency'";

/** Since 2025-11-25 a message may have several parts. */
const MESSAGE: JsonShape = { role: ROLE, content: either(CONTENT, [CONTENT]) };

const TOOL: JsonShape = {
  ...{ name: 'string', inputSchema: { type: "'object'" }, 'description?': 'string', 'title?': 'string' },
  ...{ 'outputSchema?': { type: "'object'" }, 'annotations?': 'object' },
};

const TOOL_RESULT: JsonShape = either(
  { content: [CONTENT], 'isError?': 'boolean', 'structuredContent?': 'object' },
  { task: 'object' },
  // 2024-10-07.
  { toolResult: 'any' },
);

const METHODS: Readonly<Record<string, MethodShape>> = {
  initialize: {
    params: { protocolVersion: 'string', capabilities: 'object', clientInfo: INFO },
    result: { protocolVersion: 'string', capabilities: 'object', serverInfo: INFO, 'instructions?': 'string' },
  },
  ping: { result: ANY_OBJECT },
  'tools/list': { params: PAGE, optional: true, result: { tools: [TOOL], ...NEXT } },
  'tools/call': { params: { name: 'string', 'arguments?': 'object' }, result: TOOL_RESULT },
  'resources/list': {
    ...{ params: PAGE, optional: true },
    result: { resources: [{ uri: 'string', name: 'string' }], ...NEXT },
  },
  'resources/templates/list': {
    ...{ params: PAGE, optional: true },
    result: { resourceTemplates: [{ uriTemplate: 'string', name: 'string' }], ...NEXT },
  },
  'resources/read': { params: { uri: 'string' }, result: { contents: [RESOURCE] } },
  'resources/subscribe': { params: { uri: 'string' }, result: ANY_OBJECT },
  'resources/unsubscribe': { params: { uri: 'string' }, result: ANY_OBJECT },
  'prompts/list': {
    ...{ params: PAGE, optional: true },
    result: { prompts: [{ name: 'string', 'arguments?': 'list' }], ...NEXT },
  },
  'prompts/get': {
    params: { name: 'string', 'arguments?': mapOf('string') },
    result: { messages: [{ role: ROLE, content: CONTENT }] },
  },
  'logging/setLevel': { params: { level: LEVEL }, result: ANY_OBJECT },
  'completion/complete': {
    params: { ref: { type: 'string' }, argument: { name: 'string', value: 'string' } },
    result: { completion: { values: ['string'] } },
  },
  'sampling/createMessage': {
    params: { messages: [MESSAGE], maxTokens: 'number', 'systemPrompt?': 'string' },
    result: { role: ROLE, content: either(CONTENT, [CONTENT]), model: 'string' },
  },
  'elicitation/create': {
    params: either({ message: 'string', requestedSchema: 'object' }, { message: 'string', url: 'string' }),
    result: { action: "'accept'|'decline'|'cancel'", 'content?': 'object' },
  },
  'roots/list': { result: { roots: [{ uri: 'string', 'name?': 'string' }] } },
  'notifications/cancelled': { params: { 'requestId?': ID, 'reason?': 'string' } },
  'notifications/progress': {
    params: { progressToken: ID, progress: 'number', 'total?': 'number', 'message?': 'string' },
  },
  'notifications/message': { params: { level: LEVEL, data: 'any', 'logger?': 'string' } },
  'notifications/resources/updated': { params: { uri: 'string' } },
};

/** What `codex mcp-server` expects as the answer to an elicitation that is an approval, instead of MCP's own. */
const CODEX_ANSWER: JsonShape = { decision: either("'approved'|'approved_for_session'|'denied'|'abort'", 'object') };

function codexAnswer({ events, message }: ReadFrame): ExpectedShape | null {
  if (events[0]?.kind !== 'approval-answer' || message.envelope !== 'response') return null;
  return { name: 'answer to elicitation/create of Codex', value: message.body, shape: CODEX_ANSWER, at: 'result' };
}

export const mcpSchemas: MessageSchemas = {
  source: 'MCP, schema.ts',
  open() {
    const era = new Era();
    const expecting = expectByMethod(METHODS);
    return (read) => {
      era.take(read);
      return era.isStateless ? null : (codexAnswer(read) ?? expecting(read));
    };
  },
};
