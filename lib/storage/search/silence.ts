/** Who keeps whom waiting in a session that is followed, once nothing has happened for a moment. */

import { Watch } from '../../analysis/why/watch.ts';
import { visible, wholeSeconds } from '../../model/text/text.ts';
import { GrowingPass } from '../../session/growing-pass.ts';
import { dialectIn } from '../../session/source.ts';
import { clockOf } from '../store/moment.ts';
import type { SessionPlace } from '../store/sessions.ts';
import type { Followed } from './follow.ts';

/** Silence that is worth mentioning, in seconds. */
const WORTH_SAYING = 2;

export class Silence {
  readonly #place: SessionPlace;
  #pass: GrowingPass<Watch> | null = null;
  #started = '';
  #said = '';

  constructor(place: SessionPlace) {
    this.#place = place;
  }

  take({ metadata, frame }: Followed): void {
    this.#started = metadata.started_at;
    const source = { command: metadata.command, dialect: dialectIn(metadata) };
    this.#pass ??= new GrowingPass(source, (info) => new Watch(info));
    this.#pass.take(frame);
    this.#said = '';
  }

  /** Null if there is nothing to say, or nothing new: it changes once a second. */
  words(): string | null {
    if (!this.#pass || this.#place.dir === null) return null;
    this.#pass.flush();
    const watch = this.#pass.observer;
    const now = clockOf({ running: true, started: this.#started }, watch.now.t);
    // What the agent owes while it waits for its client is the client's doing.
    const open = watch.open.find(({ asker }) => asker === 'agent') ?? watch.open[0];
    if (now - watch.now.t < WORTH_SAYING || !open || watch.process.ending) return null;
    const owes = open.asker === 'agent' ? 'client' : 'agent';
    const words = visible(`waiting ${wholeSeconds(now - open.t)} for the ${owes}: ${open.what} (f${open.f})`);
    if (words === this.#said) return null;
    this.#said = words;
    return words;
  }
}
