/** Who keeps whom waiting in a session that is followed, once nothing has happened for a moment. */

import { SessionWatch } from '../../analysis/why/session-watch.ts';
import { visible, wholeSeconds } from '../../model/text/text.ts';
import { GrowingPass } from '../../session/growing-pass.ts';
import { dialectIn } from '../../session/source.ts';
import { clockOf } from '../store/moment.ts';
import type { SessionPlace } from '../store/sessions.ts';
import type { FollowedFrame } from './follow.ts';

/** Silence that is worth mentioning, in seconds. */
const MIN_SILENCE_SECONDS = 2;

export class WaitingStatus {
  readonly #place: SessionPlace;
  #pass: GrowingPass<SessionWatch> | null = null;
  #started = '';
  #lastText = '';

  constructor(place: SessionPlace) {
    this.#place = place;
  }

  take({ metadata, frame }: FollowedFrame): void {
    this.#started = metadata.started_at;
    const source = { command: metadata.command, dialect: dialectIn(metadata) };
    this.#pass ??= new GrowingPass(source, (info) => new SessionWatch(info));
    this.#pass.take(frame);
    this.#lastText = '';
  }

  /** Null if there is nothing to say, or nothing new: it changes once a second. */
  text(): string | null {
    if (!this.#pass || this.#place.dir === null) return null;
    this.#pass.flush();
    const watch = this.#pass.observer;
    const now = clockOf({ running: true, started: this.#started }, watch.now.t);
    // While the agent waits for its client, its own open requests are the client's fault.
    const open = watch.open.find(({ asker }) => asker === 'agent') ?? watch.open[0];
    if (now - watch.now.t < MIN_SILENCE_SECONDS || !open || watch.process.ending) return null;
    const waitingFor = open.asker === 'agent' ? 'client' : 'agent';
    const text = visible(`waiting ${wholeSeconds(now - open.t)} for the ${waitingFor}: ${open.what} (f${open.f})`);
    if (text === this.#lastText) return null;
    this.#lastText = text;
    return text;
  }
}
