/** Gaps of the recording: the text next to one may be part of a line, and is no evidence against its writer. */
import type { Stream } from '../../model/frame.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { SharedObserver } from './rule.ts';

export class GapTracker implements SharedObserver {
  readonly #open = new Set<unknown>();
  /** This line is the first after a gap in its stream: its beginning may be missing. */
  isFragment = false;

  take({ frame: { from, form, event, detail } }: ReadFrame): void {
    if (form !== 'event') {
      this.isFragment = this.#open.size > 0 && this.#open.delete(from);
      return;
    }
    this.isFragment = false;
    if (event === 'gap') this.#open.add(detail.stream);
  }
}

/** Whether this event says that bytes of the stream are missing here. */
export function isGapIn({ frame: { event, detail } }: ReadFrame, stream: Stream): boolean {
  return event === 'gap' && detail.stream === stream;
}
