/**
 * A session of Kimi Wire as the `wire.jsonl` that kimi itself keeps, so that its own `replay` and `kimi vis` take it: a
 * header, then `{"timestamp", "message": {"type", "payload"}}` a line. What kimi leaves out since 1.25, approvals and
 * their answers, was on the wire and is put back. As in kimi's own file, streamed parts are merged; the time is that of
 * the first. Frames of a `replay` and requests sent again are left out: they are there once already.
 */
import { type Frame, type Metadata, microsOf } from '../core/frame.ts';
import { exactJson } from '../core/id.ts';
import { isObject, type Message, NOTHING, readMessage, textIn } from '../core/message.ts';
import { tooLarge } from '../core/too-large.ts';
import { Failure } from '../failure.ts';
import { readMetadata, readTape } from '../tape/read.ts';
import type { ExportFormat } from './index.ts';
import { isMergeable, mergeInto, type WireMessage } from './kimi-merge.ts';

export const kimi: ExportFormat = {
  name: 'kimi',
  summary: "a wire.jsonl that kimi's own replay and vis read, with the approvals it leaves out",
  *write(tape, note) {
    const metadata = readMetadata(tape);
    const { protocol, replays, messages, unread } = look(tape, metadata);
    if (messages === 0) {
      throw new Failure(
        `session ${metadata.session} holds no messages of Kimi Wire`,
        'it is for sessions of kimi --wire',
      );
    }
    if (unread > 0) note(`${unread} line${unread === 1 ? '' : 's'} too large to be read left out`);
    // Kimi takes a file without a header for one of the first versions; we know no better then.
    if (protocol !== null) yield line({ type: 'metadata', protocol_version: protocol });
    const startedAt = microsOf(metadata.started_at);
    for (const { t, message } of merged(sentOnce(tape, replays, note))) {
      yield line({ timestamp: (startedAt + Math.round(t * 1e6)) / 1e6, message });
    }
  },
};

/** What has to be known before the first line is written. */
class Look {
  /** As the agent told it in the handshake. */
  protocol: string | null = null;
  /** From where to where the agent sent again what it had sent before. */
  readonly replays: [from: number, to: number][] = [];
  messages = 0;
  /** Lines that were too large to be read. */
  unread = 0;
  readonly #asked = new Map<string, { f: number; method: string }>();

  client(frame: Frame, { method, id }: Message): void {
    if (method !== null) this.#asked.set(exactJson(id), { f: frame.f, method });
  }

  agent(frame: Frame, message: Message): void {
    if (wireMessage(message)) this.messages++;
    if (tooLarge(frame, textIn(frame)) !== null) this.unread++;
    const id = exactJson(message.id);
    const request = message.method === null ? this.#asked.get(id) : undefined;
    if (!request) return;
    this.#asked.delete(id);
    const version = isObject(message.body) ? message.body.protocol_version : null;
    if (request.method === 'initialize' && typeof version === 'string') this.protocol = version;
    // One that was refused has sent nothing.
    if (request.method === 'replay' && message.envelope === 'response') this.replays.push([request.f, frame.f]);
  }

  end(): void {
    for (const { f, method } of this.#asked.values()) {
      if (method === 'replay') this.replays.push([f, Number.POSITIVE_INFINITY]);
    }
  }
}

function look(tape: string, metadata: Metadata): Look {
  const found = new Look();
  for (const [frame, message] of messagesOf(tape)) {
    if (frame.from === 'client') found.client(frame, message);
    if (frame.from === 'agent') found.agent(frame, message);
  }
  found.end();
  if (typeof metadata.protocol === 'string') found.protocol ??= metadata.protocol;
  return found;
}

/** What the agent sent, each thing once. */
function* sentOnce(tape: string, replays: Look['replays'], note: (message: string) => void): Generator<Sent> {
  const asked = new Set<string>();
  let left = 0;
  for (const [frame, message] of messagesOf(tape)) {
    const wire = frame.from === 'agent' ? wireMessage(message) : null;
    if (!wire) continue;
    const id = message.envelope === 'request' ? exactJson(message.id) : null;
    const replayed = replays.some(([from, to]) => from < frame.f && frame.f < to);
    if (!replayed && (id === null || !asked.has(id))) yield { t: frame.t, message: wire };
    else left++;
    if (id !== null && !replayed) asked.add(id);
  }
  if (left > 0) note(`${left} frame${left === 1 ? '' : 's'} that the agent sent again left out`);
}

interface Sent {
  t: number;
  message: WireMessage;
}

function* merged(all: Iterable<Sent>): Generator<Sent> {
  let growing: Sent | null = null;
  for (const sent of all) {
    if (growing && mergeInto(growing.message, sent.message)) continue;
    if (growing) yield growing;
    growing = isMergeable(sent.message) ? sent : null;
    if (!growing) yield sent;
  }
  if (growing) yield growing;
}

function* messagesOf(tape: string): Generator<[Frame, Message]> {
  for (const entry of readTape(tape)) {
    if (entry.is !== 'frame' || entry.frame.form === 'event') continue;
    const { frame } = entry;
    yield [frame, frame.cut ? NOTHING : readMessage(textIn(frame))];
  }
}

/** The params of an `event` or a `request`; not those of the legacy protocol, which kept no such file. */
function wireMessage({ method, body }: Message): WireMessage | null {
  if ((method !== 'event' && method !== 'request') || !isObject(body)) return null;
  const { type, payload } = body;
  if (typeof type !== 'string' || !/^[A-Z]/.test(type) || !isObject(payload)) return null;
  if (type === 'ToolResult') nameTexts(payload.return_value);
  return { type, payload };
}

/** Until 0.67 a brief had its text under `data`; later versions of kimi do not read such a result at all. */
function nameTexts(value: unknown): void {
  const display = isObject(value) ? value.display : null;
  for (const block of Array.isArray(display) ? display : []) {
    if (isObject(block) && block.type === 'brief' && block.text === undefined) block.text = block.data;
  }
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
