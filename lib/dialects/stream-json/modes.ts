/** The mode of a session, whoever changes it: the client by a request or an answer, or the agent, which reports it. */
import type { Event } from '../../model/event.ts';

export class StreamModes {
  /** Null until it is known. */
  current: string | null = null;

  /** It is in this mode now. Returns an event if that is a change. */
  changeTo(mode: string | null): Event[] {
    const before = this.current;
    if (mode === null || mode === before) return [];
    this.current = mode;
    return [{ kind: 'mode', mode, done: true }];
  }

  /** The agent introduces itself: its first mode is not a change. */
  begin(mode: string | null): Event[] {
    this.current ??= mode;
    return this.changeTo(mode);
  }
}
