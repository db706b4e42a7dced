/** What `why` says: who owes whom an answer at the end, which calls run, and how the process fared. */

import { explain } from '../../../lib/analysis/why/explain.ts';
import { SessionWatch } from '../../../lib/analysis/why/session-watch.ts';
import type { ReadFrame } from '../../../lib/model/read-frame.ts';
import { Book, callKey } from './book.ts';
import { type AboutSession, Announced, ASKING, type Witness } from './source.ts';

export class Watched implements Witness {
  readonly #watch: SessionWatch;
  /** What could be open, so that what is not open is said to be closed. */
  readonly #asks = new Set<number>();
  readonly #prompts = new Set<number>();
  readonly #calls = new Set<string>();
  readonly #announced = new Announced();

  constructor(session: AboutSession) {
    this.#watch = new SessionWatch(session);
  }

  take(read: ReadFrame): void {
    this.#watch.take(read);
    this.#announced.take(read);
    const { frame, events, pairing } = read;
    for (const event of events) {
      if (event.flags?.includes('replayed')) continue;
      if (event.kind === 'tool-call' && !event.restates)
        this.#calls.add(callKey(this.#announced.item(frame.f), event.call));
      if (pairing?.role !== 'asks') continue;
      if (ASKING.has(event.kind) && event.kind !== 'hook') this.#asks.add(frame.f);
      if (event.kind === 'prompt' && frame.from === 'client') this.#prompts.add(frame.f);
    }
  }

  end(): Book[] {
    const book = new Book('why');
    const { process: fate, now } = this.#watch;
    const owed = new Map(
      explain('s', 0, this.#watch, { t: now.t, running: false, process: null, unfinished: [] }).map((one) => [
        one.f,
        one,
      ]),
    );
    for (const f of this.#asks) {
      const debt = owed.get(f);
      // Until the agent has ended nobody knows how long it will be.
      const isTimed = debt && fate.ending?.event === 'exit';
      book.say('ask', f, { open: debt !== undefined, ...(debt && { gone: goneOf(fate) }) });
      if (isTimed) book.say('ask', f, { wait: debt.waited });
    }
    for (const f of this.#prompts) book.say('prompt', f, { open: owed.has(f) });
    const running = new Set(this.#watch.running.map(({ f, id }) => callKey(this.#announced.item(f), id)));
    for (const call of this.#calls) book.say('call', call, { open: running.has(call) });
    const { ending, clientEof } = fate;
    book.say('process', 'process', {
      ...{ ending: ending?.event ?? null, code: ending?.code ?? null, signal: ending?.signal ?? null },
      clientEof: clientEof?.f ?? null,
    });
    return [book];
  }
}

/** Whatever ended it: nobody was there any more to answer, or to hear the answer. */
function goneOf({ clientEof, ending, signal }: SessionWatch['process']): string | null {
  if (clientEof && clientEof.f < (ending?.f ?? Number.POSITIVE_INFINITY)) return 'eof';
  if (!ending) return null;
  return ending.event === 'lost' || signal || ending.signal ? 'killed' : 'exited';
}
