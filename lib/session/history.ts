/** What an agent sends again from earlier sessions: where it begins and ends, and how it reads as if it were new. */
import type { Event } from '../model/event.ts';
import { isReplayed } from '../model/ledger/ledger.ts';
import type { ReadFrame, UnplacedFrame } from '../model/read-frame.ts';

type HistoryFrame = Pick<ReadFrame | UnplacedFrame, 'frame' | 'events' | 'pairing'>;

/** From the first frame to the last. */
interface HistoryWindow {
  first: number;
  last: number;
}

export class HistoryWindows {
  /** How many frames were sent again. */
  count = 0;
  /** Those that were cut off: how far they came is chance. */
  readonly cut: HistoryWindow[] = [];
  #open: HistoryWindow | null = null;

  /** Whether the frame is sent again, ends what is sent again, or neither. */
  take({ frame: { f }, events, pairing }: HistoryFrame): 'inside' | 'end' | null {
    if (events.some(isReplayed)) {
      this.count++;
      this.#open ??= { first: f, last: f };
      this.#open.last = f;
      return 'inside';
    }
    // The request that asked for it is answered.
    if (this.#open === null || pairing?.role !== 'answers' || pairing.exchange!.askedF > this.#open.first) return null;
    if (events.some((event) => event.kind === 'control' && event.status === 'cancelled')) this.cut.push(this.#open);
    this.#open = null;
    return 'end';
  }

  isCut(f: number): boolean {
    return this.cut.some(({ first, last }) => f >= first && f <= last);
  }
}

export class History {
  readonly #windows = new HistoryWindows();

  /** Leaves only what was sent again, and where that ends. False: nothing is left. */
  take(read: UnplacedFrame): boolean {
    const position = this.#windows.take(read);
    if (position === 'inside') read.events = read.events.filter(isReplayed).map(asNew);
    // A turn may have been cut off.
    else read.events = position === 'end' ? [{ kind: 'turn-end' }] : [];
    return position !== null;
  }
}

function asNew({ restates: _, flags = [], ...event }: Event): Event {
  const others = flags.filter((flag) => flag !== 'replayed');
  const unflagged = (others.length > 0 ? { ...event, flags: others } : event) as Event;
  // Nobody asked for these turns in this session, so they are turns of the agent.
  return unflagged.kind === 'turn-begin' ? { ...unflagged, nested: true } : unflagged;
}
