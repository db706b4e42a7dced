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

/** What the list tells of a rule, besides its id; `dialects` where it has fewer than its group. */
export interface Head extends Pick<Finding, 'severity' | 'fault' | 'ref'> {
  /** One line for `check --list`. */
  title: string;
  /** It cannot be judged from what the agent wrote alone: an imported log without the client's side is not held to it. */
  needsClient?: true;
  dialects?: readonly string[];
}

type Tell = (title: string, ref: string, more?: Pick<Head, 'needsClient' | 'dialects'>) => Head;

const heads = (severity: Severity): Record<Fault, Tell> => {
  const of = (fault: Fault): Tell => {
    return (title, ref, more) => ({ severity, fault, title, ref, ...more });
  };
  return { client: of('client'), agent: of('agent'), unknown: of('unknown') };
};

/** How grave it is to break a rule, and whose doing: `error.agent('what is laid down', 'where')`. */
export const error = heads('error');
export const warning = heads('warning');
export const info = heads('info');

export interface Rule extends Omit<Head, 'dialects'> {
  /** `R7` of the Wire reference, else `rpc-…`, `acp-…`: never changed once given. */
  id: string;
  /** Of which dialects; null: of all. */
  dialects: readonly string[] | null;
  /** Most rules have said all when they have seen a frame: such a reader is a function. */
  open(session: CheckedSession): RuleReader | RuleReader['take'];
}
