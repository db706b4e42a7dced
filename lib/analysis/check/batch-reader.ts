/**
 * What a line of JSON-RPC holds: a message, or the parts of a batch. A session pairs whole lines only; here parts are
 * paired as well, with lines and with each other.
 */
import { Exchanges, type Pairing } from '../../model/exchange.ts';
import { isObject, type Message, readJsonRpc } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';

const NO_PARTS: ReadFrame[] = [];

export class BatchReader {
  readonly #exchanges = new Exchanges();

  /** The line as rules should read it, and its parts, if it is a batch. */
  read(read: ReadFrame): { line: ReadFrame; parts: ReadFrame[] } {
    const { frame, value, message } = read;
    if (Array.isArray(value) && (frame.from === 'client' || frame.from === 'agent')) {
      return { line: read, parts: value.filter(isObject).map((part) => this.part(read, part)) };
    }
    const pairing = this.#exchanges.take(frame, message);
    return { line: pairing === null ? read : withMessage(read, value, message, pairing), parts: NO_PARTS };
  }

  /** A message that is part of a line. */
  part(read: ReadFrame, value: Record<string, unknown>): ReadFrame {
    const message = readJsonRpc(value);
    return withMessage(read, value, message, this.#exchanges.take(read.frame, message));
  }
}

function withMessage(read: ReadFrame, value: unknown, message: Message, pairing: Pairing | null): ReadFrame {
  return { ...read, value, message, pairing };
}
