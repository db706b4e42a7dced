/**
 * Frames of one session that match a query, from its tape: for sessions that still run, that are in no store, or where
 * there is no index. What only later frames tell is found first, so that the answer is the index's.
 */
import { type Frame, microsOf } from '../core/frame.ts';
import { Listener, says } from '../core/searchable.ts';
import { type ReadFrame, readSession } from '../dialects/read.ts';
import { apply, type Change, FactReader } from '../facts/fact-reader.ts';
import type { Facts } from '../facts/facts.ts';
import type { FrameFacts, SessionFacts } from '../filter/facts.ts';
import { readFrames, readMetadata } from '../tape/read.ts';

export interface FoundInTape {
  facts: Facts;
  /** Its bytes are its own. */
  frame: Frame;
}

/** Null for each frame that does not match, and for each that is looked at before. `dialect`: where somebody knows better. */
export function* searchTape(
  tape: string,
  session: SessionFacts,
  matches: (frame: FrameFacts) => boolean,
  dialect: string | null = session.dialect,
): Generator<FoundInTape | null> {
  const metadata = readMetadata(tape);
  const { command } = metadata;
  const known = { command, dialect: dialect ?? 'lines' };
  const read = () => readSession({ command, dialect, frames: () => readFrames(tape) });
  const later = yield* changesIn(read(), known);
  const startedAt = microsOf(metadata.started_at);
  const facts = new FactReader(known);
  const listener = new Listener();
  for (const one of read()) {
    const told = facts.take(one).facts;
    const change = later.get(told.f);
    if (change) apply(told, change);
    const said = listener.take(one);
    const isMatch = matches({
      ...told,
      session,
      at: startedAt + Math.round(told.t * 1e6),
      message: () => one.value,
      says: (text) => says(said, text),
    });
    // The line's own buffer is used again for the next one.
    yield isMatch ? { facts: told, frame: { ...one.frame, raw: Uint8Array.from(one.frame.raw) } } : null;
  }
}

/** What later frames tell of earlier ones. */
function* changesIn(
  frames: Iterable<ReadFrame>,
  known: { command: readonly string[]; dialect: string },
): Generator<null, Map<number, Change>> {
  const reader = new FactReader(known);
  const all = new Map<number, Change>();
  const add = (changes: readonly Change[]) => {
    for (const change of changes) {
      const before = all.get(change.f);
      all.set(change.f, before ? merged(before, change) : change);
    }
  };
  for (const frame of frames) {
    add(reader.take(frame).changes);
    yield null;
  }
  add(reader.end().changes);
  return all;
}

function merged(before: Change, change: Change): Change {
  const set = ((before.set ?? 0) & ~(change.clear ?? 0)) | (change.set ?? 0);
  const clear = ((before.clear ?? 0) & ~(change.set ?? 0)) | (change.clear ?? 0);
  return { ...before, ...change, set, clear };
}
