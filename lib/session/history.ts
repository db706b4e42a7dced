/** What an agent sends again from earlier sessions: where it begins and ends, and how it reads as if it were new. */
import type { Event } from '../model/event.ts';
import { isReplayed } from '../model/ledger/ledger.ts';
import type { ReadFrame, Unplaced } from '../model/read-frame.ts';

type Seen = Pick<ReadFrame | Unplaced, 'frame' | 'events' | 'pairing'>;

/** From the first frame to the last. */
interface Window {
  first: number;
  last: number;
}

export class Windows {
  /** How many frames were sent again. */
  count = 0;
  /** Those that were cut off: how far they came is chance. */
  readonly cut: Window[] = [];
  #open: Window | null = null;

  /** Whether the frame is sent again, ends what is sent again, or neither. */
  take({ frame: { f }, events, pairing }: Seen): 'inside' | 'end' | null {
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
  readonly #windows = new Windows();

  /** Leaves only what was sent again, and where that ends. False: nothing is left. */
  take(read: Unplaced): boolean {
    const place = this.#windows.take(read);
    if (place === 'inside') read.events = read.events.filter(isReplayed).map(asNew);
    // A turn may have been cut off.
    else read.events = place === 'end' ? [{ kind: 'turn-end' }] : [];
    return place !== null;
  }
}

function asNew({ restates: _, flags = [], ...event }: Event): Event {
  const others = flags.filter((flag) => flag !== 'replayed');
  const said = (others.length > 0 ? { ...event, flags: others } : event) as Event;
  // Nobody asked for these turns in this session, so they are turns of the agent.
  return said.kind === 'turn-begin' ? { ...said, nested: true } : said;
}
