/**
 * Messages that did not arrive, because they are on one line with something else: the line feed between them is missing.
 * Their requests are open, and their answers answer nothing, unless the other side shows that it read them all the same.
 */

import { dialectNamed } from '../../dialects/index.ts';
import { type Frame, isCutOff } from '../../model/frame.ts';
import type { Id } from '../../model/id.ts';
import { describeJoined, findJoined, type LineSegment } from '../../model/json/joined-messages.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import type { UnplacedFrame } from '../../model/read-frame.ts';
import { SessionReader } from '../../session/reader.ts';
import { type Cause, type CauseRule, formatError, makeCause } from './cause.ts';
import { MAX_KEPT_LINE_BYTES } from './send.ts';
import type { SessionWatch, UnansweredRequest } from './session-watch.ts';

/** A line with several messages. */
interface JoinedLine {
  f: number;
  from: 'client' | 'agent';
  /** `two messages on one line; the line feed is missing after byte 57`. */
  words: string;
  /** The other side has answered one of them. */
  wasRead: boolean;
}

export interface LostMessage {
  in: JoinedLine;
  read: UnplacedFrame;
  /** The message alone; null if it is long. */
  line: string | null;
}

/** Beyond this many, the oldest are dropped. */
const MAX_LOST_MESSAGES = 1000;

export class LostMessages {
  readonly #session: { command: readonly string[]; dialect: string };
  /** Answers by who sent them and their id, and notifications by their method. */
  readonly #answers = new LimitedMap<string, LostMessage>(MAX_LOST_MESSAGES);
  readonly #notifications = new LimitedMap<string, LostMessage>(MAX_LOST_MESSAGES);

  constructor(session: { command: readonly string[]; dialect: string }) {
    this.#session = session;
  }

  /** The requests and prompts in a line that is not a message. */
  take(frame: Frame): LostMessage[] {
    const segments = findJoined(frame.raw);
    if (!segments) return [];
    const messages = segments.filter(({ isMessage }) => isMessage);
    if (messages.length === 1 && isCutOff(frame)) return [];
    // What follows another text of the agent may be a log that quotes a request of the client.
    const isLog = frame.from === 'agent' && !segments[0]!.isMessage;
    return this.#messages(frame, segments).filter((one) => this.#isRequest(one) && !isLog);
  }

  answerTo({ asker, id }: UnansweredRequest): LostMessage | null {
    return this.#answers.get(key(asker === 'client' ? 'agent' : 'client', id)) ?? null;
  }

  /** A notification of the client with this method. */
  findNotification(method: string): LostMessage | null {
    return this.#notifications.get(method) ?? null;
  }

  /** Each message as if it stood alone; answers and notifications are kept. */
  #messages(frame: Frame, segments: readonly LineSegment[]): LostMessage[] {
    const dialect = dialectNamed(this.#session.dialect);
    if (!dialect) return [];
    const reader = new SessionReader(dialect, this.#session);
    const { f } = frame;
    const from = frame.from as 'client' | 'agent';
    const line: JoinedLine = { f, from, words: describeJoined(segments, frame), wasRead: false };
    return segments.flatMap(({ at, end, isMessage }) => {
      if (!isMessage) return [];
      const raw = frame.raw.slice(at, end);
      const read = reader.read({ ...withoutBytes(frame), raw });
      return { in: line, read, line: raw.length <= MAX_KEPT_LINE_BYTES ? new TextDecoder().decode(raw) : null };
    });
  }

  #isRequest(one: LostMessage): boolean {
    const { message, pairing, events } = one.read;
    const { envelope, id, method } = message;
    if (envelope === 'response' || envelope === 'error') {
      if (id !== null) this.#answers.set(key(one.in.from, id), one);
      return false;
    }
    if (pairing?.role === 'asks') return true;
    if (one.in.from === 'client' && method !== null) this.#notifications.set(method, one);
    return one.in.from === 'client' && events.some(({ kind }) => kind === 'prompt');
  }
}

const key = (from: string, id: Id) => `${from} ${typeof id} ${String(id)}`;

/** The line without what is known of its bytes. */
function withoutBytes({ f, t, t0, from }: Frame): Omit<Frame, 'raw'> {
  return { f, t, t0, from, form: 'message', eol: '\n', event: null, detail: {} };
}

const HINT = 'end every message with a line feed';

/** The request, or the answer to it, never arrived. */
export const joinedLines: CauseRule = (open, watch) => {
  if (open.lost) return causeOf(open.lost, '', watch);
  const answer = watch.lost.answerTo(open);
  return answer && answer.in.f > open.f ? causeOf(answer, `the ${answer.in.from}'s answer is in `, watch) : null;
};

/** A notification that the agent waits for was sent, and did not arrive. */
export function lostSignal(method: string, watch: SessionWatch): Cause | null {
  const signal = watch.lost.findNotification(method);
  return signal && causeOf(signal, `${method} is in `, watch);
}

function causeOf(
  { in: { f, from, words, wasRead }, line }: LostMessage,
  lead: string,
  { refusals }: SessionWatch,
): Cause {
  const other = from === 'client' ? 'agent' : 'client';
  const error = from === 'client' ? refusals.of(f) : null;
  const unread = error ? `the agent refused it (${formatError(error)})` : `the ${other} could not read it`;
  const consequence = wasRead ? `the ${other} read only a part of it` : unread;
  const which = lead === '' ? `f${f} is` : `${lead}f${f}, which is`;
  const cause = makeCause('joined-lines', `${which} not valid JSON (${words}), so ${consequence}`, HINT);
  return { ...cause, send: from === 'client' ? line : null };
}
