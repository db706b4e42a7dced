/** Streams with Content-Length headers: text where a header was expected, up to the next header. */
import type { Frame } from '../../model/frame.ts';
import { textIn } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { shortened } from '../../model/text/mask.ts';
import type { Told } from './rule.ts';

const GLANCE = 80;

export class Framing {
  /** Why a stream has lines now; null once that is reported. */
  readonly #lost = new Map<unknown, string | null>();

  /** Null for a frame that is to be checked like any other. */
  take({ frame, ledger }: ReadFrame): Told<'io-framing'>[] | null {
    const { from, form, event, detail, f } = frame;
    if (event === 'unframed') this.#lost.set(detail.stream, String(detail.reason));
    if (form === 'event' || this.#lost.size === 0 || !this.#lost.has(from)) return null;
    if (frame.head) {
      this.#lost.delete(from);
      return null;
    }
    const why = this.#lost.get(from)!;
    if (why === null || (from !== 'client' && from !== 'agent')) return [];
    this.#lost.set(from, null);
    const message = `${why} at the start of a message: ${glance(frame)}`;
    if (why !== 'header cut off') return [{ rule: 'io-framing', f, fault: from, message }];
    // It is not certain who cut it off: it may have been the recording, a signal or a closed pipe.
    const isTorn = ledger.process.isTorn ? ', where the recording is incomplete' : '';
    return [
      { rule: 'io-framing', f, severity: 'warning', message: `the last header is cut off${isTorn}: ${glance(frame)}` },
    ];
  }
}

function glance(frame: Frame): string {
  return shortened(textIn(frame) ?? 'not UTF-8', GLANCE);
}
