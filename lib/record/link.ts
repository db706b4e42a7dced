/**
 * What passes between the recorder and its writer process, over one socket. The recorder sends short binary messages
 * (most often just "the journal has grown"), the writer answers with JSON lines. A message is a byte for its kind, four
 * bytes for its length, and its content.
 */

export const Say = {
  /** The journal has grown. */
  grown: 1,
  /** From this size on, the journal is yours to append to. */
  takeOver: 2,
  /** Records to append. */
  records: 3,
  /** Say how far the journal is, for us to take it back, if writing to it is quick again (0) or whatever it is (1). */
  handBack: 4,
  /** Nothing more will come. */
  finish: 5,
} as const;
export type Say = (typeof Say)[keyof typeof Say];

export type Report =
  /** It is known as an owner of the session, which no reader will finish before it is gone. */
  | { is: 'holding' }
  | { is: 'done' }
  /** So many messages of records are stored, and the journal ends here; it is still slow (null). */
  | { is: 'stored'; messages: number; size: number | null }
  | { is: 'failing'; message: string }
  | { is: 'index-failing'; message: string }
  | { is: 'notice'; message: string };

/** The descriptors that the writer process inherits. */
export const LINK_FD = 3;
export const JOURNAL_FD = 4;
export const TAPE_FD = 5;

/** A write to the journal that takes longer holds up the traffic. */
export const SLOW_MS = 20;

const HEADER = 5;

export function encodeMessage(kind: Say, content: Uint8Array = new Uint8Array(0)): Buffer {
  const message = Buffer.allocUnsafe(HEADER + content.length);
  message[0] = kind;
  message.writeUInt32LE(content.length, 1);
  message.set(content, HEADER);
  return message;
}

/** Puts messages together again from the chunks that arrive. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);

  take(chunk: Buffer, each: (kind: Say, content: Buffer) => void): void {
    let buf = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (buf.length >= HEADER) {
      const end = HEADER + buf.readUInt32LE(1);
      if (buf.length < end) break;
      each(buf[0] as Say, buf.subarray(HEADER, end));
      buf = buf.subarray(end);
    }
    this.#rest = Buffer.from(buf);
  }
}
