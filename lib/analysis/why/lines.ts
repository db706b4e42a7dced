/** The last lines of each side, how many the dialect could read, and bad ones: too large, without an end, not messages. */
import { announcedLength } from '../../model/content-length.ts';
import type { Event } from '../../model/event.ts';
import { type Frame, isCutOff, type Stream, sizeOf } from '../../model/frame.ts';
import { isTooLargeToRead } from '../../model/json/too-large.ts';
import type { FramePosition } from '../../model/ledger/records.ts';
import { textIn } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { maskAndShorten } from '../../model/text/mask.ts';
import { StderrTail } from './stderr.ts';

/** A line that ended only because its stream did. */
export interface EndlessLine extends FramePosition {
  /** When it began. */
  from: number;
  bytes: number;
  /** The length that its header announces, if it is a body. */
  announced: number | null;
  head: string;
  /** The frame of the request that it answers, if it is an answer. */
  of: number | null;
}

/** A line as it came, or its beginning; null if it is not UTF-8. */
export interface Quote extends FramePosition {
  text: string | null;
}

/** A line may be under way for this long. */
export const MAX_SECONDS_UNDER_WAY = 1;
const MAX_QUOTE_CHARS = 300;
const MAX_HEAD_CHARS = 60;
/** How many lines of each side are quoted. */
const MAX_QUOTED_LINES = 2;
/** What a reader calls a line that it cannot read. */
const UNREAD_KINDS = new Set<Event['kind']>(['other', 'noise']);

export class SessionLines {
  /** The last line of each stream. */
  readonly last: Record<Stream, FramePosition | null> = { client: null, agent: null, stderr: null };
  readonly stderr = new StderrTail();
  /** The last line of each side that was too large to read. */
  readonly unread: Record<'client' | 'agent', FramePosition | null> = { client: null, agent: null };
  readonly endless: Record<'client' | 'agent', EndlessLine | null> = { client: null, agent: null };
  /** Lines from the agent, before its first message, that are not messages. */
  noise: (FramePosition & { lines: number; text: string }) | null = null;
  /** The last lines of each side, in order, until the next one comes. */
  readonly recent: Record<'client' | 'agent', Quote[]> = { client: [], agent: [] };
  /** How many lines both sides sent, and how many of them the dialect could read. */
  all = 0;
  understood = 0;
  /** The kind of the client's first line. */
  first: Event['kind'] | null = null;
  /** It has sent a message. */
  hasAgentMessage = false;
  /** The session has Content-Length frames. */
  isFramed = false;

  take(read: ReadFrame, position: FramePosition): void {
    const { frame, value, events } = read;
    const { from, t } = frame;
    if (from === 'proc') return;
    if (from === 'agent') this.last.agent = position;
    else this.last[from] = position;
    if (from === 'stderr') return this.stderr.take(textIn(frame) ?? '');
    this.#countLine(read, from === 'agent' ? this.recent.agent : this.recent.client);
    if (frame.head) this.isFramed = true;
    if (value === undefined && isTooLargeToRead(events)) this.unread[from] = position;
    if (isCutOff(frame) && t - (frame.t0 ?? t) >= MAX_SECONDS_UNDER_WAY) this.endless[from] = endlessLine(read);
    if (from === 'client' && this.first === null && events.length > 0) this.first = events[0]!.kind;
    if (from === 'agent' && !this.hasAgentMessage) this.#takeNoise(read);
  }

  /** A line of the agent that only goes on with the text of the one before it. */
  #countLine({ frame, events, message }: ReadFrame, recent: Quote[]): void {
    this.all++;
    // Who waits for whom is in the envelope, if there is one: a method or an answer.
    const isNamed = message.method !== null || message.envelope === 'response' || message.envelope === 'error';
    if (isNamed || events.some(({ kind }) => !UNREAD_KINDS.has(kind))) this.understood++;
    this.#quote(frame, recent);
  }

  #quote(frame: Frame, recent: Quote[]): void {
    const { f, t } = frame;
    // Reuses the oldest, because there is one for every line and they are read only at the end.
    const quote: Quote = recent.length < MAX_QUOTED_LINES ? { f, t, text: null } : recent.shift()!;
    quote.f = f;
    quote.t = t;
    quote.text = shortQuote(textIn(frame));
    recent.push(quote);
  }

  #takeNoise({ frame, message, events }: ReadFrame): void {
    this.hasAgentMessage = message.envelope !== 'none' || events.some(({ kind }) => kind !== 'noise');
    if (this.hasAgentMessage) return;
    const { f, t } = frame;
    this.noise ??= { f, t, lines: 0, text: '' };
    this.noise.lines++;
    if (this.noise.text.length < MAX_QUOTE_CHARS)
      this.noise.text = maskAndShorten(`${this.noise.text} ${textIn(frame) ?? ''}`, MAX_QUOTE_CHARS, '').trim();
  }
}

/** A short line as it is: taking the beginning of a concatenated text takes time. */
function shortQuote(text: string | null): string | null {
  return text === null ? null : maskAndShorten(text, MAX_QUOTE_CHARS, '');
}

function endlessLine({ frame, pairing }: ReadFrame): EndlessLine {
  const { f, t, t0 } = frame;
  const announced = frame.head ? announcedLength(frame.head) : null;
  const of = pairing?.role === 'answers' ? pairing.exchange!.askedF : null;
  return { f, t, from: t0 ?? t, bytes: sizeOf(frame), announced, head: headOf(textIn(frame) ?? ''), of };
}

/** The first bytes of a line. */
export function headOf(text: string): string {
  return maskAndShorten(text, MAX_HEAD_CHARS);
}
