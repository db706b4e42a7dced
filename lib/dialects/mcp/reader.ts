/** Reads the lines of an MCP server. */
import type { Block, Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { toJson } from '../../model/message.ts';
import { CODEX_EVENT, CodexInMcp, readCodexApprovalAnswer } from '../codex/in-mcp.ts';
import { blocksOf, textOfBlocks } from '../common/content.ts';
import { readElicitation, readElicitationAnswer } from '../common/elicitation.ts';
import {
  errorText,
  handshakeEvent,
  idText,
  numberOf,
  objectOf,
  objectsOf,
  partyOf,
  stringOf,
  walkOrDefault,
  withText,
} from '../common/fields.ts';
import { flagRole, readStray } from '../common/stray.ts';
import type { DialectLine, DialectReader, JsonObject } from '../dialect.ts';

const STATUS = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
  'notifications/elicitation/complete',
]);

export class McpReader implements DialectReader {
  /** Tool calls by progress token. Tokens are independent of request ids. */
  readonly #tokens = new LimitedMap<unknown, { call: string | null; tool: string | null }>();
  readonly #tools = new LimitedMap<number, string | null>();
  readonly #codex = new CodexInMcp();
  /** Elicitations that are approvals, by their frames. */
  readonly #approvals = new LimitedMap<number, true>();

  read(line: DialectLine): Event[] {
    const stray = readStray(line);
    if (stray) return stray;
    const { envelope, method } = line.message;
    if (envelope === 'response' || envelope === 'error') return flagRole([this.#readAnswer(line)], line);
    const params = objectOf(line.message.body);
    if (method === CODEX_EVENT) return this.#codex.read(params);
    const events =
      envelope === 'request' ? this.#readRequest(line, method!, params) : [this.#readNotification(method!, params)];
    return flagRole(events, line);
  }

  #readRequest(line: DialectLine, method: string, params: JsonObject): Event[] {
    if (method === 'ping') return [{ kind: 'control', name: method }];
    if (line.frame.from === 'client') {
      if (method === 'initialize') return [readIntroduction('client', params, params.clientInfo)];
      return [method === 'tools/call' ? this.#readToolCall(line, params) : { kind: 'control', name: method }];
    }
    if (method === 'elicitation/create') return this.#readElicitation(line, params);
    if (method === 'sampling/createMessage' || method === 'roots/list') return [readClientCall(method, params)];
    return [{ kind: 'other', name: method }];
  }

  #readElicitation({ frame }: DialectLine, params: JsonObject): Event[] {
    const approval = this.#codex.readApproval(params);
    if (approval) this.#approvals.set(frame.f, true);
    return approval ?? [readElicitation(params)];
  }

  #readToolCall({ frame, message, pairing }: DialectLine, params: JsonObject): Event {
    const call = idText(message.id);
    const tool = stringOf(params.name);
    const token = objectOf(params._meta).progressToken;
    if (token !== undefined) this.#tokens.set(token, { call, tool });
    this.#tools.set(frame.f, tool);
    const args = walkOrDefault(() => JSON.stringify(params.arguments ?? {}), '{}');
    const event: Event = { kind: 'tool-call', call, tool, args, complete: true };
    return pairing?.role === 'asks-again' ? { ...event, restates: true } : event;
  }

  #readNotification(method: string, params: JsonObject): Event {
    switch (method) {
      case 'notifications/initialized':
        return { kind: 'handshake', about: {} };
      case 'notifications/cancelled':
        return withText({ kind: 'cancel', of: idText(params.requestId), done: false }, stringOf(params.reason));
      case 'notifications/progress': {
        const of = this.#tokens.get(params.progressToken) ?? { call: null, tool: null };
        return { kind: 'progress', ...of, text: progressText(params) };
      }
      case 'notifications/message':
        return {
          kind: 'log',
          name: stringOf(params.level),
          text: stringOf(params.data) ?? toJson(params.data ?? null),
        };
    }
    return STATUS.has(method)
      ? withText({ kind: 'status', name: method }, stringOf(params.uri))
      : { kind: 'other', name: method };
  }

  #readAnswer(line: DialectLine): Event {
    const { asker, method, askedF } = line.pairing!.exchange!;
    const { message } = line;
    const result = objectOf(message.body);
    const error = message.envelope === 'error' ? { text: errorText(message.body) ?? '' } : {};
    if (method === 'ping') return { kind: 'control', name: method, ...error };
    if (asker === 'client') {
      if (method === 'initialize') return { ...readIntroduction('agent', result, result.serverInfo), ...error };
      if (method === 'tools/call') return readToolResult(line, this.#tools.get(askedF) ?? null);
      return { kind: 'control', name: method, ...error };
    }
    if (this.#approvals.has(askedF)) return readCodexApprovalAnswer(line);
    if (method === 'elicitation/create') return readElicitationAnswer(line);
    if (method === 'sampling/createMessage' || method === 'roots/list') return readClientCallAnswer(line);
    return { kind: 'other', name: method, ...error };
  }
}

function readIntroduction(
  side: 'client' | 'agent',
  { protocolVersion, capabilities }: JsonObject,
  info: unknown,
): Event {
  return handshakeEvent({ protocol: stringOf(protocolVersion), [side]: partyOf(info), capabilities });
}

function progressText({ progress, total, message }: JsonObject): string {
  const done = numberOf(progress);
  const of = numberOf(total);
  return stringOf(message) ?? (done === null ? '' : of === null ? String(done) : `${done}/${of}`);
}

/** A failed tool reports that in its result; an error means that the call itself was invalid. */
function readToolResult({ message }: DialectLine, tool: string | null): Event {
  const call = idText(message.id);
  if (message.envelope === 'error') {
    const text = errorText(message.body) ?? '';
    return { kind: 'tool-result', call, tool, ok: false, blocks: [], displays: [], text };
  }
  const result = objectOf(message.body);
  const blocks = blocksOf(result.content);
  for (const name of ['structuredContent', 'task']) {
    if (blocks.length === 0 && result[name] !== undefined) blocks.push({ type: 'unknown', name, value: result[name] });
  }
  const ok = result.isError !== true;
  return { kind: 'tool-result', call, tool, ok, blocks, displays: [], text: textOfBlocks(blocks) };
}

function readClientCall(method: string, params: JsonObject): Event {
  const text = objectsOf(params.messages)
    .map(({ content }) => textOfBlocks(blocksOf(content)))
    .join('\n');
  return { kind: 'client-call', call: null, request: null, what: method, arguments: params, ...(text ? { text } : {}) };
}

function readClientCallAnswer({ message }: DialectLine): Event {
  const kind = 'client-call-answer';
  if (message.envelope === 'error') {
    return { kind, request: null, ok: false, blocks: [], text: errorText(message.body) ?? '' };
  }
  const { content, roots } = objectOf(message.body);
  const rootBlocks = objectsOf(roots).map(({ uri, name }): Block => {
    return { type: 'resource', uri: stringOf(uri) ?? '', text: stringOf(name) };
  });
  const blocks = [...blocksOf(content), ...rootBlocks];
  return { kind, request: null, ok: true, blocks, text: textOfBlocks(blocks) };
}
