/** What a query reads: facts about frames and sessions, whether from the index, a tape or a running session. */
import type { Facts } from '../facts/facts.ts';
import { FACT_LIST } from '../facts/table.ts';

export interface SessionFacts {
  readonly session: string;
  readonly dialect: string | null;
  readonly client: string | null;
  readonly agent: string | null;
  readonly protocol: string | null;
  readonly agent_version: string | null;
  readonly name: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly state: string;
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
  readonly source: string;
  readonly cwd: string;
}

/** A frame: its facts, and what is not in the table of facts. */
export interface FrameFacts extends Readonly<Facts> {
  readonly session: SessionFacts;
  /** Microseconds since the epoch. */
  readonly at: number;
  /** The line parsed as JSON; undefined if it is not JSON. Only paths call it, so it may parse on demand. */
  message(): unknown;
  /** Whether the decoded text contains this text, which is in lower case, or matches. */
  says(text: string | RegExp): boolean;
}

/** What a query reads besides the facts. */
type FrameContext = Omit<FrameFacts, keyof Facts>;

/** Reads the facts in place: copying them with four more keys would take a hundred times as long per frame. */
class FrameView implements FrameContext {
  readonly facts: Facts;
  readonly session: SessionFacts;
  readonly at: number;
  readonly message: FrameContext['message'];
  readonly says: FrameContext['says'];

  constructor(facts: Facts, at: number, { session, message, says }: Omit<FrameContext, 'at'>) {
    this.facts = facts;
    this.session = session;
    this.at = at;
    this.message = message;
    this.says = says;
  }
}

for (const [name] of FACT_LIST) {
  Object.defineProperty(FrameView.prototype, name, {
    get(this: FrameView) {
      return this.facts[name];
    },
  });
}

/** `startedAt`: the start of the session in microseconds. */
export function frameFacts(facts: Facts, startedAt: number, context: Omit<FrameContext, 'at'>): FrameFacts {
  return new FrameView(facts, atOf(startedAt, facts.t), context) as FrameContext as FrameFacts;
}

/** When a frame came, in microseconds since the epoch. */
export function atOf(startedAt: number, t: number): number {
  return startedAt + Math.round(t * 1e6);
}
