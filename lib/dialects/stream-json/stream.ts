/** The blocks that one agent streams. Indexes are reused, so only the latest block of each is kept. */

import { numberOf, objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

export interface StreamedBlock {
  kind: 'text' | 'thinking' | 'tool-args';
  call: string | null;
  tool: string | null;
  /** It was repeated as a whole. */
  whole: boolean;
}

/** The kind of a block by its type, or by the type of its deltas if its start is missing. */
const KINDS: Record<string, StreamedBlock['kind']> = {
  thinking: 'thinking',
  redacted_thinking: 'thinking',
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
  input_json_delta: 'tool-args',
  tool_use: 'tool-args',
  server_tool_use: 'tool-args',
  mcp_tool_use: 'tool-args',
};

export class BlockStream {
  readonly #blocks = new Map<number, StreamedBlock>();
  /** Streamed, and not yet repeated as a whole. */
  #unsettled: StreamedBlock[] = [];

  restart(): void {
    this.#blocks.clear();
    this.#unsettled = [];
  }

  start({ index, content_block }: JsonObject): StreamedBlock {
    const { type, id, name } = objectOf(content_block);
    const block = { kind: kindOf(type), call: stringOf(id), tool: stringOf(name), whole: false };
    this.#blocks.set(numberOf(index) ?? 0, block);
    this.#unsettled.push(block);
    return block;
  }

  /** The block that a delta or a stop refers to. */
  at({ index, delta }: JsonObject): StreamedBlock {
    const known = this.#blocks.get(numberOf(index) ?? 0);
    return known ?? { kind: kindOf(objectOf(delta).type), call: null, tool: null, whole: false };
  }

  /** A whole block: true if it repeats a streamed one, the oldest of its kind (rule S4). */
  settle(kind: StreamedBlock['kind']): boolean {
    const at = this.#unsettled.findIndex((block) => block.kind === kind);
    const [block] = at < 0 ? [] : this.#unsettled.splice(at, 1);
    if (block) block.whole = true;
    return block !== undefined;
  }
}

function kindOf(type: unknown): StreamedBlock['kind'] {
  return (typeof type === 'string' && KINDS[type]) || 'text';
}
