/**
 * Lines without their line feed, and bodies that are shorter than their headers say. Who cut one off is known when the
 * session has ended: a process that is stopped while it writes, a pipe that is no longer read, and a gap in the recording
 * all leave half a line.
 */
import { announcedLength } from '../../model/content-length.ts';
import type { Frame } from '../../model/frame.ts';
import { isCutOff, sizeOf } from '../../model/frame.ts';
import type { ProcessRecord } from '../../model/ledger/process.ts';
import { parseFrame } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { isGapIn } from './gaps.ts';
import { NOTHING, type RuleHit } from './rule.ts';
import { exitOf, isClientClosingStdin } from './session-end.ts';

type CutLineHit = RuleHit<'io-cut'>;

/** A line that was not ended for so many seconds was not going to be. */
const ABANDONED_LINE_SECONDS = 1;

/** A reader of lines may accept it as it is; one that waits for the announced length does not. */
function describeUnterminated(frame: Frame): Pick<CutLineHit, 'message' | 'severity'> {
  if (!frame.head) return { message: 'the last line is complete, but has no line feed', severity: 'info' };
  const message = `the header announces ${announcedLength(frame.head)} bytes, but the complete body has ${sizeOf(frame)}`;
  return { message };
}

export class CutLines {
  readonly #cuts = new Map<'client' | 'agent', Frame>();
  #clientLeft = false;
  #clientStoppedReading = false;

  take(read: ReadFrame): readonly CutLineHit[] {
    const { frame, ledger } = read;
    const { from, form, event, detail } = frame;
    if (form !== 'event') {
      if (!isCutOff(frame) || (sizeOf(frame) === 0 && !frame.head) || (from !== 'client' && from !== 'agent'))
        return NOTHING;
      if (parseFrame(frame) === undefined) {
        this.#cuts.set(from, frame);
        return [];
      }
      return [{ rule: 'io-cut', f: frame.f, fault: from, ...describeUnterminated(frame) }];
    }
    if (isClientClosingStdin(read)) this.#clientLeft = true;
    if (event === 'eof' && from === 'agent' && detail.by === 'client') this.#clientStoppedReading = true;
    // The gap is reported; the line may have been complete.
    for (const side of ['client', 'agent'] as const) if (isGapIn(read, side)) this.#cuts.delete(side);
    return event === 'exit' || event === 'lost' ? this.end(ledger.process) : [];
  }

  end(book: ProcessRecord): CutLineHit[] {
    const hits = [...this.#cuts].map(([side, frame]): CutLineHit => {
      const excuse = side === 'agent' ? this.#agentExcuse(book) : this.#clientExcuse(book, frame);
      const announced = frame.head ? ` of the ${announcedLength(frame.head)}` : '';
      const message = `the last ${frame.head ? 'body' : 'line'} is cut off after ${sizeOf(frame)}${announced} bytes`;
      if (excuse === null) return { rule: 'io-cut', f: frame.f, fault: side, message };
      return { rule: 'io-cut', f: frame.f, fault: 'unknown', severity: 'warning', message: `${message}: ${excuse}` };
    });
    this.#cuts.clear();
    return hits;
  }

  #agentExcuse(book: ProcessRecord): string | null {
    if (book.hasHoles) return 'the recording is incomplete there';
    if (this.#clientStoppedReading) return 'the client stopped reading';
    return book.firstSignal || exitOf(book)?.signal ? 'a signal ended the agent' : null;
  }

  #clientExcuse(book: ProcessRecord, { t, t0 }: Frame): string | null {
    if (book.hasHoles) return 'the recording is incomplete there';
    return this.#clientLeft || t - (t0 ?? t) >= ABANDONED_LINE_SECONDS
      ? null
      : 'the agent ended before the line was complete';
  }
}
