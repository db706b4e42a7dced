/**
 * Lines without their line feed. Who broke one off is known when the session has ended: a process that is stopped while it
 * writes, a pipe that is no longer read, and a gap in the recording all leave half a line.
 */
import type { Frame } from '../../core/frame.ts';
import { sizeOf } from '../../core/frame.ts';
import type { ProcessBook } from '../../core/ledger/process.ts';
import { parseFrame } from '../../core/message.ts';
import type { ReadFrame } from '../../session/read.ts';
import type { Told } from '../rule.ts';
import { exitOf, isClientLeaving } from './ending.ts';
import { isGapOf } from './holes.ts';

type Cut = Told<'io-cut'>;

/** Whoever has not ended a line for so long does not mean to. */
const PATIENCE = 1;

export class CutLines {
  readonly #cuts = new Map<'client' | 'agent', Frame>();
  #clientLeft = false;
  #clientStoppedReading = false;

  take(read: ReadFrame): Cut[] {
    const { frame, ledger } = read;
    const { from, form, event, detail } = frame;
    if (form !== 'event') {
      if (frame.eol !== '' || sizeOf(frame) === 0 || (from !== 'client' && from !== 'agent')) return [];
      if (parseFrame(frame) === undefined) {
        this.#cuts.set(from, frame);
        return [];
      }
      const message = 'the last line has no line feed, though it is whole';
      return [{ rule: 'io-cut', f: frame.f, fault: from, severity: 'info', message }];
    }
    if (isClientLeaving(read)) this.#clientLeft = true;
    if (event === 'eof' && from === 'agent' && detail.by === 'client') this.#clientStoppedReading = true;
    // The gap is told; the line may have been whole.
    for (const side of ['client', 'agent'] as const) if (isGapOf(read, side)) this.#cuts.delete(side);
    return event === 'exit' || event === 'lost' ? this.end(ledger.process) : [];
  }

  end(book: ProcessBook): Cut[] {
    const told = [...this.#cuts].map(([side, frame]): Cut => {
      const excuse = side === 'agent' ? this.#agentExcuse(book) : this.#clientExcuse(book, frame);
      const message = `the last line breaks off after ${sizeOf(frame)} bytes`;
      if (excuse === null) return { rule: 'io-cut', f: frame.f, fault: side, message };
      return { rule: 'io-cut', f: frame.f, fault: 'unknown', severity: 'warning', message: `${message}: ${excuse}` };
    });
    this.#cuts.clear();
    return told;
  }

  #agentExcuse(book: ProcessBook): string | null {
    if (book.isTorn) return 'so far it was recorded';
    if (this.#clientStoppedReading) return 'the client stopped reading';
    return book.firstSignal || exitOf(book)?.signal ? 'the agent was ended by a signal' : null;
  }

  #clientExcuse(book: ProcessBook, { t, t0 }: Frame): string | null {
    if (book.isTorn) return 'so far it was recorded';
    return this.#clientLeft || t - (t0 ?? t) >= PATIENCE ? null : 'the agent ended meanwhile';
  }
}
