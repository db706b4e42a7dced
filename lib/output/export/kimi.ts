/**
 * Writes a Kimi Wire session as kimi's own `wire.jsonl`, for kimi's `replay` and `kimi vis`: a header, then one
 * `{"timestamp", "message": {"type", "payload"}}` per line. It includes approvals and their answers, which kimi has left
 * out since 1.25. Streamed parts are merged as in kimi's file, with the time of the first part. Frames that a `replay`
 * or the agent sent again are left out.
 */

import { Failure } from '../../model/failure.ts';
import { microsOf } from '../../model/frame.ts';
import { isTooLargeToRead } from '../../model/json/too-large.ts';
import { isObject, type Message } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import type { ExportEvents, ExportFormat } from './index.ts';
import { isMergeable, type KimiMessage, mergeInto } from './kimi-merge.ts';

export const kimi = {
  name: 'kimi',
  exact: true,
  ending: 'wire.jsonl',
  summary: "a wire.jsonl for kimi's replay and kimi vis, not redacted",
  *write(session: Session, { note }: Pick<ExportEvents, 'note'>): Generator<string> {
    const { metadata } = session;
    const overview = new KimiOverview();
    new Pass(session).run(overview);
    const { messages, unread } = overview;
    if (messages === 0) {
      throw new Failure(
        `session ${metadata.session} has no Kimi Wire messages`,
        'this format needs a session of kimi --wire',
      );
    }
    if (unread > 0) note(`left out ${unread} line${unread === 1 ? '' : 's'} too large to read`);
    const protocol = overview.protocol ?? metadata.protocol;
    // Without a header, kimi assumes the first protocol version. Nothing better is known in that case.
    if (typeof protocol === 'string') yield line({ type: 'metadata', protocol_version: protocol });
    const startedAt = microsOf(metadata.started_at);
    for (const { t, message } of mergedParts(withoutRepeats(session, note))) {
      yield line({ timestamp: (startedAt + Math.round(t * 1e6)) / 1e6, message });
    }
  },
} satisfies ExportFormat;

/** What must be known before the first line is written. */
class KimiOverview {
  /** From the agent's handshake. */
  protocol: string | null = null;
  messages = 0;
  /** The number of lines of the agent that were too large to read. */
  unread = 0;

  take({ frame, message, pairing, events }: ReadFrame): void {
    if (frame.from !== 'agent') return;
    if (wireMessage(message)) this.messages++;
    if (isTooLargeToRead(events)) this.unread++;
    if (pairing?.role !== 'answers' || pairing.exchange!.method !== 'initialize') return;
    const version = isObject(message.body) ? message.body.protocol_version : null;
    if (typeof version === 'string') this.protocol = version;
  }
}

/** The agent's messages, without those sent again. */
function* withoutRepeats(session: Session, note: (message: string) => void): Generator<TimedWireMessage> {
  let left = 0;
  for (const { frame, message, events } of new Pass(session)) {
    const wire = frame.from === 'agent' ? wireMessage(message) : null;
    if (!wire) continue;
    const isRepeated = events.some(({ flags }) => flags?.includes('replayed') || flags?.includes('resent'));
    if (isRepeated) left++;
    else yield { t: frame.t, message: wire };
  }
  if (left > 0) note(`left out ${left} frame${left === 1 ? '' : 's'} that the agent sent again`);
}

interface TimedWireMessage {
  t: number;
  message: KimiMessage;
}

function* mergedParts(all: Iterable<TimedWireMessage>): Generator<TimedWireMessage> {
  let growing: TimedWireMessage | null = null;
  for (const sent of all) {
    if (growing && mergeInto(growing.message, sent.message)) continue;
    if (growing) yield growing;
    growing = isMergeable(sent.message) ? sent : null;
    if (!growing) yield sent;
  }
  if (growing) yield growing;
}

/** The params of an `event` or a `request`. The legacy protocol is excluded: it had no such file. */
function wireMessage({ method, body }: Message): KimiMessage | null {
  if ((method !== 'event' && method !== 'request') || !isObject(body)) return null;
  const { type, payload } = body;
  if (typeof type !== 'string' || !/^[A-Z]/.test(type) || !isObject(payload)) return null;
  if (type === 'ToolResult') renameBriefData(payload.return_value);
  return { type, payload };
}

/** Until 0.67, the text of a brief was in `data`. Later versions of kimi cannot read that. */
function renameBriefData(value: unknown): void {
  const display = isObject(value) ? value.display : null;
  for (const block of Array.isArray(display) ? display : []) {
    if (isObject(block) && block.type === 'brief' && block.text === undefined) block.text = block.data;
  }
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
