/**
 * kimi-code: the journal that kimi-code keeps of each of its agents (`agents/NAME/wire.jsonl`), as `wiretape import` brings it
 * in. Records of the agent's own, all of them lines of the agent: no client speaks here, and nothing is answered. What it
 * says of prompts, calls, approvals and tokens is read for what it is; a record of a name that is not known stays `other`.
 */
import type { Message } from '../../core/message.ts';
import type { Dialect, FirstLook, Json } from '../dialect.ts';
import { stringOf } from '../fields.ts';
import { JournalReader } from './reader.ts';
import { isFamiliar } from './records.ts';

const CERTAIN = 1;
/** Records have had a time since 1.4; the names alone are nearly as good. */
const BY_NAME = 0.9;

export const kimiCode: Dialect = {
  name: 'kimi-code',
  recognise({ lines }: FirstLook): number {
    if (lines.some(({ from, value }) => from === 'client' || isEnvelope(value))) return 0;
    const records = lines.filter(({ value }) => isFamiliar(value.type));
    if (records.length === 0) return 0;
    return records.some(({ value }) => typeof value.time === 'number') ? CERTAIN : BY_NAME;
  },
  envelope(value: Json): Message {
    const type = stringOf(value.type);
    const envelope = type === null ? 'none' : 'notification';
    return { envelope, method: null, type, id: null, code: null, body: value };
  },
  open: () => new JournalReader(),
};

function isEnvelope({ jsonrpc, method }: Json): boolean {
  return jsonrpc !== undefined || method !== undefined;
}
