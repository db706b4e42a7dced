/** Tapes that end early: cut after something was asked or cancelled, and ended in each way that a session can end. */
import type { Event } from '../../../lib/model/event.ts';
import type { Frame } from '../../../lib/model/frame.ts';
import { ASKING } from './source.ts';

type Happening = Pick<Frame, 'from' | 'event' | 'detail'>;

const happens = (from: Frame['from'], event: string, detail: Record<string, unknown> = {}): Happening => {
  return { from, event, detail };
};
const EXIT = happens('proc', 'exit', { code: 0, signal: null });

const ENDINGS: Record<string, Happening[]> = {
  'nothing more': [],
  'recorder killed': [happens('proc', 'lost')],
  'agent ends': [EXIT],
  'client leaves': [happens('client', 'eof'), EXIT],
  'agent closes its stdin': [happens('client', 'eof', { by: 'agent' }), EXIT],
  'agent leaves, then the client': [happens('agent', 'eof'), happens('client', 'eof'), EXIT],
  'agent is killed': [
    happens('proc', 'signal', { signal: 'SIGTERM' }),
    happens('proc', 'exit', { code: null, signal: 'SIGTERM' }),
  ],
};

/** The same happens in long ones, later. */
export const LONGEST = 100;

const CUTS: ReadonlySet<string> = new Set([...ASKING, 'cancel']);

export interface Cut {
  /** How it ends. */
  name: string;
  frames: Frame[];
}

/**
 * After the last frame that asks something of each kind, and after the last cancel: every ending. `tried`: the kinds that
 * need not be tried again.
 */
export function cutsOf(frames: readonly Frame[], events: readonly (readonly Event[])[], tried: Set<string>): Cut[] {
  const last = new Map<string, number>();
  events.forEach((said, at) => {
    for (const { kind, flags } of said) {
      if (CUTS.has(kind) && !tried.has(kind) && !flags?.includes('replayed')) last.set(kind, at);
    }
  });
  for (const kind of last.keys()) tried.add(kind);
  return [...new Set(last.values())].flatMap((at) =>
    Object.entries(ENDINGS).map(([name, ending]) => ({ name, frames: cutAfter(frames, at, ending) })),
  );
}

/** The frames up to this one, and then that ending, a second apart. */
function cutAfter(frames: readonly Frame[], at: number, ending: readonly Happening[]): Frame[] {
  const { f, t } = frames[at]!;
  const added = ending.map(
    (one, i): Frame => ({
      ...{ f: f + 1 + i, t: t + 1 + i, t0: null, form: 'event', raw: new Uint8Array(), eol: '\n' },
      ...one,
    }),
  );
  return [...frames.slice(0, at + 1), ...added];
}

/** A disagreement without what differs from tape to tape. */
export function kindOf(disagreement: string): string {
  return disagreement.replace(/^(?:f\d+ (?:\S+ (?=call\b))?|turn \d+ )/, '').replace(/-?\d+(?:\.\d+)?/g, 'N');
}
