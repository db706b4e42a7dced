/**
 * Sends the spans of a session while it is being recorded: what has ended about once a second, the rest and the span of
 * the session at the end. What was recorded is redacted word by word, because the rest of it is not known yet; commands
 * and descriptions are left out.
 */

import { RedactionDetector } from '../../analysis/redact/detector.ts';
import { editsIn } from '../../analysis/redact/edits.ts';
import { scanForLeaks } from '../../analysis/redact/leak-scan.ts';
import { literalsOf } from '../../analysis/redact/machine-identity.ts';
import { PseudonymBook } from '../../analysis/redact/pseudonym-book.ts';
import type { Frame, Metadata } from '../../model/frame.ts';
import { GrowingPass } from '../../session/growing-pass.ts';
import { dialectIn } from '../../session/source.ts';
import { BATCH, type OtlpSpan, OtlpTrace } from './otlp.ts';
import { SpanFeed } from './otlp-feed.ts';
import { type OtlpSendResult, type SendOptions, sendOtlp } from './otlp-send.ts';

const EVERY_MS = 1000;
const OMITTED_ATTRIBUTES = new Set(['wiretape.description', 'process.command_args']);

/** What has been recorded so far; null where the recording pauses. */
export type LiveRecording = AsyncIterable<{ metadata: Metadata; frame: Frame } | null>;

/** `onTrouble` is called when sending fails; the spans are sent again with the next ones. */
export async function sendWhileRecording(
  recorded: LiveRecording,
  id: string,
  endpoint: string,
  onTrouble: (message: string) => void,
  sending: SendOptions = {},
): Promise<OtlpSendResult> {
  const all: OtlpSendResult = { requests: 0, spans: 0, rejected: 0, message: null };
  const queue: OtlpSpan[] = [];
  let live: LiveSpans | null = null;
  let sendingNow: Promise<void> | null = null;
  let last = performance.now();
  const flush = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH);
      const sent = await sendOtlp(endpoint, [live!.request(batch)], sending);
      queue.splice(0, batch.length);
      all.requests += sent.requests;
      all.spans += sent.spans;
      all.rejected += sent.rejected;
      all.message = sent.message ?? all.message;
    }
  };
  for await (const one of recorded) {
    if (one) {
      live ??= new LiveSpans(id, one.metadata);
      live.take(one.frame);
      continue;
    }
    if (!live || sendingNow || performance.now() - last < EVERY_MS) continue;
    last = performance.now();
    queue.push(...live.due(false));
    sendingNow = flush()
      .catch((error: Error) => onTrouble(error.message))
      .finally(() => {
        sendingNow = null;
      });
  }
  await sendingNow;
  if (live) queue.push(...live.due(true));
  await flush();
  return all;
}

class LiveSpans {
  readonly #id: string;
  readonly #metadata: Metadata;
  readonly #pass: GrowingPass<{ take(): void }>;
  readonly #feed = new SpanFeed();
  readonly #book = new PseudonymBook();
  readonly #detector = new RedactionDetector();
  #end = 0;

  constructor(id: string, metadata: Metadata) {
    const { command } = metadata;
    this.#id = id;
    // Arguments may be secrets, and the path of the program may be private.
    this.#metadata = { ...metadata, command: command.slice(0, 1).map((path) => path.split('/').at(-1)!) };
    this.#pass = new GrowingPass({ command, dialect: dialectIn(metadata) }, () => ({ take() {} }), { tree: true });
    for (const literal of literalsOf(metadata)) this.#detector.add(literal);
  }

  take(frame: Frame): void {
    this.#end = Math.max(this.#end, frame.t);
    this.#pass.take(frame);
  }

  request(spans: readonly OtlpSpan[]): unknown {
    return this.#trace.request(spans, (text) => this.#redacted(text));
  }

  /** Nothing before the protocol is certain: a guess that turns out wrong would have made other spans. */
  due(isOver: boolean): OtlpSpan[] {
    if (isOver) this.#pass.flush();
    else if (!this.#pass.isDecided) return [];
    const trace = this.#trace;
    const spans = this.#feed.due(this.#pass.timeline, this.#end, isOver).map((span) => trace.span(span));
    if (isOver) spans.push(trace.root(this.#end));
    return spans.map((span) => this.#redactedSpan(span)).filter((span) => isClean(span));
  }

  get #trace(): OtlpTrace {
    const { timeline, dialect } = this.#pass;
    return new OtlpTrace({ id: this.#id, dir: this.#id, metadata: this.#metadata }, timeline, dialect);
  }

  #redactedSpan({ name, attributes, ...span }: OtlpSpan): OtlpSpan {
    const kept = attributes.filter(({ key }) => !OMITTED_ATTRIBUTES.has(key));
    for (const { key, value } of kept)
      if (/[._]id$/.test(key)) this.#detector.known.add(String((value as { stringValue?: unknown }).stringValue));
    const safe = kept.map(({ key, value }) => ({ key, value: this.#redactedValue(value) }));
    return { ...span, name: this.#redacted(name), attributes: safe };
  }

  #redactedValue(value: unknown): unknown {
    const { stringValue } = value as { stringValue?: string };
    return stringValue === undefined ? value : { stringValue: this.#redacted(stringValue) };
  }

  #redacted(text: string): string {
    return this.#book.apply(text, editsIn(text, this.#detector));
  }
}

/** The same scan as of a file. A span that does not pass is not sent. */
function isClean({ name, attributes }: OtlpSpan): boolean {
  return scanForLeaks([{ where: name, text: JSON.stringify({ name, attributes }) }]).length === 0;
}
