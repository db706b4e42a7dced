/** Decodes the frames of a session, one by one, by its dialect. What all dialects have in common is decided here. */

import { conversationOf } from '../dialects/common/conversation.ts';
import { withText } from '../dialects/common/fields.ts';
import { SlashModes } from '../dialects/common/slash-modes.ts';
import type { Dialect, DialectLine, DialectReader, SessionInfo } from '../dialects/dialect.ts';
import { traitsOf } from '../dialects/index.ts';
import type { ConversationTraits } from '../dialects/traits.ts';
import type { Event, ProcessEvent } from '../model/event.ts';
import { Exchanges } from '../model/exchange.ts';
import type { Frame } from '../model/frame.ts';
import { describeTooLarge, TOO_LARGE } from '../model/json/too-large.ts';
import { isObject, NO_MESSAGE, textIn, valueIn } from '../model/message.ts';
import type { UnplacedFrame } from '../model/read-frame.ts';
import { processText } from '../model/text/process-text.ts';

export class SessionReader {
  readonly dialect: Dialect;
  readonly #reader: DialectReader;
  readonly #naming: ConversationTraits;
  readonly #exchanges = new Exchanges();
  readonly #slashModes = new SlashModes();

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
  read(frame: Frame, known?: unknown): UnplacedFrame {
    const { from } = frame;
    if (frame.form === 'event') {
      const event: ProcessEvent = { kind: 'process', name: frame.event!, text: processText(frame) };
      this.#reader.readEvent?.(frame, event);
      return unpairedFrame(frame, [event], undefined);
    }
    const text = textIn(frame);
    if (from === 'stderr') {
      return unpairedFrame(
        frame,
        [stderrEvent(frame, text)],
        undefined,
        conversationOf(this.#naming, frame, undefined),
      );
    }
    const value = valueIn(frame, text, known);
    const reason = value === undefined ? describeTooLarge(frame, text) : null;
    if (reason !== null) return unpairedFrame(frame, [unreadEvent(reason, text)], undefined);
    if (!isObject(value) || from === 'proc') return unpairedFrame(frame, this.#readOther(frame, value, text), value);
    const message = this.dialect.envelope(value);
    const pairing = this.#exchanges.take(frame, message);
    const conversation = conversationOf(this.#naming, frame, value);
    const read: UnplacedFrame = {
      frame,
      message,
      pairing,
      events: NO_EVENTS,
      value,
      conversation,
      where: null,
      ledger: null,
    };
    read.events = this.#reader.read(read as UnplacedFrame & DialectLine);
    const switched = this.#slashModes.take(frame.f, from, read.events);
    if (switched !== null) read.events = [...read.events, switched];
    // A frame that repeats an answer of the other side answers nothing.
    if (pairing !== null && pairing.exchange === null && read.events[0]?.restates === true) read.pairing = null;
    return read;
  }

  #readOther(frame: Frame, value: unknown, text: string | null): Event[] {
    const reader = this.#reader;
    const isArray = Array.isArray(value);
    const read = (isArray ? reader.readArray?.(frame, value) : null) ?? reader.readText?.(frame, text);
    return read ?? [withText({ kind: 'noise', name: null }, text)];
  }
}

function stderrEvent(frame: Frame, text: string | null): Event {
  const event: Event = { kind: 'log', name: 'stderr' };
  if (frame.cut) event.flags = [TOO_LARGE];
  return withText(event, text);
}

/** How many characters of a line that is not read are shown. */
const MAX_UNREAD_CHARS_SHOWN = 200;

/** Its meaning is not known; it is shown as what it is, a long line. */
function unreadEvent(reason: string, text: string | null): Event {
  const begins = text === null ? '' : `: ${text.slice(0, MAX_UNREAD_CHARS_SHOWN)}…`;
  return { kind: 'other', name: null, text: `${reason}${begins}`, flags: [TOO_LARGE] };
}

const NO_EVENTS: Event[] = [];

function unpairedFrame(
  frame: Frame,
  events: Event[],
  value: unknown,
  conversation: string | null = null,
): UnplacedFrame {
  return {
    frame,
    message: NO_MESSAGE,
    pairing: null,
    events,
    value,
    conversation,
    where: null,
    ledger: null,
  };
}
