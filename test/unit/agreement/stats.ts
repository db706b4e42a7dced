/** What `stats` counts in the tree, and how `ls` says that the recording ended. */

import type { ReadFrame } from '../../../lib/model/read-frame.ts';
import type { Timeline } from '../../../lib/model/timeline/entries.ts';
import { FrameMeter, statsOf } from '../../../lib/session/stats.ts';
import { SessionTally } from '../../../lib/session/tally.ts';
import { Book } from './book.ts';
import type { Witness } from './source.ts';

export class Counted implements Witness {
  readonly #meter = new FrameMeter();
  readonly #tally = new SessionTally();
  #isLost = false;

  take(read: ReadFrame): void {
    this.#meter.take(read);
    this.#tally.take(read);
    if (read.frame.event === 'lost') this.#isLost = true;
  }

  end(timeline: Timeline): Book[] {
    const book = new Book('stats');
    const { turns, tools, decisions, waited } = statsOf(timeline, this.#meter, 0);
    const calls = tools.reduce((sum, { calls }) => sum + calls, 0);
    book.say('session', 'session', { turns, tools: calls, ...decisions });
    // Of what is still open when the recording ends, it counts as much as was seen.
    if (!this.#isLost) book.say('session', 'session', { wait: waited });
    const summary = new Book('ls');
    const { ending, gaps } = this.#tally;
    const { code, signal } = ending?.event === 'exit' ? ending.detail : { code: null, signal: null };
    summary.say('process', 'process', {
      // That nothing is missing it does not say.
      ...{ ending: ending?.event ?? null, torn: gaps > 0 || this.#isLost || undefined },
      ...{ code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null },
    });
    return [book, summary];
  }
}
