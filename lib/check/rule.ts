/**
 * A rule of conformance: what a dialect lays down that a tape can show. It reads a session frame by frame, as it was
 * understood, and tells what broke it. What a protocol allows is never told.
 */
import type { ReadFrame } from '../dialects/read.ts';

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
export type Broken = Pick<Finding, 'f' | 'message'> & Partial<Pick<Finding, 'frames' | 'severity' | 'fault'>>;

export interface RuleReader {
  take(read: ReadFrame): Broken[];
  /** When the session has ended: what never came. Not called while it runs. */
  end?(): Broken[];
}

export interface CheckedSession {
  command: readonly string[];
  dialect: string;
  /** record: both directions are there; of an import, perhaps only what the agent wrote. */
  source: string;
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
  open(session: CheckedSession): RuleReader;
}
