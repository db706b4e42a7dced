/** The shapes of MCP up to 2025-11-25, of all versions at once: what one version added is optional. */
import { expectByMethod, type MethodShape } from '../common/table.ts';
import type { Shape } from '../schema.ts';
import type { Schemas } from '../shape.ts';
import { Era } from './era.ts';

const RESOURCE: Shape = {
  either: [
    { fields: { uri: 'string', text: 'string', 'mimeType?': 'string' } },
    { fields: { uri: 'string', blob: 'string', 'mimeType?': 'string' } },
  ],
};

const CONTENT: Shape = {
  by: 'type',
  shapes: {
    text: { text: 'string' },
    image: { data: 'string', mimeType: 'string' },
    audio: { data: 'string', mimeType: 'string' },
    resource: { resource: RESOURCE },
    resource_link: { uri: 'string', name: 'string' },
    tool_use: { id: 'string', name: 'string', input: 'object' },
    tool_result: { toolUseId: 'string', content: 'list' },
  },
};

const INFO: Shape = { fields: { name: 'string', version: 'string' } };
const ROLE = "'user'|'assistant'";
const PAGE: Shape = { fields: { 'cursor?': 'string' } };
const NEXT = { 'nextCursor?': 'string' } as const;
const ANY_OBJECT = 'object';
const ID = 'string|integer';
const LEVEL = "'debug'|'info'|'notice'|'warning'|'error'|'critical'|'alert'|'emergency'";

/** Since 2025-11-25 a message may have several parts. */
const MESSAGE: Shape = { fields: { role: ROLE, content: { either: [CONTENT, { list: CONTENT }] } } };

const TOOL: Shape = {
  fields: {
    ...{ name: 'string', inputSchema: { fields: { type: "'object'" } }, 'description?': 'string', 'title?': 'string' },
    ...{ 'outputSchema?': { fields: { type: "'object'" } }, 'annotations?': 'object' },
  },
};

const TOOL_RESULT: Shape = {
  either: [
    { fields: { content: { list: CONTENT }, 'isError?': 'boolean', 'structuredContent?': 'object' } },
    { fields: { task: 'object' } },
    // 2024-10-07.
    { fields: { toolResult: 'any' } },
  ],
};

const METHODS: Readonly<Record<string, MethodShape>> = {
  initialize: {
    params: { fields: { protocolVersion: 'string', capabilities: 'object', clientInfo: INFO } },
    result: {
      fields: { protocolVersion: 'string', capabilities: 'object', serverInfo: INFO, 'instructions?': 'string' },
    },
  },
  ping: { result: ANY_OBJECT },
  'tools/list': { params: PAGE, optional: true, result: { fields: { tools: { list: TOOL }, ...NEXT } } },
  'tools/call': { params: { fields: { name: 'string', 'arguments?': 'object' } }, result: TOOL_RESULT },
  'resources/list': {
    ...{ params: PAGE, optional: true },
    result: { fields: { resources: { list: { fields: { uri: 'string', name: 'string' } } }, ...NEXT } },
  },
  'resources/templates/list': {
    ...{ params: PAGE, optional: true },
    result: { fields: { resourceTemplates: { list: { fields: { uriTemplate: 'string', name: 'string' } } }, ...NEXT } },
  },
  'resources/read': { params: { fields: { uri: 'string' } }, result: { fields: { contents: { list: RESOURCE } } } },
  'resources/subscribe': { params: { fields: { uri: 'string' } }, result: ANY_OBJECT },
  'resources/unsubscribe': { params: { fields: { uri: 'string' } }, result: ANY_OBJECT },
  'prompts/list': {
    ...{ params: PAGE, optional: true },
    result: { fields: { prompts: { list: { fields: { name: 'string', 'arguments?': 'list' } } }, ...NEXT } },
  },
  'prompts/get': {
    params: { fields: { name: 'string', 'arguments?': { map: 'string' } } },
    result: { fields: { messages: { list: { fields: { role: ROLE, content: CONTENT } } } } },
  },
  'logging/setLevel': { params: { fields: { level: LEVEL } }, result: ANY_OBJECT },
  'completion/complete': {
    params: {
      fields: { ref: { fields: { type: 'string' } }, argument: { fields: { name: 'string', value: 'string' } } },
    },
    result: { fields: { completion: { fields: { values: { list: 'string' } } } } },
  },
  'sampling/createMessage': {
    params: { fields: { messages: { list: MESSAGE }, maxTokens: 'number', 'systemPrompt?': 'string' } },
    result: { fields: { role: ROLE, content: { either: [CONTENT, { list: CONTENT }] }, model: 'string' } },
  },
  'elicitation/create': {
    params: {
      either: [
        { fields: { message: 'string', requestedSchema: 'object' } },
        { fields: { message: 'string', url: 'string' } },
      ],
    },
    result: { fields: { action: "'accept'|'decline'|'cancel'", 'content?': 'object' } },
  },
  'roots/list': { result: { fields: { roots: { list: { fields: { uri: 'string', 'name?': 'string' } } } } } },
  'notifications/cancelled': { params: { fields: { 'requestId?': ID, 'reason?': 'string' } } },
  'notifications/progress': {
    params: { fields: { progressToken: ID, progress: 'number', 'total?': 'number', 'message?': 'string' } },
  },
  'notifications/message': { params: { fields: { level: LEVEL, data: 'any', 'logger?': 'string' } } },
  'notifications/resources/updated': { params: { fields: { uri: 'string' } } },
};

export const mcpSchemas: Schemas = {
  ref: 'MCP, schema.ts',
  open() {
    const era = new Era();
    const expecting = expectByMethod(METHODS);
    return (read) => {
      era.take(read);
      return era.isStateless ? null : expecting(read);
    };
  },
};
