/**
 * How much of what the agent said its dialect understands. Where that is not most of it, calls and approvals may be missing,
 * and no command may say that nothing ran, that nothing was asked, or that a rule of that dialect was broken. Only this file
 * decides that.
 */

import { traitsOf } from '../dialects/index.ts';
import type { Event } from '../model/event.ts';
import { textIn } from '../model/message.ts';
import type { ReadFrame } from '../model/read-frame.ts';

/** Printed as JSON, as `read`. */
export interface ReadShare {
  /** Lines from the agent. Text between messages counts only where the protocol is unknown: elsewhere it is noise. */
  lines: number;
  understood: number;
  /** False if calls and approvals may be missing. */
  enough: boolean;
}

/** What a reader calls a line that it cannot read. */
const UNREAD_KINDS: ReadonlySet<Event['kind']> = new Set<Event['kind']>(['other', 'noise']);

type AgentLine = Pick<ReadFrame, 'frame' | 'value' | 'events' | 'message'>;

export class Understanding {
  #messages = 0;
  #texts = 0;
  #understood = 0;

  take({ frame, value, events, message }: AgentLine): void {
    if (frame.from !== 'agent' || frame.form === 'event') return;
    // An error answers a request, whatever that was, and does nothing else.
    const isUnderstood = message.envelope === 'error' || events.some(({ kind }) => !UNREAD_KINDS.has(kind));
    if (isUnderstood || events.length === 0) this.#understood++;
    if (isUnderstood || events.length === 0 || (typeof value === 'object' && value !== null)) this.#messages++;
    else if (textIn(frame)?.trim() !== '') this.#texts++;
  }

  /** In this dialect. Of a protocol that is not known, at most the envelopes are understood, and they do not show what ran. */
  in(dialect: string): ReadShare {
    const { isGeneric } = traitsOf(dialect);
    const lines = this.#messages + (isGeneric ? this.#texts : 0);
    return { lines, understood: this.#understood, enough: !isGeneric && this.#understood * 2 >= lines };
  }
}

/** `3 of 41 lines from the agent were understood`. */
export function describeShare({ lines, understood }: ReadShare): string {
  return `${understood} of ${lines} ${lines === 1 ? 'line from the agent was' : 'lines from the agent were'} understood`;
}

/** There are lines, and too few of them were understood. An agent that said nothing is not unread. */
export function isMostlyUnread(read: ReadShare | null): read is ReadShare {
  return read !== null && !read.enough && read.lines > 0;
}

/** A number of turns, calls or approvals; `?` if none was seen and too little was understood to be sure. */
export function formatCount(n: number | null, read: ReadShare | null): string {
  return n === 0 && read?.enough === false ? '?' : String(n ?? 0);
}

/** A warning for readers of the results; null if enough was understood. */
export function describeMissing(read: ReadShare | null): string | null {
  return isMostlyUnread(read) ? `${describeShare(read)}: calls and approvals may be missing` : null;
}
