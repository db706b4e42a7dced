/** Rows and totals of the audit together with their session, as listings show them. */
import type { ReadShare } from '../../session/understanding.ts';
import type { BypassPeriod } from './bypass.ts';
import type { EarlierGrant } from './chain.ts';
import type { ApprovalRow } from './row.ts';
import type { ApprovalSum, StandingGrant } from './sum.ts';

/** A row and its session. `startedAt` is in microseconds. */
export interface ListedApproval {
  session: string;
  startedAt: number;
  cwd: string;
  client: string | null;
  agent: string | null;
  /** How the agent was started. */
  command: readonly string[];
  /** What the tape of the session cannot show. */
  caveats: readonly string[];
  row: ApprovalRow;
  /** The grant of an earlier session that may explain the row; undefined if nobody looked for one. */
  earlier?: EarlierGrant | null;
}

/** The totals of a session. */
export interface SessionTotals {
  session: string;
  sum: ApprovalSum;
  grants: StandingGrant[];
  bypass: readonly BypassPeriod[];
  unknowns: string[];
  /** How much of what the agent said was understood: where it is not enough, the counts are only what was seen. */
  read: ReadShare | null;
}

/** The place of a session in its conversation. */
export interface ConversationPosition {
  conversations: readonly string[];
  /** Its place among the sessions of the conversation, from 1, and their number. */
  at: number;
  of: number;
}

export interface ListedSession extends SessionTotals {
  rows: ListedApproval[];
  /** Only if chains were asked for. */
  link: ConversationPosition | null;
}
