/**
 * Spans for OpenTelemetry, as OTLP writes them in JSON: a trace a session, after the conventions for generative AI (turns
 * are `invoke_agent`, steps `chat`, calls `execute_tool`) and for MCP (requests are named by their method). Waits for the
 * client are spans of their own, which no convention has. Ids are made from the session, so that the same session sent
 * twice is the same trace.
 */
import { createHash } from 'node:crypto';
import { traitsOf } from '../../dialects/index.ts';
import type { Usage } from '../../model/event.ts';
import { microsOf } from '../../model/frame.ts';
import type { Call } from '../../model/ledger/records.ts';
import { visible } from '../../model/text/text.ts';
import type { ItemAnswer, Timeline } from '../../model/timeline/entries.ts';
import { spansOf, type TraceSpan } from '../../model/timeline/trace-spans.ts';
import { Pass } from '../../session/pass.ts';
import { idOf, type Session } from '../../session/session.ts';
import { FrameMeter } from '../../session/stats.ts';
import { VERSION } from '../../storage/system/installation.ts';
import type { ExportFormat } from './index.ts';

/** Spans in one request: collectors refuse bodies of more than a few megabytes. */
export const BATCH = 512;

export const otlp: ExportFormat = {
  name: 'otlp',
  ending: 'otlp.json',
  summary: 'spans for OpenTelemetry, one JSON request per line',
  *write(session) {
    for (const batch of otlpRequests(session)) yield `${JSON.stringify(batch)}\n`;
  },
};

/** The bodies of the requests to `/v1/traces`. */
export function* otlpRequests(session: Session): Generator<unknown> {
  const meter = new FrameMeter();
  const pass = new Pass(session, { tree: true }).run(meter);
  const { timeline, dialect } = pass;
  const trace = new OtlpTrace(session, timeline, dialect);
  let spans: OtlpSpan[] = [trace.root(meter.seconds)];
  for (const span of spansOf(timeline, meter.seconds)) {
    spans.push(trace.span(span));
    if (spans.length < BATCH) continue;
    yield trace.request(spans);
    spans = [];
  }
  if (spans.length > 0) yield trace.request(spans);
}

type AttributeValue = string | number | boolean | null | undefined | readonly string[];

/** What the conventions say about a span. */
interface SpanMeaning {
  name: string;
  kind: number;
  values: Record<string, AttributeValue>;
  error?: string | null;
}

const INTERNAL = 1;
const SERVER = 2;
const CLIENT = 3;
const FAILED = 2;
const ROOT = 'session';

export interface OtlpSpan {
  name: string;
  attributes: { key: string; value: unknown }[];
  [field: string]: unknown;
}

export class OtlpTrace {
  readonly #session: string;
  readonly #id: string;
  readonly #startedAt: number;
  readonly #timeline: Pick<Timeline, 'handshake'>;
  readonly #dialect: string;
  readonly #toolMethod: string | null;
  readonly #command: readonly string[];

  constructor(
    session: Pick<Session, 'dir' | 'id' | 'metadata'>,
    timeline: Pick<Timeline, 'handshake'>,
    dialect: string,
  ) {
    this.#session = idOf(session);
    this.#id = this.#hash('trace', 32);
    this.#startedAt = microsOf(session.metadata.started_at);
    this.#timeline = timeline;
    this.#dialect = dialect;
    this.#toolMethod = traitsOf(dialect).toolMethod;
    this.#command = session.metadata.command;
  }

