/** Sums up the rows of a session: the counts, the standing grants, and what is unknown. */

import { traitsOf } from '../../dialects/index.ts';
import { AMBIGUOUS } from '../../model/ledger/records.ts';
import { describeMissing, type ReadShare } from '../../session/understanding.ts';
import type { BypassPeriod } from './bypass.ts';
import { RAN_AFTER_DENY } from './denials.ts';
import { describeCover, describeGrant } from './grants.ts';
import { type ApprovalRow, hasRun, type RowKind, wasRefusedUnasked } from './row.ts';
import { subjectOf } from './subject.ts';

/** What is known about a session besides its rows. */
export interface AuditedSessionInfo {
  source: 'record' | 'import' | 'replay';
  dialect: string | null;
  state: 'running' | 'ended' | 'killed' | 'incomplete';
  gaps: number;
  /** False if the tape has nothing from the client. */
  heard: boolean;
  bypass: readonly BypassPeriod[];
  /** How many lines were too large to read. */
  unread: number;
  /** How much of what the agent said was understood; null if nothing is on the tape yet. */
  read: ReadShare | null;
}

export interface ApprovalSum {
  /** Approvals. Other requests are counted by kind. */
  asked: number;
  allowed: number;
  denied: number;
  cancelled: number;
  /** What happened instead of a decision. `nobody`: it was never answered. */
  instead: Record<'client-error' | 'invalid' | 'grant' | 'agent' | 'nobody', number>;
  /** Unasked calls, except those that a mode allowed or a standing grant covers; and how many of them were refused. */
  unasked: number;
  refused: number;
  covered: number;
  /** How many of `unasked` ran, or may have, because a hook allowed them. */
  by_hook: number;
  /** How many of all these may not have run: the tape does not show it. */
  unsure: number;
  /** The same, by why nobody was asked. */
  unsure_by: { mode: Record<string, number>; grant: number; hook: number; agent: number };
  /** Approvals and unasked calls that ran in part: they were stopped. */
  partly: number;
  /** Calls that ran unasked because of a mode, by its name. */
  by_mode: Record<string, number>;
  /** Requests and calls whose decision is not on the tape. */
  unknown: number;
  /** What ran although the same had been denied before. */
  after_deny: number;
  others: Record<Exclude<RowKind, 'approval'>, number>;
  /** Questions. */
  answered: number;
  dismissed: number;
  /** Of the other questions: nobody answered, the turn was cancelled, or it is not on the tape. */
  questions: Record<'unanswered' | 'cancelled' | 'unknown', number>;
  /** Hooks without a valid answer that did not stop the call. */
  failed_open: number;
  longest: { wait: number; f: number } | null;
}

/** A standing grant and what it has decided since: open requests, and calls that were not asked about. */
export interface StandingGrant {
  f: number;
  answer_f: number | null;
  tool: string | null;
  /** The label of the chosen option, or else the action or the tool. */
  scope: string | null;
  /** The command or path that it was given for. */
  given_for: string | null;
  /** What it covers, in words. */
  covers: string;
  covered: number[];
  /** What ran under it: commands or paths. */
  ran: { f: number; what: string | null }[];
}

const SUM_COUNTS = [
  ...(['asked', 'allowed', 'denied', 'cancelled', 'unasked', 'refused', 'covered', 'unsure', 'unknown'] as const),
  ...(['after_deny', 'answered', 'dismissed', 'failed_open', 'by_hook', 'partly'] as const),
];

export function emptySum(): ApprovalSum {
  return {
    ...{ asked: 0, allowed: 0, denied: 0, cancelled: 0, unasked: 0, refused: 0, covered: 0, unsure: 0, unknown: 0 },
    ...{ by_hook: 0, partly: 0 },
    by_mode: emptyCounts(),
    unsure_by: { mode: emptyCounts(), grant: 0, hook: 0, agent: 0 },
    ...{ after_deny: 0, answered: 0, dismissed: 0, failed_open: 0, longest: null },
    instead: { 'client-error': 0, invalid: 0, grant: 0, agent: 0, nobody: 0 },
    others: { question: 0, 'client-call': 0, hook: 0 },
    questions: { unanswered: 0, cancelled: 0, unknown: 0 },
  };
}

/** The agent chooses the names: none may be one that objects have. */
const emptyCounts = () => Object.create(null) as Record<string, number>;

export function addRow(sum: ApprovalSum, row: ApprovalRow): void {
  const { kind, decision, by, wait, f } = row;
  if (wait !== null && wait > (sum.longest?.wait ?? -1)) sum.longest = { wait, f };
  if (kind !== 'approval') return addOther(sum, kind, row);
  if (row.flags.includes(RAN_AFTER_DENY)) sum.after_deny++;
  if (row.executed === 'partly') sum.partly++;
  if (decision === 'unasked') return addUnasked(sum, row);
  if (decision === 'unknown') {
    sum.unknown++;
    return;
  }
  sum.asked++;
  if (decision === 'allow' || decision === 'allow-always') sum.allowed++;
  else if (decision === 'deny') sum.denied++;
  else if (decision === 'cancelled') sum.cancelled++;
  else if (by in sum.instead) sum.instead[by as keyof ApprovalSum['instead']]++;
}

function addOther(sum: ApprovalSum, kind: keyof ApprovalSum['others'], { decision, by, executed }: ApprovalRow): void {
  sum.others[kind]++;
  if (kind === 'hook' && decision === 'none' && by !== 'client' && hasRun({ executed })) sum.failed_open++;
  if (decision === 'answered' || decision === 'dismissed') sum[decision]++;
  else if (kind === 'question') sum.questions[isOther(decision) ? decision : 'unanswered']++;
}

