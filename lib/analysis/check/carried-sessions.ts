/**
 * Sessions whose messages are carried in the lines of another: each is checked as a session of its own, with the sides
 * exchanged. An unanswered request is reported for the line that carries it.
 */
import type { CarriedDialect } from '../../dialects/dialect.ts';
import type { Fault, Finding, Rule } from '../../dialects/rules/rule.ts';
import type { Frame } from '../../model/frame.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { BatchReader } from './batch-reader.ts';
import { messageRules } from './rules.ts';

const CHANNEL_RULE = /-unanswered-by-/;
const OTHER_FAULT: Readonly<Record<Fault, Fault>> = { client: 'agent', agent: 'client', unknown: 'unknown' };

/** At most this many of them are checked. */
const MAX_CARRIED_SESSIONS = 100;

/** Those of these rules that hold for a session of this dialect inside another. */
export function carriedRules({ dialect }: CarriedDialect, rules: readonly Rule[]): Rule[] {
  return messageRules(dialect, rules).filter(({ id }) => !CHANNEL_RULE.test(id));
}

interface CarriedSession {
  messages: BatchReader;
  check: (read: ReadFrame) => Finding[];
}

export class CarriedSessions {
  readonly #read: ReturnType<CarriedDialect['open']>;
  readonly #open: () => CarriedSession['check'];
  readonly #sessions = new Map<string, CarriedSession>();

  /** `open`: checks one session. */
  constructor(carried: CarriedDialect, open: () => CarriedSession['check']) {
    this.#read = carried.open();
    this.#open = open;
  }

  get isUsed(): boolean {
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
      fault: OTHER_FAULT[finding.fault],
      message: `${carried.label}: ${finding.message}`,
    }));
  }

  #session(name: string): CarriedSession | null {
    const known = this.#sessions.get(name);
    if (known || this.#sessions.size >= MAX_CARRIED_SESSIONS) return known ?? null;
    const session = { messages: new BatchReader(), check: this.#open() };
    this.#sessions.set(name, session);
    return session;
  }
}
