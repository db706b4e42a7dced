/** Decodes the frames of a session, one by one, by its dialect. What all dialects have in common is decided here. */

import { conversationOf } from '../dialects/common/conversation.ts';
import { say } from '../dialects/common/fields.ts';
import { SlashModes } from '../dialects/common/slash-modes.ts';
import type { Dialect, Line, Reader, SessionInfo } from '../dialects/dialect.ts';
import { traitsOf } from '../dialects/index.ts';
import type { Naming } from '../dialects/traits.ts';
import type { Event, Happening } from '../model/event.ts';
import { Exchanges } from '../model/exchange.ts';
import type { Frame } from '../model/frame.ts';
import { TOO_LARGE, tooLarge } from '../model/json/too-large.ts';
import { isObject, NOTHING, textIn, valueIn } from '../model/message.ts';
import type { Unplaced } from '../model/read-frame.ts';
import { processText } from '../model/text/process-text.ts';

export class SessionReader {
  readonly dialect: Dialect;
  readonly #reader: Reader;
  readonly #naming: Naming;
  readonly #exchanges = new Exchanges();
  readonly #slashes = new SlashModes();

  constructor(dialect: Dialect, session: SessionInfo) {
    this.dialect = dialect;
    this.#reader = dialect.open(session);
    this.#naming = traitsOf(dialect.name).conversations;
  }

  /** How many requests were forgotten before they were answered. */
  get forgotten(): number {
    return this.#exchanges.forgotten;
  }

  /** `known`: its line as JSON, if it was parsed already. The frame is not placed yet. */
  read(frame: Frame, known?: unknown): Unplaced {
    const { from } = frame;
    if (frame.form === 'event') {
      const event: Happening = { kind: 'process', name: frame.event!, text: processText(frame) };
      this.#reader.happens?.(frame, event);
      return alone(frame, [event], undefined);
    }
    const text = textIn(frame);
    if (from === 'stderr') {
      return alone(frame, [stderr(frame, text)], undefined, conversationOf(this.#naming, frame, undefined));
    }
    const value = valueIn(frame, text, known);
    const why = value === undefined ? tooLarge(frame, text) : null;
    if (why !== null) return alone(frame, [unread(why, text)], undefined);
    if (!isObject(value) || from === 'proc') return alone(frame, this.#noObject(frame, value, text), value);
    const message = this.dialect.envelope(value);
    const pairing = this.#exchanges.take(frame, message);
    const conversation = conversationOf(this.#naming, frame, value);
    const read: Unplaced = {
      frame,
      message,
      pairing,
      events: NO_EVENTS,
      value,
      conversation,
      where: null,
      ledger: null,
    };
    read.events = this.#reader.read(read as Unplaced & Line);
    const switched = this.#slashes.take(frame.f, from, read.events);
    if (switched !== null) read.events = [...read.events, switched];
    // A frame that repeats an answer of the other side answers nothing.
    if (pairing !== null && pairing.exchange === null && read.events[0]?.restates === true) read.pairing = null;
    return read;
  }

  #noObject(frame: Frame, value: unknown, text: string | null): Event[] {
    const reader = this.#reader;
    const isArray = Array.isArray(value);
    const read = (isArray ? reader.readArray?.(frame, value) : null) ?? reader.readText?.(frame, text);
    return read ?? [say({ kind: 'noise', name: null }, text)];
  }
}

function stderr(frame: Frame, text: string | null): Event {
  const event: Event = { kind: 'log', name: 'stderr' };
  if (frame.cut) event.flags = [TOO_LARGE];
  return say(event, text);
}

/** How many characters of a line that is not read are shown. */
const GLANCE = 200;

/** Its meaning is not known; it is shown as what it is, a long line. */
function unread(why: string, text: string | null): Event {
  const begins = text === null ? '' : `: ${text.slice(0, GLANCE)}…`;
  return { kind: 'other', name: null, text: `${why}${begins}`, flags: [TOO_LARGE] };
}

const NO_EVENTS: Event[] = [];

function alone(frame: Frame, events: Event[], value: unknown, conversation: string | null = null): Unplaced {
  return {
    frame,
    message: NOTHING,
    pairing: null,
    events,
    value,
    conversation,
    where: null,
    ledger: null,
  };
}