const isOther = (decision: string): decision is 'cancelled' | 'unknown' =>
  decision === 'cancelled' || decision === 'unknown';

export function sumOf(rows: Iterable<ApprovalRow>): ApprovalSum {
  const sum = emptySum();
  for (const row of rows) addRow(sum, row);
  return sum;
}

function addUnasked(sum: ApprovalSum, row: ApprovalRow): void {
  const { by, mode, executed } = row;
  const isUnsure = executed === 'unknown';
  if (isUnsure) sum.unsure++;
  if (by === 'mode') {
    addTo(sum.by_mode, mode ?? '', 1);
    if (isUnsure) addTo(sum.unsure_by.mode, mode ?? '', 1);
    return;
  }
  if (isUnsure) sum.unsure_by[by === 'grant' || by === 'hook' ? by : 'agent']++;
  if (by === 'grant') {
    sum.covered++;
    return;
  }
  sum.unasked++;
  if (wasRefusedUnasked(row)) sum.refused++;
  else if (by === 'hook') sum.by_hook++;
}

function addTo(counts: Record<string, number>, name: string, n: number): void {
  counts[name] = (counts[name] ?? 0) + n;
}

/** Adds the sum of another session. `longest.f` is then a frame of whichever session waited longest. */
export function addSum(to: ApprovalSum, more: ApprovalSum): void {
  for (const key of SUM_COUNTS) to[key] += more[key];
  for (const [mode, n] of Object.entries(more.by_mode)) addTo(to.by_mode, mode, n);
  for (const [mode, n] of Object.entries(more.unsure_by.mode)) addTo(to.unsure_by.mode, mode, n);
  for (const by of ['grant', 'hook', 'agent'] as const) to.unsure_by[by] += more.unsure_by[by];
  for (const by of Object.keys(to.instead) as (keyof ApprovalSum['instead'])[]) to.instead[by] += more.instead[by];
  for (const how of Object.keys(to.questions) as (keyof ApprovalSum['questions'])[])
    to.questions[how] += more.questions[how];
  for (const kind of Object.keys(to.others) as (keyof ApprovalSum['others'])[]) to.others[kind] += more.others[kind];
  if ((more.longest?.wait ?? -1) > (to.longest?.wait ?? -1)) to.longest = more.longest;
}

/** The grants in all rows of a session, in order. */
export function grantsIn(rows: readonly ApprovalRow[]): StandingGrant[] {
  const grants: StandingGrant[] = [];
  const known = new Map<number, StandingGrant>();
  for (const row of rows) {
    const { f, tool } = row;
    if (row.kind !== 'approval') continue;
    if (row.decision === 'allow-always' || row.resolved === 'allow-always') {
      const answer_f = row.answer_f ?? row.resolved_f;
      const scope = describeGrant(row);
      const grant = {
        f,
        answer_f,
        tool,
        scope,
        given_for: subjectOf(row),
        covers: describeCover(row),
        covered: [],
        ran: [],
      };
      grants.push(grant);
      known.set(f, grant);
    }
  }
  for (const row of rows) {
    const grant = row.grant_f === null ? undefined : known.get(row.grant_f);
    grant?.covered.push(row.f);
    if (hasRun(row)) grant?.ran.push({ f: row.f, what: subjectOf(row) });
  }
  return grants;
}

function describeTooLarge(unread: number): string {
  const lines = unread === 1 ? 'a line was' : `${unread} lines were`;
  return `${lines} too large to read (is:too-large): what was asked or run there is unknown`;
}

/** What is unknown in this audit, in words. */
export function listUnknowns(about: AuditedSessionInfo, rows: readonly ApprovalRow[]): string[] {
  const notes: string[] = [];
  const { dialect, gaps, state, heard, unread } = about;
  const { isGeneric, needsNoClient, hints } = traitsOf(dialect);
  if (gaps > 0) notes.push(`the tape has ${gaps === 1 ? 'a gap' : `${gaps} gaps`}: what was asked there is unknown`);
  if (unread > 0) notes.push(describeTooLarge(unread));
  const missing = describeMissing(about.read);
  if (missing !== null) notes.push(missing);
  if (dialect === null || isGeneric) {
    notes.push(`approvals are unknown in this dialect (${dialect ?? 'none'})`);
  } else if (!heard && about.source === 'import' && !needsNoClient) {
    notes.push('the tape has no lines from the client: its answers, and what it was never asked, are unknown');
    const isAsked = rows.some(({ request_id }) => request_id !== null);
    if (hints.noApprovalsInLog && !isAsked) notes.push(hints.noApprovalsInLog);
  }
  if (rows.some(({ flags }) => flags.includes('resumed'))) {
    notes.push('the session was resumed: an earlier grant may cover calls that were not asked about (see --chain)');
  }
  if (rows.some(({ flags }) => flags.includes(AMBIGUOUS)))
    notes.push('a request fits several calls and names none: which one it was about is unknown (flag:ambiguous)');
  if (state === 'running') notes.push('the session is still running: open requests may still be answered');
  if (state === 'killed') notes.push('the recorder was killed: what happened afterwards is unknown');
  if (state === 'incomplete' && gaps === 0) notes.push('the tape is incomplete: how the session ended is unknown');
  return notes;
}
