/** `record --otlp`: a collector gets spans while the session runs; one that is away changes nothing for client and agent. */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { KEYS } from '../../support/planted.ts';
import { onlyTape, run, WIRETAPE, wiretape } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';
import { waitFor } from '../../support/wait.ts';

const SECRET = KEYS.find(({ kind }) => kind === 'github-token')!.text;

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const TLS = new URL('../../fixtures/tls/', import.meta.url);
/** Signed by nobody else. */
const CERTIFICATE = new URL('certificate.pem', TLS);

/** A collector that keeps what it gets, and is busy for the first `busy` requests. */
async function collector(busy = 0, isSecure = false) {
  const got = { spans: [] as Span[], text: '', requests: 0, keys: [] as unknown[] };
  const answer: RequestListener = (request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      got.keys.push(request.headers['x-key']);
      if (++got.requests <= busy) return response.writeHead(503, { connection: 'close' }).end();
      got.text += body;
      got.spans.push(...JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
      response.setHeader('connection', 'close').end('{}');
    });
  };
  const pair = () => ({ cert: readFileSync(CERTIFICATE), key: readFileSync(new URL('key.pem', TLS)) });
  const server = isSecure ? createSecureServer(pair(), answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { got, endpoint: `http${isSecure ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

type Collector = Awaited<ReturnType<typeof collector>>;

const rpc = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
const event = (type: string, payload: object) => rpc({ method: 'event', params: { type, payload } });
const call = { type: 'function', id: 'Shell:1', function: { name: `Shell-${SECRET}`, arguments: '{}' }, extras: null };
const SAID = [
  event('TurnBegin', { user_input: 'hi' }),
  event('StepBegin', { n: 1 }),
  event('ToolCall', call),
  event('ToolResult', {
    tool_call_id: 'Shell:1',
    return_value: { is_error: false, output: 'x', message: '', display: [] },
  }),
  event('StepBegin', { n: 2 }),
  event('TurnEnd', {}),
  rpc({ id: '2', result: { status: 'finished' } }),
];
const HELLO = rpc({
  id: '1',
  result: { protocol_version: '1.10', server: { name: 'Sample', version: '1' }, slash_commands: [] },
});
/** Answers the handshake and one prompt, and stays until its stdin ends. */
const AGENT = ['sh', '-c', 'read -r a; echo "$HELLO"; read -r b; printf "%s\\n" "$SAID"; cat > /dev/null', SECRET];
const ASKED = `${rpc({ method: 'initialize', id: '1', params: { protocol_version: '1.10' } })}\n${rpc({ method: 'prompt', id: '2', params: { user_input: 'hi' } })}\n`;

function recording(place: Place, endpoint: string, env: NodeJS.ProcessEnv = {}): Client {
  const command = [WIRETAPE, 'record', '--otlp', endpoint, '--dialect', 'wire', '--', ...AGENT];
  return new Client(command, { env: { ...place.env, HELLO, SAID: SAID.join('\n'), ...env } });
}

/** Until the collector has all of it. */
async function recordTo({ got, endpoint }: Collector, place: Place, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const client = recording(place, endpoint, env);
  try {
    client.end(ASKED);
    await client.over();
    expect(client.code).toBe(0);
    await waitFor(() => got.spans.some(({ name }) => name.startsWith('session ')), 'the span of the session');
  } finally {
    client.dispose();
  }
}

describe('record --otlp', () => {
  it('sends what has ended while it records, and the session at its end', async ({ place }) => {
    const { got, endpoint } = await collector();
    const client = recording(place, endpoint, { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b' });
    try {
      client.write(ASKED);
      await waitFor(() => got.spans.some(({ name }) => name === 'invoke_agent Sample'), 'the span of the turn');
      expect(client.code).toBe(null);
      expect(got.spans.some(({ name }) => name.startsWith('session '))).toBe(false);
      client.end();
      await client.over();
      expect([client.code, client.stderr.toString()]).toEqual([0, '']);
      expect(client.stdout.toString()).toBe(`${[HELLO, ...SAID].join('\n')}\n`);
      await waitFor(() => got.spans.some(({ name }) => name.startsWith('session ')), 'the span of the session');
    } finally {
      client.dispose();
    }
    expect(new Set(got.spans.map(({ spanId }) => spanId)).size).toBe(got.spans.length);
    expect(new Set(got.spans.map(({ traceId }) => traceId)).size).toBe(1);
    const ids = new Set(got.spans.map(({ spanId }) => spanId));
    for (const { parentSpanId } of got.spans) expect(parentSpanId === undefined || ids.has(parentSpanId)).toBe(true);
    expect(new Set(got.keys)).toEqual(new Set(['a b']));
    // Neither the name of the tool nor the command tells the secret.
    expect(got.text).toContain('[TOKEN_1]');
    expect(got.text).not.toContain(SECRET);
    // Exported later, it is the same trace.
    const { stdout } = await wiretape(place, ['export', 'last', '-f', 'otlp']);
    const later = JSON.parse(stdout.toString()).resourceSpans[0].scopeSpans[0].spans as Span[];
    expect(new Set(later.map(({ spanId }) => spanId))).toEqual(ids);
    expect(later[0]!.traceId).toBe(got.spans[0]!.traceId);
  });

  it('sends again what a busy collector did not take', async ({ place }) => {
    const { got, endpoint } = await collector(2);
    await recordTo({ got, endpoint }, place);
    expect(new Set(got.spans.map(({ spanId }) => spanId)).size).toBe(got.spans.length);
  });

  it('knows the certificates that Node was told about, as export does', async ({ place }) => {
    const { got, endpoint } = await collector(0, true);
    const env = { NODE_EXTRA_CA_CERTS: CERTIFICATE.pathname };
    await recordTo({ got, endpoint }, place, env);
    const words = ['export', 'last', '-f', 'otlp', '--endpoint', endpoint];
    const sent = got.spans.length;
    expect((await run(place, [WIRETAPE, ...words], { env: { ...place.env, ...env } })).code).toBe(0);
    expect(got.spans.length).toBe(2 * sent);
    const { code, stderr } = await run(place, [WIRETAPE, ...words], { env: place.env });
    expect([code, stderr.toString()]).toEqual([
      2,
      `wiretape: ${endpoint}/v1/traces: DEPTH_ZERO_SELF_SIGNED_CERT\nhint: NODE_EXTRA_CA_CERTS can name a file with the certificate that signed it\n`,
    ]);
  });

  it('changes nothing if there is no collector', async ({ place }) => {
    const { endpoint } = await collector();
    for (const close of closing.splice(0)) close();
    const client = recording(place, endpoint);
    try {
      client.end(ASKED);
      await client.over();
      expect([client.code, client.stdout.toString()]).toEqual([0, `${[HELLO, ...SAID].join('\n')}\n`]);
      expect(client.stderr.toString()).toMatch(/^(wiretape: spans are not sent: .*ECONNREFUSED.*\n)?$/);
    } finally {
      client.dispose();
    }
    expect((await onlyTape(place)).final).toBe(true);
  });

  it('refuses what is no address before anything is started', async ({ place }) => {
    const { code, stderr } = await wiretape(place, ['record', '--otlp', 'localhost:4318', '--', 'true']);
    expect(stderr.toString()).toBe(
      'wiretape: invalid endpoint: localhost:4318\nhint: give the address of a collector, such as http://localhost:4318\n',
    );
    expect(code).toBe(2);
  });
});
