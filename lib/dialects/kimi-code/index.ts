/**
 * kimi-code: the journal that kimi-code keeps for each of its agents (`agents/NAME/wire.jsonl`), as `wiretape import`
 * reads it. All lines come from the agent; there is no client, and nothing is answered. Prompts, calls, approvals and
 * tokens become events, and unknown records become `other`.
 */
import { type Message, NO_MESSAGE } from '../../model/message.ts';
import { stringOf } from '../common/fields.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { KimiJournalReader } from './reader.ts';
import { isFamiliar, isKnown } from './records.ts';
import { kimiCodeTraits } from './traits.ts';

const CERTAIN = 1;
/** Records have a time since 1.4. The names alone are nearly as reliable. */
const BY_NAME = 0.9;
/** Others have records of these families too: codex exec has `turn.started`. */
const BY_FAMILY = 0.5;

export const kimiCode: Dialect = {
  name: 'kimi-code',
  traits: kimiCodeTraits,
  recognise({ lines }: FirstLines): number {
    if (lines.some(({ from, value }) => from === 'client' || isEnvelope(value))) return 0;
    const records = lines.filter(({ value }) => isFamiliar(value.type));
    if (records.length === 0 || records.length * 2 < lines.length) return 0;
    if (records.some(({ value }) => typeof value.time === 'number')) return CERTAIN;
    return records.some(({ value }) => isKnown(value.type)) ? BY_NAME : BY_FAMILY;
  },
  envelope(value: JsonObject): Message {
    const type = stringOf(value.type);
    return { ...NO_MESSAGE, envelope: type === null ? 'none' : 'notification', type, body: value };
  },
  open: () => new KimiJournalReader(),
};

function isEnvelope({ jsonrpc, method }: JsonObject): boolean {
  return jsonrpc !== undefined || method !== undefined;
}
