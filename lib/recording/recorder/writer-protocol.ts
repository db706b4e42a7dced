/**
 * The protocol between the recorder and its writer process, over one socket. The recorder sends binary messages (usually
 * just "the journal has grown"): one byte for the kind, four bytes for the length, and the content. The writer process
 * answers with JSON lines.
 */

export const WriterMessage = {
  /** The journal has grown. */
  grown: 1,
  /** Append to the journal from this size on. */
  takeOver: 2,
  /** Records to append. */
  records: 3,
  /** Return the journal and report its size, if writing to it is fast again (0) or in any case (1). */
  handBack: 4,
  /** The last message. */
  finish: 5,
} as const;
export type WriterMessage = (typeof WriterMessage)[keyof typeof WriterMessage];

export type WriterReport =
  /** It is registered as an owner of the session: readers do not finish the session while it runs. */
  | { is: 'holding' }
  | { is: 'done' }
  /** The number of messages stored, and the size of the journal, or null if the disk is still slow. */
  | { is: 'stored'; messages: number; size: number | null }
  | { is: 'failing'; message: string }
  | { is: 'index-failing'; message: string }
  | { is: 'notice'; message: string };

/** The descriptors that the writer process inherits. */
export const LINK_FD = 3;
export const JOURNAL_FD = 4;
export const TAPE_FD = 5;

/** A longer write to the journal would delay the traffic. */
export const SLOW_MS = 20;

const HEADER_BYTES = 5;

export function encodeMessage(kind: WriterMessage, content: Uint8Array = new Uint8Array(0)): Buffer {
  const message = Buffer.allocUnsafe(HEADER_BYTES + content.length);
  message[0] = kind;
  message.writeUInt32LE(content.length, 1);
  message.set(content, HEADER_BYTES);
  return message;
}

/** Reassembles messages from chunks. */
export class WriterMessageReader {
  #rest: Buffer = Buffer.alloc(0);

  take(chunk: Buffer, each: (kind: WriterMessage, content: Buffer) => void): void {
    let buf = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (buf.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + buf.readUInt32LE(1);
      if (buf.length < end) break;
      each(buf[0] as WriterMessage, buf.subarray(HEADER_BYTES, end));
      buf = buf.subarray(end);
    }
    this.#rest = Buffer.from(buf);
  }
}
