/**
 * A dialect: how to recognise a protocol, read its envelopes, and interpret its lines. Each is a file or a folder, and
 * a line in index.ts. A reader is stateful, takes frames in order, and never throws on what a peer sends: unknown
 * messages stay visible as `other`.
 */
import type { Event, Happening } from '../core/event.ts';
import type { Pairing } from '../core/exchange.ts';
import type { Frame } from '../core/frame.ts';
import { isObject, type Message, readJsonRpc } from '../core/message.ts';
import type { DialectName } from './traits-of.ts';

export interface SessionInfo {
  /** How the agent was started. */
  command: readonly string[];
}

/** The first lines that are JSON objects, each with its sender. */
export interface FirstLook extends SessionInfo {
  lines: { from: 'client' | 'agent'; value: Json }[];
  /** The beginnings of the agent's first lines that are not. */
  texts?: readonly string[];
}

export type Json = Record<string, unknown>;

/** A line from the client or the agent that is a JSON object. */
export interface Line {
  frame: Frame & { from: 'client' | 'agent' };
  value: Json;
  message: Message;
  /** What it asks or answers. */
  pairing: Pairing | null;
}

export interface Reader {
  read(line: Line): Event[];
  /** Reads a JSON array on one line (a batch or a transcript), if the dialect has these; null: it is noise. */
  readArray?(frame: Frame, values: unknown[]): Event[] | null;
  /** Reads a line that is no JSON object or array, if the dialect has these; null: it is noise. */
  readText?(frame: Frame, text: string | null): Event[] | null;
  /** An event between the lines, if it matters for the next lines (which file they are from) or for a turn. */
  happens?(frame: Frame, event: Happening): void;
}

export interface Dialect {
  /** Its traits have this name in traits-of.ts. */
  name: DialectName;
  /** From 0 (impossible) to 1 (certain). The most certain dialect wins; of equals, the first in the list. */
  recognise(first: FirstLook): number;
  /** Reads a JSON object as an envelope. */
  envelope(value: Json): Message;
  open(session: SessionInfo): Reader;
}

/** A JSON-RPC envelope whose params contain the type of the message. */
export function envelopeWith(typeIn: (params: Json) => unknown): Dialect['envelope'] {
  return (value) => {
    const message = readJsonRpc(value);
    if (message.method === null || message.type !== null || !isObject(message.body)) return message;
    const type = typeIn(message.body);
    if (typeof type === 'string') message.type = type;
    return message;
  };
}
