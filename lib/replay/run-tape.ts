/**
 * What crosses between the two sides of a rehearsal, in order. As long as it is what was recorded, only that is noted: a
 * long run that is the same takes no memory.
 */
import type { PassThrough } from 'node:stream';
import type { Frame, From } from '../model/frame.ts';
import { type Session, sessionInMemory } from '../session/session.ts';
import { MessageReader } from './message-reader.ts';

type NewFrame = Omit<Frame, 'f' | 't' | 't0'>;

export class RunTape {
  /** The agent has ended. */
  isOver = false;
  readonly #recorded: Session;
  /** What should cross next; null: something else did. */
  #expected: Generator<Frame, undefined> | null;
  /** Null: the recorded line. */
  readonly #frames: (NewFrame | null)[] = [];

  constructor(recorded: Session) {
    this.#recorded = recorded;
    this.#expected = traffic(recorded);
    this.event('proc', 'spawn');
  }

  listen(from: From, stream: PassThrough): void {
    const reader = new MessageReader((message) => {
      const line: NewFrame = { from, form: 'text', ...message, event: null, detail: {} };
      this.#frames.push(this.#isExpected(line) ? null : { ...line, raw: Buffer.from(message.raw) });
    });
    stream.on('data', (chunk: Buffer) => reader.add(chunk));
    const end = stream.end.bind(stream);
    // When it is closed, not when a reader notices.
    stream.end = (...args: never[]) => {
      reader.end();
      if (!this.isOver) this.event(from, 'eof');
      return end(...args);
    };
  }

  event(from: From, event: string, detail: Frame['detail'] = {}): void {
    const frame: NewFrame = { from, form: 'event', raw: Buffer.alloc(0), eol: '\n', event, detail };
    if (isTraffic(frame)) this.#isExpected(frame);
    this.#frames.push(frame);
  }

  /** The same lines of the same sides in the same order, and the same end. To be asked once, when the run is over. */
  isSame(): boolean {
    return this.#expected?.next().done === true;
  }

  get session(): Session {
    const { metadata } = this.#recorded;
    const about = { ...metadata, session: 'run', source: 'replay', replay_of: metadata.session };
    return { ...sessionInMemory(about, []), frames: () => this.#all() };
  }

  #isExpected(frame: NewFrame): boolean {
    if (!this.#expected) return false;
    const { value } = this.#expected.next();
    if (value && isSameFrame(value, frame)) return true;
    this.#expected.return(undefined);
    this.#expected = null;
    return false;
  }

  *#all(): Generator<Frame> {
    const lines = linesOf(this.#recorded);
    let f = 0;
    for (const frame of this.#frames) {
      f++;
      yield { ...(frame ?? asCrossed(lines.next().value!)), f, t: f / 1000, t0: null };
    }
    lines.return(undefined);
  }
}

/** As a stream has it, which knows no more of a line than its bytes. */
function asCrossed({ from, raw, eol, head }: Frame): NewFrame {
  return { from, form: 'text', raw, eol, ...(head === undefined ? {} : { head }), event: null, detail: {} };
}

/** Other events of the recorder are not compared. */
const isTraffic = ({ form, event }: Pick<Frame, 'form' | 'event'>): boolean => form !== 'event' || event === 'exit';

function* traffic(session: Session): Generator<Frame, undefined> {
  for (const frame of session.frames()) if (isTraffic(frame)) yield frame;
}

function* linesOf(session: Session): Generator<Frame, undefined> {
  for (const frame of session.frames()) if (frame.form !== 'event') yield frame;
}

function isSameFrame(a: NewFrame, b: NewFrame): boolean {
  if (a.event !== b.event || a.from !== b.from || a.cut || b.cut) return false;
  if (a.event !== null) return a.detail.code === b.detail.code && a.detail.signal === b.detail.signal;
  return a.eol === b.eol && a.head === b.head && Buffer.compare(a.raw, b.raw) === 0;
}
