/** A part of a session: the frames that match a query, with their numbers and times, as a session of its own. */

import { Exit, Failure } from '../../model/failure.ts';
import type { Frame } from '../../model/frame.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import type { OtherLineObserver } from '../../session/source.ts';
import { searchInPass } from './one-pass.ts';
import { readQuery } from './query.ts';
import { withTimeLimit } from './time-limit.ts';

/** Its metadata name the query, and how many frames there were. */
export function partOf(session: Session, query: string): Session {
  const expr = readQuery(query);
  const kept = new Set<number>();
  let [count, last] = [0, 0];
  const { id, dir, names, command, metadata } = session;
  const pass = new Pass({
    ...{ command, dialect: session.dialect ?? null },
    *frames(others) {
      for (const frame of session.frames(others)) {
        count++;
        last = frame.f;
        yield frame;
      }
    },
  });
  for (const found of withTimeLimit(expr, searchInPass(session, pass, expr))) if (found) kept.add(found.facts.f);
  if (kept.size === 0) throw new Failure(`no frame of ${session.id} matches`, null, Exit.no);
  const { dialect } = pass;
  // A recording ends with the time of its seal. Any other ending can only be sealed like an import.
  const source = kept.has(last) ? {} : { source: 'import' };
  return {
    ...{ id, dir, tape: '', running: false, names, command, dialect },
    metadata: { ...metadata, ...source, dialect, part: { query, frames: count } },
    *frames(others?: OtherLineObserver): Generator<Frame> {
      for (const frame of session.frames(others)) if (kept.has(frame.f)) yield frame;
    },
  };
}
