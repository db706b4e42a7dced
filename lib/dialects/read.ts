/** A whole session, read: its dialect found from its first lines (or given), and every frame as that dialect has it. */
import type { Frame } from '../core/frame.ts';
import { TimelineBuilder, type Where } from '../core/timeline/builder.ts';
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

export type ReadFrame = Reading & { where: Where };

/** Every frame, with where it belongs as far as that was known when it came. */
export function* readSession(session: SessionFrames): Generator<ReadFrame> {
  const reader = new SessionReader(detectDialect(session).dialect, session);
  const builder = new TimelineBuilder();
  for (const frame of session.frames()) {
    const reading = reader.read(frame);
    yield { ...reading, where: builder.take(reading) };
  }
}

export interface ReadTimeline extends Timeline {
  dialect: string;
  confidence: number;
}

export function readTimeline(session: SessionFrames): ReadTimeline {
  const { dialect, confidence } = detectDialect(session);
  const reader = new SessionReader(dialect, session);
  const builder = new TimelineBuilder();
  for (const frame of session.frames()) builder.take(reader.read(frame));
  return { ...builder.timeline, dialect: dialect.name, confidence };
}
