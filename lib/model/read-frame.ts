/** A frame as a pass over its session reads it: what every observer gets. */
import type { Ledger } from './ledger/ledger.ts';
import type { PairedFrame } from './ledger/paired-frame.ts';
import type { Where } from './timeline/builder.ts';

/** Decoded and paired, but not placed yet. */
export interface DecodedFrame extends PairedFrame {
  /** The line as JSON, with its ids as they were written; undefined if it is not JSON. */
  value: unknown;
  /** The id of the conversation that the line names, if it does; see the traits of its dialect. */
  conversation: string | null;
}

/** The same object when it is placed: there is one for every frame. */
export type UnplacedFrame = DecodedFrame & { [K in 'where' | 'ledger']: ReadFrame[K] | null };

export interface ReadFrame extends DecodedFrame {
  /** Where it belongs, as far as that was known when it came. */
  where: Where;
  /** The session's book, as it is after this frame. */
  ledger: Ledger;
}
