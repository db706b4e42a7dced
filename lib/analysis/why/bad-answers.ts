/** Bad answers: invalid ones, and those that match no request. */
import type { Id } from '../../model/id.ts';
import type { FramePosition } from '../../model/ledger/records.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { toJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { maskAndShorten } from '../../model/text/mask.ts';
import type { UnansweredRequest } from './session-watch.ts';

export interface BadAnswer extends FramePosition {
  from: 'client' | 'agent';
  id: Id;
  flags: string[];
  /** The frame of the request that it answers; null if it matches none. */
  of: number | null;
  /** The request that its content names, if it has one besides the envelope's. */
  names: string | null;
  /** Its content as JSON, shortened. */
  sent: string;
}

/** Beyond this many, the oldest are dropped. */
const MAX_BAD_ANSWERS = 1000;
const MAX_QUOTED_CHARS = 120;
const INVALID_FLAGS = new Set(['bad-word', 'bad-shape', 'no-request-id', 'both', 'wrong-request-id']);

export class BadAnswers {
  readonly bad: BadAnswer[] = [];
  /** The requests of the agent by the frames of their answers. */
  readonly #requestOfAnswer = new LimitedMap<number, number>(MAX_BAD_ANSWERS);

  /** An answer of the client to the request of this frame. */
  addAnswer(read: ReadFrame, of: number): void {
    this.#requestOfAnswer.set(read.frame.f, of);
    if (!read.events.some(({ flags }) => flags)) return;
    const flags = read.events.flatMap((event) => event.flags ?? []).filter((flag) => INVALID_FLAGS.has(flag));
    if (flags.length > 0) this.#add(read, flags, of);
  }

  addOrphan(read: ReadFrame): void {
    this.#add(read, ['orphan'], null);
  }

  /** The frame of the request that the client answers in this one. */
  requestFrameOf(f: number): number | null {
    return this.#requestOfAnswer.get(f) ?? null;
  }

  findAt(f: number): BadAnswer | null {
    return this.bad.find((answer) => answer.f === f) ?? null;
  }

  /**
   * The last answer without a request that was meant for this one: it has its id in another type, or names it. An answer
   * of the client to a request of its own invention is meant for the only one that is open.
   */
  meantFor(open: UnansweredRequest, others: readonly UnansweredRequest[]): BadAnswer | null {
    const isAlone =
      open.asker === 'agent' && others.every((one) => one.asker !== open.asker || one === open || one.unanswerable);
    const isMeant = ({ id, names }: BadAnswer) => String(id) === String(open.id) || names === String(open.id);
    const orphans = this.bad.filter(({ f, of, from }) => f > open.f && of === null && from !== open.asker);
    return orphans.findLast(isMeant) ?? (isAlone ? (orphans.at(-1) ?? null) : null);
  }

  #add({ frame, message, events }: ReadFrame, flags: string[], of: number | null): void {
    const { f, t } = frame;
    const from = frame.from as 'client' | 'agent';
    const [event] = events;
    const names = event && 'request' in event ? event.request : null;
    const sent = maskAndShorten(toJson(message.body ?? null), MAX_QUOTED_CHARS);
    this.bad.push({ f, t, from, id: message.id, flags, of, names, sent });
    if (this.bad.length > MAX_BAD_ANSWERS) this.bad.shift();
  }
}
