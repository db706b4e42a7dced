/** Plays a session as plain lines: no keys, no control codes, and memory that does not grow. */
import type { Frame } from '../../model/frame.ts';
import { MIN_SKIPPED_SECONDS, type Pace, Schedule } from '../../model/pace.ts';
import { humanSeconds } from '../../model/text/text.ts';
import { follow } from '../../storage/search/follow.ts';
import { LiveSearch } from '../../storage/search/live-search.ts';
import { Wakeup } from '../../storage/system/wakeup.ts';
import type { LivePrinter } from '../terminal/live.ts';
import type { Playback } from './playback.ts';

export interface PacedPrintOptions {
  pace: Pace;
  /** The first and the last frame that are printed. */
  from: number;
  until: number;
  stop: AbortSignal;
  /** In seconds. */
  now(): number;
  /** False if the reader has closed the pipe. */
  write(text: string): Promise<boolean>;
}

export async function printPlayback(played: Playback, printer: LivePrinter, options: PacedPrintOptions): Promise<void> {
  const { stop, until } = options;
  const lines = new PacedLines(played, printer, options);
  for await (const followed of follow(played.place, stop)) {
    if (followed && followed.frame.f > until) break;
    const isRead = followed ? await lines.take(followed.frame) : await lines.edge();
    if (!isRead || stop.aborted) return;
  }
  await lines.end();
}

/** This many characters are written at once, if no frame has to be waited for. */
const FLUSH_CHARS = 1 << 15;

class PacedLines {
  readonly #printer: LivePrinter;
  readonly #options: PacedPrintOptions;
  readonly #metadata: Playback['metadata'];
  readonly #search: LiveSearch;
  readonly #wakeup = new Wakeup();
  #schedule: { times: Schedule; begun: number } | null = null;
  #lines = '';
  /** The next frame was not there when it was looked for. */
  #isAwaited = false;

  constructor({ place, names, metadata, dialect }: Playback, printer: LivePrinter, options: PacedPrintOptions) {
    this.#printer = printer;
    this.#options = options;
    this.#metadata = dialect === null ? metadata : { ...metadata, dialect };
    this.#search = new LiveSearch({ ...place, running: true, names, metadata: this.#metadata }, null);
    options.stop.addEventListener('abort', () => this.#wakeup.wake(), { once: true });
  }

  /** False if the reader has closed the pipe, as for all methods here. */
  async take(frame: Frame): Promise<boolean> {
    const found = this.#search.take(frame);
    if (frame.f < this.#options.from) return true;
    if (!(await this.#wait(frame))) return false;
    for (const hit of found) this.#lines += this.#printer.line({ ...hit, metadata: this.#metadata });
    return true;
  }

  /** Everything that was recorded so far is printed. */
  edge(): Promise<boolean> {
    this.#isAwaited = true;
    return this.#flush();
  }

  end(): Promise<boolean> {
    this.#lines += this.#printer.end();
    return this.#flush();
  }

  /** Until the frame is due. */
  async #wait({ t }: Frame): Promise<boolean> {
    const { pace, from, now, stop } = this.#options;
    this.#schedule ??= { times: new Schedule(pace, from > 1 ? t : 0), begun: now() };
    const { at, skipped } = this.#schedule.times.next(t);
    if (skipped >= MIN_SKIPPED_SECONDS && !this.#isAwaited)
      this.#lines += this.#printer.remark(`skipped ${humanSeconds(skipped)}`);
    this.#isAwaited = false;
    const early = this.#schedule.begun + at - now();
    if (early <= 0 && this.#lines.length < FLUSH_CHARS) return true;
    if (!(await this.#flush())) return false;
    if (early > 0) await this.#wakeup.wait(early);
    return !stop.aborted;
  }

  async #flush(): Promise<boolean> {
    const text = this.#lines;
    this.#lines = '';
    return text === '' || (await this.#options.write(text));
  }
}
