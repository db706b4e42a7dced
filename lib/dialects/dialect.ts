/**
 * A dialect: how to recognise a protocol, how its lines are envelopes, and what they mean. One file (or folder) each,
 * and one line in index.ts. A reader is stateful, fed frame by frame, and never throws on what a peer sends: whatever it
 * does not know stays visible as `other`.
 */
import type { Event, Happening } from '../core/event.ts';
import type { Pairing } from '../core/exchange.ts';
import type { Frame } from '../core/frame.ts';
import { isObject, type Message, readJsonRpc } from '../core/message.ts';

export interface SessionInfo {
  /** How the agent was started. */
  command: readonly string[];
}

/** The first lines that are JSON objects, each with its speaker. */
export interface FirstLook extends SessionInfo {
  lines: { from: 'client' | 'agent'; value: Json }[];
}

export type Json = Record<string, unknown>;

/** A line of the client or the agent that is a JSON object. */
export interface Line {
  frame: Frame & { from: 'client' | 'agent' };
  value: Json;
  message: Message;
  /** What it asks or answers. */
  pairing: Pairing | null;
}

export interface Reader {
  read(line: Line): Event[];
  /** A JSON array on one line (a batch, a transcript), where the dialect has such; null: it is noise. */
  readArray?(frame: Frame, values: unknown[]): Event[] | null;
  /**
   * What happened between the lines, where that says something of the next ones (whose file they stood in) or of a turn:
   * then the event is told.
   */
  happens?(frame: Frame, event: Happening): void;
}

export interface Dialect {
  name: string;
  /** From 0 (cannot be) to 1 (certain). The most certain wins; of equals, the first in the list. */
  recognise(first: FirstLook): number;
  /** How a JSON object is an envelope here. */
  envelope(value: Json): Message;
  open(session: SessionInfo): Reader;
}

/** The envelope of the dialects that are JSON-RPC. */
export const jsonRpcEnvelope = (value: Json): Message => readJsonRpc(value);

/** The same, where what kind of message it is stands in its params. */
export function envelopeWith(typeIn: (params: Json) => unknown): Dialect['envelope'] {
  return (value) => {
    const message = readJsonRpc(value);
    if (message.method === null || message.type !== null || !isObject(message.body)) return message;
    const type = typeIn(message.body);
    if (typeof type === 'string') message.type = type;
    return message;
  };
}
