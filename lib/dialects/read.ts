/** A whole session, read: its dialect found from its first lines (or given), and every frame as that dialect has it. */
import type { Frame } from '../core/frame.ts';
import { TimelineBuilder } from '../core/timeline/builder.ts';
import type { Timeline } from '../core/timeline/shape.ts';
import { byName, type Detected, Detector } from './detect.ts';
import type { SessionInfo } from './dialect.ts';
import { type Reading, SessionReader } from './session.ts';

export interface SessionFrames extends SessionInfo {
  /** From the start, each time. */
  frames(): Iterable<Frame>;
  /** The dialect's name, where somebody knows better. */
  dialect?: string | null;
}

export function detectDialect({ command, frames, dialect }: SessionFrames): Detected {
  const given = dialect ? byName(dialect) : undefined;
  if (given) return { dialect: given, confidence: 1 };
  const detector = new Detector(command);
  for (const frame of frames()) {
    detector.take(frame);
    if (detector.decided) break;
  }
  return detector.best;
}

export function* readSession(session: SessionFrames): Generator<Reading> {
  const reader = new SessionReader(detectDialect(session).dialect, session);
  for (const frame of session.frames()) yield reader.read(frame);
}

export function readTimeline(session: SessionFrames): Timeline {
  const builder = new TimelineBuilder();
  for (const reading of readSession(session)) builder.take(reading);
  return builder.timeline;
}
