/** A whole session, read: its dialect found from its first lines (or given), and every frame as that dialect has it. */
import type { Frame } from '../core/frame.ts';
import { keepFrame } from '../core/kept-frame.ts';
import { parseFrame, textIn } from '../core/message.ts';
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

export function detectDialect(session: SessionFrames): Detected {
  const given = givenDialect(session);
  if (given) return given;
  const detector = new Detector(session.command);
  for (const frame of session.frames()) {
    detector.take(frame);
    if (detector.decided) break;
  }
  return detector.best;
}

function givenDialect({ dialect: name }: SessionFrames): Detected | null {
  const dialect = name ? byName(name) : undefined;
  return dialect ? { dialect, confidence: 1 } : null;
}

/** A frame from which the dialect was found, and what its line says. */
interface Seen {
  frame: Frame;
  value: unknown;
}

interface Opened {
  detected: Detected;
  first: Seen[];
  /** The frames behind those. */
  rest: IterableIterator<Frame>;
}

/** Nothing is read or parsed twice: what the dialect was found from is kept for its reader. */
function open(session: SessionFrames): Opened {
  const frames = session.frames()[Symbol.iterator]();
  const rest: IterableIterator<Frame> = {
    next: () => frames.next(),
    return: () => frames.return?.() ?? { done: true, value: undefined },
    [Symbol.iterator]: () => rest,
  };
  const first: Seen[] = [];
  const given = givenDialect(session);
  if (given) return { detected: given, first, rest };
  const detector = new Detector(session.command);
  for (let next = frames.next(); !next.done; next = frames.next()) {
    first.push(look(next.value, detector));
    if (detector.decided) break;
  }
  return { detected: detector.best, first, rest };
}

function look(frame: Frame, detector: Detector): Seen {
  if (frame.form === 'event') return { frame, value: undefined };
  const text = textIn(frame);
  const value = parseFrame(frame, text);
  detector.look(frame, value);
  return { frame: keepFrame(frame, text), value };
}

export type ReadFrame = Reading & { where: Where };

/** Every frame, with where it belongs as far as that was known when it came. */
export function* readSession(session: SessionFrames): Generator<ReadFrame> {
  const { detected, first, rest } = open(session);
  const reader = new SessionReader(detected.dialect, session);
  const builder = new TimelineBuilder();
  const place = (reading: Reading): ReadFrame => {
    const { frame, message, pairing, events, value } = reading;
    return { frame, message, pairing, events, value, where: builder.take(reading) };
  };
  try {
    for (const { frame, value } of first) yield place(reader.read(frame, value));
    for (const frame of rest) yield place(reader.read(frame));
  } finally {
    rest.return?.();
  }
}

export interface ReadTimeline extends Timeline {
  dialect: string;
  confidence: number;
}

export function readTimeline(session: SessionFrames): ReadTimeline {
  const { detected, first, rest } = open(session);
  const { dialect, confidence } = detected;
  const reader = new SessionReader(dialect, session);
  const builder = new TimelineBuilder();
  try {
    for (const { frame, value } of first) builder.take(reader.read(frame, value));
    for (const frame of rest) builder.take(reader.read(frame));
  } finally {
    rest.return?.();
  }
  // One literal: a copy with more keys takes as long as some frames.
  const { handshake, entries, counts, wait, usage, context } = builder.timeline;
  return { handshake, entries, counts, wait, usage, context, dialect: dialect.name, confidence };
}
