/**
 * Sessions whose messages are carried in the lines of another: each is checked as a session of its own, with the sides
 * exchanged. An unanswered request is reported for the line that carries it.
 */
import type { Carried } from '../../dialects/dialect.ts';
import type { Fault, Finding, Rule } from '../../dialects/rules/rule.ts';
import type { Frame } from '../../model/frame.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Messages } from './messages.ts';
import { ofMessages } from './rules.ts';

const OF_CHANNEL = /-unanswered-by-/;
const OTHER: Readonly<Record<Fault, Fault>> = { client: 'agent', agent: 'client', unknown: 'unknown' };

/** At most this many of them are checked. */
const SESSIONS = 100;

/** Those of these rules that hold for a session of this dialect inside another. */
export function carriedRules({ dialect }: Carried, rules: readonly Rule[]): Rule[] {
  return ofMessages(dialect, rules).filter(({ id }) => !OF_CHANNEL.test(id));
}

interface Session {
  messages: Messages;
  check: (read: ReadFrame) => Finding[];
}

export class CarriedSessions {
  readonly #read: ReturnType<Carried['open']>;
  readonly #open: () => Session['check'];
  readonly #sessions = new Map<string, Session>();

  /** `open`: checks one session. */
  constructor(carried: Carried, open: () => Session['check']) {
    this.#read = carried.open();
    this.#open = open;
  }

  get areThere(): boolean {
    return this.#sessions.size > 0;
  }

  take(read: ReadFrame): Finding[] {
    const carried = this.#read(read);
    const session = carried && this.#session(carried.session);
    if (!session) return [];
    const from = read.frame.from === 'client' ? 'agent' : 'client';
    // A frame of a tape has its bytes behind a getter, which a copy would lose.
    const frame: Frame = { ...read.frame, raw: read.frame.raw, from };
    const inside = session.messages.part({ ...read, frame }, carried.message);
    return session.check(inside).map((finding) => ({
      ...finding,
      fault: OTHER[finding.fault],
      message: `${carried.label}: ${finding.message}`,
    }));
  }

  #session(name: string): Session | null {
    const known = this.#sessions.get(name);
    if (known || this.#sessions.size >= SESSIONS) return known ?? null;
    const session = { messages: new Messages(), check: this.#open() };
    this.#sessions.set(name, session);
    return session;
  }
}
