/** The sessions of a Copilot process: prompts that wait, the turn that runs, and the calls that started subagents. */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

interface CopilotSession {
  /** The frames of prompts that are not taken up yet. */
  waiting: number[];
  /** The frame of the prompt whose turn is open. */
  open: number | null;
  /** How the turn will have ended. */
  status: string;
  error: string | null;
}

/** Sessions and subagents beyond these are forgotten, the oldest first. */
const MAX_SESSIONS = 1000;

export class CopilotSessions {
  readonly #byId = new LimitedMap<string, CopilotSession>(MAX_SESSIONS);
  readonly #parents = new LimitedMap<string, string>(MAX_SESSIONS);

  #of(id: unknown): CopilotSession {
    const key = stringOf(id) ?? '';
    const known = this.#byId.get(key);
    if (known) return known;
    const session: CopilotSession = { waiting: [], open: null, status: 'finished', error: null };
    this.#byId.set(key, session);
    return session;
  }

  prompted(id: unknown, f: number): void {
    const { waiting } = this.#of(id);
    if (waiting.push(f) > MAX_SESSIONS) waiting.shift();
  }

  refused(f: number): void {
    for (const session of this.#byId.values()) session.waiting = session.waiting.filter((one) => one !== f);
  }

  /** The oldest prompt is taken up: by a new turn, or by the one that runs. */
  takeUp(event: Event, id: unknown): void {
    const session = this.#of(id);
    const f = session.waiting.shift();
    if (f === undefined) return;
    if (session.open !== null) {
      event.joins = f;
      event.within = session.open;
      return;
    }
    event.takes = f;
    Object.assign(session, { open: f, status: 'finished', error: null });
  }

  failed(id: unknown, text: string | null): void {
    Object.assign(this.#of(id), { status: 'error', error: text });
  }

  aborted(id: unknown): void {
    this.#of(id).status = 'cancelled';
  }

  /** A session that is idle has answered its prompt. */
  idle(id: unknown): Event[] {
    const session = this.#of(id);
    const { open, status, error } = session;
    if (open === null) return [{ kind: 'status', name: 'session.idle' }];
    session.open = null;
    return [withText({ kind: 'prompt-answer', prompt: open, status, code: null }, error)];
  }

  /** Marks the events of a subagent; the call that started it is named when it starts, and by what it does. */
  ofSubagent(events: Event[], agent: string, { toolCallId, parentToolCallId }: JsonObject): Event[] {
    const isStart = events[0]?.kind === 'subagent';
    const parent = stringOf(isStart ? toolCallId : parentToolCallId);
    if (parent !== null) this.#parents.set(agent, parent);
    const known = this.#parents.get(agent);
    for (const event of events) {
      event.subagent = agent;
      if (known !== undefined) event.parent = known;
    }
    return events;
  }
}
