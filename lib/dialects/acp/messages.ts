/**
 * Messages of ACP 2. Chunks add to the message with their id; a whole message replaces it, so it restates what was streamed.
 */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { blockOf, blocksOf, textOfBlocks } from '../common/content.ts';
import { isAbsent, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import type { AcpSpeaker } from './speakers.ts';

type MessageKind = 'text' | 'thinking';

const MAX_MESSAGES = 1000;

export class AcpMessages {
  /** Where the messages that have said something began, by id. */
  readonly #known = new LimitedMap<string, number>(MAX_MESSAGES);

  chunk(kind: MessageKind, { messageId, content }: JsonObject, by: AcpSpeaker, f: number): Event {
    const begins: { begins?: true } = this.#began(messageId, f) === f ? { begins: true } : {};
    const block = blockOf(content);
    if (block.type !== 'text') return { kind, delta: true, block, ...by };
    return { kind, delta: true, text: block.text, ...begins, ...by };
  }

  /** Without content, only its metadata changes. */
  whole(kind: MessageKind, { sessionUpdate, messageId, content }: JsonObject, by: AcpSpeaker, f: number): Event[] {
    if (content === undefined) return [{ kind: 'status', name: stringOf(sessionUpdate) }];
    const blocks = blocksOf(content);
    const of = this.#began(messageId, f);
    if (of !== f) return [{ kind, restates: true, of, text: textOfBlocks(blocks), ...by }];
    return blocks.map((block) =>
      block.type === 'text' ? { kind, text: block.text, ...by } : { kind, block, text: '', ...by },
    );
  }

  #began(messageId: unknown, f: number): number {
    const id = stringOf(messageId) ?? '';
    const known = this.#known.get(id);
    if (known === undefined) this.#known.set(id, f);
    return known ?? f;
  }
}

/** What the user said, as the agent has it. */
export function userMessage(update: JsonObject): Event {
  if (isAbsent(update.content)) return { kind: 'status', name: stringOf(update.sessionUpdate) };
  const blocks = blocksOf(update.content);
  const isChunk = update.sessionUpdate === 'user_message_chunk';
  return { kind: 'prompt', blocks, text: textOfBlocks(blocks), ...(isChunk ? { delta: true } : {}) };
}
