/** The last lines of each side, and those that are no good: too large, without an end, or no messages. */
import { announcedLength } from '../core/content-length.ts';
import type { Event } from '../core/event.ts';
import { isCutOff, type Stream, sizeOf } from '../core/frame.ts';
import type { Place } from '../core/ledger/records.ts';
import { textIn } from '../core/message.ts';
import { isUnread } from '../core/too-large.ts';
import type { ReadFrame } from '../session/read.ts';
import { Stderr } from './stderr.ts';

/** A line that ended only because its stream did. */
export interface EndlessLine extends Place {
  /** When it began. */
  from: number;
  bytes: number;
  /** The length that its header announces, if it is a body. */
  announced: number | null;
  head: string;
  /** The frame of the request that it answers, if it is an answer. */
  of: number | null;
}

/** A line may be under way for this long. */
export const UNDER_WAY = 1;
const GLANCE = 300;
const HEAD = 60;

export class Lines {
  /** The last line of each stream. */
  readonly last: Record<Stream, Place | null> = { client: null, agent: null, stderr: null };
  readonly stderr = new Stderr();
  /** The last line of each side that was too large to read. */
  readonly unread: Record<'client' | 'agent', Place | null> = { client: null, agent: null };
  readonly endless: Record<'client' | 'agent', EndlessLine | null> = { client: null, agent: null };
  /** Lines from the agent, before its first message, that are not messages. */
  noise: (Place & { lines: number; text: string }) | null = null;
  /** The kind of the client's first line. */
  first: Event['kind'] | null = null;
  /** The session has Content-Length frames. */
  isFramed = false;
  #heard = false;

  take(read: ReadFrame): void {
    const { frame, events } = read;
    const { from, f, t } = frame;
    if (from === 'proc') return;
    this.last[from] = { f, t };
    if (from === 'stderr') return this.stderr.take(textIn(frame) ?? '');
    if (frame.head) this.isFramed = true;
    if (isUnread(events)) this.unread[from] = { f, t };
    if (isCutOff(frame) && t - (frame.t0 ?? t) >= UNDER_WAY) this.endless[from] = endless(read);
    if (from === 'client' && this.first === null && events.length > 0) this.first = events[0]!.kind;
    if (from === 'agent' && !this.#heard) this.#listen(read);
  }

  #listen({ frame, message, events }: ReadFrame): void {
    this.#heard = message.envelope !== 'none' || events.some(({ kind }) => kind !== 'noise');
    if (this.#heard) return;
    const { f, t } = frame;
    this.noise ??= { f, t, lines: 0, text: (textIn(frame) ?? '').slice(0, GLANCE) };
    this.noise.lines++;
  }
}

function endless({ frame, pairing }: ReadFrame): EndlessLine {
  const { f, t, t0 } = frame;
  const announced = frame.head ? announcedLength(frame.head) : null;
  const of = pairing?.role === 'answers' ? pairing.exchange!.askedF : null;
  return { f, t, from: t0 ?? t, bytes: sizeOf(frame), announced, head: headOf(textIn(frame) ?? ''), of };
}

/** The first bytes of a line. */
export function headOf(text: string): string {
  return text.length > HEAD ? `${text.slice(0, HEAD)}…` : text;
}
