/** Sends spans to a collector of OpenTelemetry over HTTP, one request after the other, with retries. */

import { Failure } from '../../model/failure.ts';
import { clip, humanSeconds } from '../../model/text/text.ts';

export interface SendOptions {
  /** Waits, in milliseconds. Tests replace it. */
  sleep?: (ms: number) => Promise<void>;
  /** Headers besides the content type, such as an API key. */
  headers?: Record<string, string>;
  /** Called before a request is sent again, with the reason. */
  onRetry?: (reason: string) => void;
}

export interface OtlpSendResult {
  requests: number;
  spans: number;
  /** Spans that the collector refused, and why. */
  rejected: number;
  message: string | null;
}

/** Statuses after which a request is sent again. */
const RETRY_STATUSES = new Set([429, 502, 503, 504]);
/** Codes of a certificate that will not be trusted later either. */
const UNTRUSTED_CODE = /CERT|_SIGNATURE$/;
const MAX_TRIES = 5;
const MAX_WAIT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** All tries together take no longer, whatever `retry-after` says. */
const TOTAL_TIMEOUT_MS = 90_000;
/** No more of an answer is read. */
const MAX_ANSWER_BYTES = 1 << 16;
const MAX_MESSAGE_CHARS = 300;

/** `http://localhost:4318` is `http://localhost:4318/v1/traces`. */
export function tracesUrl(endpoint: string): URL {
  const url = URL.parse ? URL.parse(endpoint) : tryUrl(endpoint);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Failure(
      `invalid endpoint: ${endpoint}`,
      'give the address of a collector, such as http://localhost:4318',
    );
  if (url.pathname === '/' || url.pathname === '') url.pathname = '/v1/traces';
  return url;
}

/** The standard variables for headers: `key=value,key=value`, percent-encoded. */
export function headersIn(env: Record<string, string | undefined>): Record<string, string> {
  const pairs = (env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',');
  const split = pairs.map((pair) => /^\s*([\w!#$&'*+.^`|~-]+)\s*=(.*)$/.exec(pair));
  return Object.fromEntries(split.flatMap((match) => (match ? [[match[1]!, decodePercent(match[2]!.trim())]] : [])));
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function tryUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

export async function sendOtlp(
  endpoint: string,
  bodies: Iterable<unknown>,
  sending: SendOptions = {},
): Promise<OtlpSendResult> {
  const url = tracesUrl(endpoint);
  const sent: OtlpSendResult = { requests: 0, spans: 0, rejected: 0, message: null };
  for (const body of bodies) {
    const answer = await post(url, JSON.stringify(body), sending);
    sent.requests++;
    const spans = countSpans(body);
    sent.spans += spans;
    const { rejectedSpans, errorMessage } = answer?.partialSuccess ?? {};
    sent.rejected += Math.min(spans, Math.max(0, Math.floor(Number(rejectedSpans ?? 0)) || 0));
    if (typeof errorMessage === 'string' && errorMessage !== '') sent.message = clip(errorMessage, MAX_MESSAGE_CHARS);
  }
  return sent;
}

interface CollectorAnswer {
  partialSuccess?: { rejectedSpans?: string | number; errorMessage?: string };
}

async function post(
  url: URL,
  body: string,
  { sleep = sleepMs, headers = {}, onRetry }: SendOptions,
): Promise<CollectorAnswer | null> {
  const began = performance.now();
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce(url, body, headers);
    if (outcome.ok) return outcome.answer;
    const wait = Math.min(MAX_WAIT_MS, outcome.again ? (outcome.after ?? 500 * 2 ** (attempt - 1)) : 0);
    if (!outcome.again || attempt === MAX_TRIES || performance.now() - began + wait > TOTAL_TIMEOUT_MS)
      throw new Failure(
        `${url.origin}${url.pathname}: ${outcome.why}${attempt > 1 ? `, ${attempt} times` : ''}`,
        outcome.hint,
      );
    onRetry?.(outcome.why);
    await sleep(wait);
  }
}

type PostOutcome =
  | { ok: true; answer: CollectorAnswer | null }
  | { ok: false; again: boolean; why: string; hint?: string | undefined; after?: number | undefined };

async function postOnce(url: URL, body: string, headers: Record<string, string>): Promise<PostOutcome> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    const { code } = cause ?? {};
    const isUntrusted = code !== undefined && UNTRUSTED_CODE.test(code);
    const hint = isUntrusted
      ? 'NODE_EXTRA_CA_CERTS can name a file with the certificate that signed it'
      : 'is a collector with an OTLP/HTTP receiver running there?';
    // Without a code, the address itself is refused, and will be again.
    const again = !isUntrusted && (code !== undefined || (error as Error).name === 'TimeoutError');
    const isLate = (error as Error).name === 'TimeoutError';
    const why = isLate
      ? `no answer in ${humanSeconds(REQUEST_TIMEOUT_MS / 1000)}`
      : (code ?? cause?.message ?? message);
    return { ok: false, again, why, hint };
  }
  const text = await readStart(response);
  if (response.ok) return { ok: true, answer: parseAnswer(text) };
  const after = Number(response.headers.get('retry-after'));
  const why = `the collector answered ${response.status}${text === '' ? '' : `: ${text.slice(0, 200)}`}`;
  const hint = hintFor(response);
  return {
    ok: false,
    again: RETRY_STATUSES.has(response.status),
    why,
    hint,
    after: after > 0 ? after * 1000 : undefined,
  };
}

function hintFor({ status, headers }: Response): string | undefined {
  if (status === 404) return 'name the whole path, such as http://localhost:4318/v1/traces';
  const location = headers.get('location');
  // What is sent may be private, so only the user says where it goes.
  return status >= 300 && status < 400 && location !== null ? `it redirects to ${clip(location, 200)}` : undefined;
}

/** An answer may have no end. */
async function readStart({ body }: Response): Promise<string> {
  if (!body) return '';
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece as Uint8Array);
      length += (piece as Uint8Array).length;
      // Leaving the loop closes the connection.
      if (length >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // What has come will do.
  }
  return Buffer.concat(pieces).toString('utf8', 0, MAX_ANSWER_BYTES);
}

function parseAnswer(text: string): CollectorAnswer | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' ? (value as CollectorAnswer | null) : null;
  } catch {
    return null;
  }
}

function countSpans(body: unknown): number {
  const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: unknown[] }[] }[] };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).reduce((sum, { spans }) => sum + spans.length, 0);
}

const sleepMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