  /** `safe` is applied to what the resource says about the agent. */
  request(spans: readonly unknown[], safe = (text: string) => text): unknown {
    const { agent } = this.#timeline.handshake;
    const resource = attributes({
      'service.name': safe(agent?.name ?? this.#command[0] ?? 'agent'),
      'service.version': agent?.version && safe(agent.version),
      'process.command_args': this.#command.length > 1 ? this.#command : null,
    });
    const scopeSpans = [{ scope: { name: 'wiretape', version: VERSION }, spans }];
    return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans }] };
  }

  /** The session: everything else is inside it. */
  root(seconds: number): OtlpSpan {
    const { client, protocol } = this.#timeline.handshake;
    return this.#span(ROOT, null, `session ${this.#session}`, INTERNAL, 0, seconds, {
      'gen_ai.conversation.id': this.#timeline.handshake.session ?? this.#session,
      'wiretape.session': this.#session,
      'wiretape.dialect': this.#dialect,
      'wiretape.protocol': protocol,
      'wiretape.client': client && `${client.name} ${client.version ?? ''}`.trim(),
    });
  }

  span(span: TraceSpan): OtlpSpan {
    const { name, kind, values, error } = this.#meaning(span);
    const about = { ...values, 'wiretape.frame': span.f, 'wiretape.open': span.open || null };
    return this.#span(span.key, span.parent ?? ROOT, name, kind, span.t, span.t_end, about, error);
  }

  #meaning(span: TraceSpan): SpanMeaning {
    const { agent, model } = this.#timeline.handshake;
    const name = agent?.name ?? null;
    if (span.is === 'turn') {
      const { usage, status, code } = span.turn;
      const values = {
        ...operation('invoke_agent', name, model),
        ...tokens(usage),
        'wiretape.turn': span.turn.n,
        'wiretape.status': status,
      };
      return {
        name: `invoke_agent ${name ?? ''}`.trim(),
        kind: CLIENT,
        values,
        error: code === null ? null : String(code),
      };
    }
    if (span.is === 'step') {
      const values = { ...operation('chat', name, model), ...tokens(span.step.usage), 'wiretape.step': span.step.n };
      return { name: `chat ${model ?? ''}`.trim(), kind: CLIENT, values };
    }
    if (span.is === 'wait') {
      const { kind, tool, decision, description } = span.ask;
      const values = { 'wiretape.wait': kind, 'gen_ai.tool.name': tool, 'wiretape.decision': decision };
      return { name: `wait ${kind}`, kind: CLIENT, values: { ...values, 'wiretape.description': description } };
    }
    if (span.is === 'tool') return this.#tool(span.item.call!, name);
    if (span.is === 'request') return this.#request(span.name, span.item.answer!);
    const subagent = span.is === 'subagent' ? operation('invoke_agent', span.name, model) : {};
    const error = span.item.kind === 'error' ? String(span.item.code ?? '_OTHER') : null;
    return {
      name: span.is === 'subagent' ? `invoke_agent ${span.name}` : span.name,
      kind: INTERNAL,
      values: subagent,
      error,
    };
  }

  #request(method: string, { ok, code }: ItemAnswer): SpanMeaning {
    const values = {
      'rpc.method': method,
      'rpc.system.name': 'jsonrpc',
      'network.transport': 'pipe',
      'mcp.method.name': this.#toolMethod === null ? null : method,
      'rpc.response.status_code': code === null ? null : String(code),
    };
    return { name: method, kind: SERVER, values, error: ok ? null : String(code ?? '_OTHER') };
  }

  #tool({ id, tool, result, queue, wait, run }: Call, agent: string | null): SpanMeaning {
    const called = this.#toolMethod;
    const values = {
      ...operation('execute_tool', called === null ? agent : null, undefined),
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': id,
      'mcp.method.name': called,
      'wiretape.queue': queue,
      'wiretape.wait': wait,
      'wiretape.run': run,
    };
    const error = result && !result.ok ? 'tool_error' : null;
    return { name: `${called ?? 'execute_tool'} ${tool ?? ''}`.trim(), kind: INTERNAL, values, error };
  }

  #span(
    key: string,
    parent: string | null,
    name: string,
    kind: number,
    t: number,
    t_end: number,
    values: Record<string, AttributeValue>,
    error: string | null = null,
  ): OtlpSpan {
    return {
      traceId: this.#id,
      spanId: this.#hash(key, 16),
      ...(parent !== null && { parentSpanId: this.#hash(parent, 16) }),
      name: visible(name),
      kind,
      startTimeUnixNano: this.#nanos(t),
      endTimeUnixNano: this.#nanos(Math.max(t, t_end)),
      attributes: attributes(error === null ? values : { ...values, 'error.type': error }),
      status: error === null ? {} : { code: FAILED },
    };
  }

  #nanos(seconds: number): string {
    return `${this.#startedAt + Math.round(seconds * 1e6)}000`;
  }

  #hash(key: string, digits: number): string {
    return createHash('sha256').update(`${this.#session}\n${key}`).digest('hex').slice(0, digits);
  }
}

function operation(name: string, agent: string | null, model: string | undefined): Record<string, AttributeValue> {
  return { 'gen_ai.operation.name': name, 'gen_ai.agent.name': agent, 'gen_ai.request.model': model };
}

/** The conventions count cached tokens as input too. */
function tokens({ input, cache_read, cache_write, output }: Usage): Record<string, AttributeValue> {
  const all = input + cache_read + cache_write;
  if (all + output === 0) return {};
  return {
    'gen_ai.usage.input_tokens': all,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cache_read,
    'gen_ai.usage.cache_creation.input_tokens': cache_write,
  };
}

/** Values that are unknown are left out. */
function attributes(values: Record<string, AttributeValue>): { key: string; value: unknown }[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: attributeJson(value) }],
  );
}

function attributeJson(value: Exclude<AttributeValue, null | undefined>): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}
