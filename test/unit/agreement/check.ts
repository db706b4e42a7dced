/** What `check` says, by its findings: what was never answered, who closed stdin, and whether the recording is complete. */
import { Checker } from '../../../lib/analysis/check/checker.ts';
import type { Finding } from '../../../lib/dialects/rules/rule.ts';
import type { ReadFrame } from '../../../lib/model/read-frame.ts';
import { Book } from './book.ts';
import { type AboutSession, ASKING, type Witness } from './source.ts';

/** Findings that say that nobody answered a request. */
const UNANSWERED = /unanswered-by-(?:client|agent)$/;
const NEVER = / was never answered$/;
/** Findings that show at the frame in which the client closed stdin. */
const LEAVES = /^the client close[sd] stdin /;

export class Checked implements Witness {
  readonly #checker: Checker;
  readonly #findings: Finding[] = [];
  readonly #asks = new Set<number>();

  constructor(session: AboutSession) {
    this.#checker = new Checker(session);
  }

  take(read: ReadFrame): void {
    this.#findings.push(...this.#checker.take(read));
    const { pairing, frame, events } = read;
    if (pairing?.role === 'asks' && events.some(({ kind }) => ASKING.has(kind))) this.#asks.add(frame.f);
  }

  end(): Book[] {
    this.#findings.push(...this.#checker.end());
    const book = new Book('check');
    const torn = this.#findings.some(({ rule }) => rule === 'io-gap' || rule === 'io-lost');
    book.say('process', 'process', { torn });
    for (const { rule, f, frames, message } of this.#findings) {
      if (LEAVES.test(message)) book.say('process', 'process', { clientEof: f });
      const asked = rule === 'io-early-eof' ? frames[0]! : f;
      const isUnanswered = rule === 'io-early-eof' || UNANSWERED.test(rule) || NEVER.test(message);
      if (isUnanswered && this.#asks.has(asked)) book.say('ask', asked, { unanswered: true });
    }
    return [book];
  }
}
