/** Streams with Content-Length headers: text where a header was expected, up to the next header. */

import type { Frame } from '../../model/frame.ts';
import { textIn } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { maskAndShorten } from '../../model/text/mask.ts';
import { textOfValue } from '../../model/text/text.ts';
import type { RuleHit } from './rule.ts';

const MAX_EXCERPT_LENGTH = 80;

export class FramingCheck {
  /** Why a stream has lines now; null once that is reported. */
  readonly #unframedReasons = new Map<unknown, string | null>();

  /** Null for a frame that is to be checked like any other. */
  take({ frame, ledger }: ReadFrame): RuleHit<'io-framing'>[] | null {
    const { from, form, event, detail, f } = frame;
    if (event === 'unframed') this.#unframedReasons.set(detail.stream, textOfValue(detail.reason));
    if (form === 'event' || this.#unframedReasons.size === 0 || !this.#unframedReasons.has(from)) return null;
    if (frame.head) {
      this.#unframedReasons.delete(from);
      return null;
    }
    const why = this.#unframedReasons.get(from)!;
    if (why === null || (from !== 'client' && from !== 'agent')) return [];
    this.#unframedReasons.set(from, null);
    const message = `${why} at the start of a message: ${excerptOf(frame)}`;
    if (why !== 'header cut off') return [{ rule: 'io-framing', f, fault: from, message }];
    // It is not certain who cut it off: it may have been the recording, a signal or a closed pipe.
    const isTorn = ledger.process.hasHoles ? ', where the recording is incomplete' : '';
    return [
      {
        rule: 'io-framing',
        f,
        severity: 'warning',
        message: `the last header is cut off${isTorn}: ${excerptOf(frame)}`,
      },
    ];
  }
}

function excerptOf(frame: Frame): string {
  return maskAndShorten(textIn(frame) ?? 'not UTF-8', MAX_EXCERPT_LENGTH);
}
