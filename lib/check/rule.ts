/**
 * A rule of conformance: what a dialect lays down that a tape can show. It reads a session frame by frame, as it was
 * understood, and tells what broke it. What a protocol allows is never told.
 */
import type { Ledger } from '../core/ledger/ledger.ts';
import type { ReadFrame } from '../session/read.ts';

export type Severity = 'error' | 'warning' | 'info';

/** Whose doing it is: the client's, the agent's, or it cannot be told. */
export type Fault = 'client' | 'agent' | 'unknown';

export interface Finding {
  rule: string;
  severity: Severity;
  fault: Fault;
  /** The frame at which it shows. */
  f: number;
  /** Others that belong to it. */
  frames: number[];
  /** One sentence, lower case, no full stop. What was recorded is quoted as it is: whoever shows it makes it harmless. */
  message: string;
  ref: string;
}

/** What a reader of a rule tells; the rest is the rule's own unless it says otherwise. */
export type Broken = Pick<Finding, 'f' | 'message'> & Partial<Pick<Finding, 'frames' | 'severity' | 'fault' | 'ref'>>;

export interface RuleReader {
  take(read: ReadFrame): Broken[];
  /** When the session has ended: what never came. Not called while it runs. */
  end?(ledger: Ledger): Broken[];
}

export interface SessionToCheck {
  command: readonly string[];
  dialect: string;
  /** record: both directions are there; of an import, perhaps only what the agent wrote. */
  source: string;
}

/** What several rules need to know of a session is gathered once: fed each frame before the rules are. */
export interface Watcher {
  take(read: ReadFrame): void;
}

export interface CheckedSession extends SessionToCheck {
  /** The one watcher of this class in this session. Only while a rule is opened. */
  share<W extends Watcher>(kind: new (session: CheckedSession) => W): W;
}

export interface Rule {
  /** `R7` of the Wire reference, else `rpc-…`, `acp-…`: never changed once given. */
  id: string;
  /** Of which dialects; null: of all. */
  dialects: readonly string[] | null;
  severity: Severity;
  fault: Fault;
  /** One line for `check --list`. */
  title: string;
  /** Where it is laid down. */
  ref: string;
  /** It cannot be judged from what the agent wrote alone: an imported log without the client's side is not held to it. */
  needsClient?: true;
  open(session: CheckedSession): RuleReader;
}
