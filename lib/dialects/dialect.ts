/**
 * A dialect: how to recognise a protocol, read its envelopes, and interpret its lines. Each is a file or a folder, and
 * a line in index.ts. A reader is stateful, takes frames in order, and never throws on what a peer sends: unknown
 * messages stay visible as `other`.
 */
import type { Event, ProcessEvent } from '../model/event.ts';
import type { Pairing } from '../model/exchange.ts';
import type { Frame } from '../model/frame.ts';
import { isObject, type Message, readJsonRpc } from '../model/message.ts';
import type { ReadFrame } from '../model/read-frame.ts';
import type { RuleExplanation } from './rules/entry.ts';
import type { RuleDefinition } from './rules/rule.ts';
import type { MessageSchemas } from './rules/schema.ts';
import type { Traits } from './traits.ts';

export interface SessionInfo {
  /** How the agent was started. */
  command: readonly string[];
}

/** The first lines that are JSON objects, each with its sender. */
export interface FirstLines extends SessionInfo {
  lines: { from: 'client' | 'agent'; value: JsonObject }[];
  /** The beginnings of the agent's first lines that are not JSON objects. */
  texts?: readonly string[];
}

export type JsonObject = Record<string, unknown>;

/** A line from the client or the agent that is a JSON object. */
export interface DialectLine {
  frame: Frame & { from: 'client' | 'agent' };
  value: JsonObject;
  message: Message;
  /** What it asks or answers. */
  pairing: Pairing | null;
}

export interface DialectReader {
  read(line: DialectLine): Event[];
  /** Reads a JSON array on one line (a batch or a transcript), if the dialect has these; null: it is noise. */
  readArray?(frame: Frame, values: unknown[]): Event[] | null;
  /** Reads a line that is not a JSON object or array, if the dialect has these; null: it is noise. */
  readText?(frame: Frame, text: string | null): Event[] | null;
  /** Reads a process event between the lines, if it matters for the next lines (which file they are from) or for a turn. */
  readEvent?(frame: Frame, event: ProcessEvent): void;
}

export interface Dialect {
  name: string;
  /** What the protocol has and lacks. */
  traits: Traits;
  /** What `check` demands of it. Without it, only the rules for any protocol apply. */
  conformance?: Conformance;
  /** From 0 (impossible) to 1 (certain). The most certain dialect wins; of equals, the first in the list. */
  recognise(first: FirstLines): number;
  /** Reads a JSON object as an envelope. */
  envelope(value: JsonObject): Message;
  open(session: SessionInfo): DialectReader;
}

/** The rules of a protocol, and what they mean. */
export interface Conformance {
  /** What the ids of its rules begin with; related dialects share it. */
  prefix: string;
  /** The heading of its rules in docs/rules.md. */
  title?: string;
  rules: readonly RuleDefinition[];
  /** The shapes of its messages. */
  shapes?: MessageSchemas;
  /** The explanation of each rule, by its id. */
  entries: Readonly<Record<string, RuleExplanation>>;
  /** Rules for any protocol that do not apply, because it has its own for the same, or allows what they forbid. */
  exempt?: readonly string[];
  /** Sessions of another dialect whose messages are carried in this one's lines. */
  carries?: CarriedDialect;
}

/** Each of these sessions is checked like any other session. */
export interface CarriedDialect {
  dialect: string;
  open(): (read: ReadFrame) => CarriedMessage | null;
}

export interface CarriedMessage {
  /** Which session it belongs to. */
  session: string;
  /** The name of that session, for people. */
  label: string;
  message: JsonObject;
}

/** A JSON-RPC envelope whose params contain the type of the message. */
export function envelopeWith(typeIn: (params: JsonObject) => unknown): Dialect['envelope'] {
  return (value) => {
    const message = readJsonRpc(value);
    if (message.method === null || message.type !== null || !isObject(message.body)) return message;
    const type = typeIn(message.body);
    if (typeof type === 'string') message.type = type;
    return message;
  };
}
