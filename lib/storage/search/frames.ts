/**
 * The frames of one session that match a query, read from the session itself: for sessions that are still running, are not
 * in a store, or have no rows in the index. Later frames change what is known about earlier ones, so the session is read
 * twice to give the same answers as the index. Memory does not grow with the session: a change is remembered between the
 * two passes only if it comes long after its frame.
 */

import { applyChange, type FactChange, FactReader } from '../../analysis/facts/fact-reader.ts';
import type { Facts } from '../../analysis/facts/facts.ts';
import type { FrameFacts, SessionFacts } from '../../analysis/query/facts.ts';
import { type Frame, microsOf, sizeOf } from '../../model/frame.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { TextCollector } from '../../model/text/searchable.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { predicateInput } from './predicate-input.ts';

/** A frame, with its own copy of its bytes, and what is known about it. */
export interface FoundFrame {
  facts: Facts;
  frame: Frame;
}

interface FrameWithFacts {
  facts: Facts;
  read: ReadFrame;
}

/** Yields null for each frame that does not match and for each frame of the first pass, so that the caller can pause. */
export function* searchFrames(
  session: Session,
  summary: SessionFacts,
  matches: (frame: FrameFacts) => boolean,
): Generator<FoundFrame | null> {
  const startedAt = microsOf(session.metadata.started_at);
  const texts = new TextCollector();
  for (const one of factsOfFrames(session)) {
    if (one === null) yield null;
    else {
      const { facts, read } = one;
      const { value, frame } = read;
      const isMatch = matches(predicateInput(facts, { session: summary, startedAt, value, text: texts.take(read) }));
      yield isMatch ? { facts, frame } : null;
    }
  }
}

/** Every frame with its final facts; null for each frame of the first pass. `first` is a pass that has not begun. */
export function* factsOfFrames(session: Session, first: Pass = new Pass(session)): Generator<FrameWithFacts | null> {
  const late = new Map<number, FactChange>();
  const remember = (change: FactChange) => {
    const before = late.get(change.f);
    late.set(change.f, before ? bothChanges(before, change) : change);
  };
  // Only the facts of the first pass are used, so its lines are not copied.
  for (const _ of delayed(first, remember, (frame) => frame)) yield null;
  for (const one of delayed(new Pass(session), () => {}, ownFrame)) {
    const change = late.get(one.facts.f);
    if (change) applyChange(one.facts, change);
    yield one;
  }
}

/** How many frames, and bytes of them, are held back for the changes that follow soon. */
const MAX_HELD_FRAMES = 256;
const MAX_HELD_BYTES = 256 << 10;

/**
 * Reads a pass, and yields each frame a little later, with the changes that came in the meantime. Changes that come after
 * that are `late`. Two passes over the same session hold the same frames back.
 */
function* delayed(
  pass: Pass,
  late: (change: FactChange) => void,
  keep: (frame: Frame) => Frame,
): Generator<FrameWithFacts> {
  const reader = new FactReader(pass);
  const held: (FrameWithFacts & { size: number })[] = [];
  let bytes = 0;
  const learn = (changes: readonly FactChange[]) => {
    for (const change of changes) {
      const changed = held.filter(({ facts }) => facts.f === change.f);
      for (const { facts } of changed) applyChange(facts, change);
      if (changed.length === 0) late(change);
    }
  };
  for (const read of pass) {
    const { facts, changes } = reader.take(read);
    learn(changes);
    const size = sizeOf(read.frame);
    read.frame = keep(read.frame);
    held.push({ facts, read, size });
    bytes += size;
    while (held.length > MAX_HELD_FRAMES || bytes > MAX_HELD_BYTES) {
      const oldest = held.shift()!;
      bytes -= oldest.size;
      yield oldest;
    }
  }
  learn(reader.end().changes);
  yield* held;
}

/** The buffer of a line is used again for the next line. */
function ownFrame(frame: Frame): Frame {
  return { ...frame, raw: new Uint8Array(frame.raw) };
}

function bothChanges(before: FactChange, change: FactChange): FactChange {
  const set = ((before.set ?? 0) & ~(change.clear ?? 0)) | (change.set ?? 0);
  const clear = ((before.clear ?? 0) & ~(change.set ?? 0)) | (change.clear ?? 0);
  return { ...before, ...change, set, clear };
}
