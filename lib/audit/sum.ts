/** What the rows of a session come to: how much was asked and decided, which grants stand, what cannot be known. */
import type { Bypassed } from './bypass.ts';
import type { ApprovalRow, By, RowKind } from './row.ts';

/** What is known of a session besides its rows. */
export interface AuditedAbout {
  source: 'record' | 'import' | 'replay';
  dialect: string | null;
  state: 'running' | 'ended' | 'killed' | 'incomplete';
  gaps: number;
  /** False: what its client said is not on the tape. */
  heard: boolean;
  bypass: readonly Bypassed[];
  /** Lines that were too large to be read. */
  unread: number;
}

export interface Sum {
  /** Approvals; what else was asked is counted by its kind. */
  asked: number;
  allowed: number;
  denied: number;
  cancelled: number;
  /** What took the place of a decision. `nobody`: it was never answered. */
  instead: Record<Exclude<By, 'client'>, number>;
  /** Calls that nobody was asked about, those that a standing grant covers apart. */
  unasked: number;
  covered: number;
  others: Record<Exclude<RowKind, 'approval'>, number>;
  /** Hooks that were not answered, or not well, and let it run all the same. */
  failed_open: number;
  longest: { wait: number; f: number } | null;
}

/** An answer that allows for good, and what it decided since: requests that were open, and calls never asked about. */
export interface StandingGrant {
  f: number;
  answer_f: number | null;
  tool: string | null;
  /** In the words of the option that was chosen, where it has any; else the action or the tool. */
  scope: string | null;
  covered: number[];
}

export function emptySum(): Sum {
  return {
    ...{ asked: 0, allowed: 0, denied: 0, cancelled: 0, unasked: 0, covered: 0, failed_open: 0, longest: null },
    instead: { 'client-error': 0, invalid: 0, grant: 0, agent: 0, nobody: 0 },
    others: { question: 0, 'client-call': 0, hook: 0 },
  };
}

export function addRow(sum: Sum, row: ApprovalRow): void {
  const { kind, decision, by, wait, f } = row;
  if (wait !== null && wait > (sum.longest?.wait ?? -1)) sum.longest = { wait, f };
  if (kind !== 'approval') {
    sum.others[kind]++;
    if (kind === 'hook' && decision === 'none' && row.executed === 'yes') sum.failed_open++;
    return;
  }
  if (decision === 'unasked') {
    if (by === 'grant') sum.covered++;
    else sum.unasked++;
    return;
  }
  sum.asked++;
  if (decision === 'allow' || decision === 'allow-always') sum.allowed++;
  else if (decision === 'deny') sum.denied++;
  else if (decision === 'cancelled') sum.cancelled++;
  else if (by !== 'client') sum.instead[by]++;
}

/** The frame that asked for the longest wait is of one session only. */
export function addSum(to: Sum, more: Sum): void {
  for (const key of ['asked', 'allowed', 'denied', 'cancelled', 'unasked', 'covered', 'failed_open'] as const) {
    to[key] += more[key];
  }
  for (const by of Object.keys(to.instead) as (keyof Sum['instead'])[]) to.instead[by] += more.instead[by];
  for (const kind of Object.keys(to.others) as (keyof Sum['others'])[]) to.others[kind] += more.others[kind];
  if ((more.longest?.wait ?? -1) > (to.longest?.wait ?? -1)) to.longest = more.longest;
}

/** Of all rows of a session, in order. A second grant of what is granted decides nothing. */
export function grantsIn(rows: readonly ApprovalRow[]): StandingGrant[] {
  const grants: StandingGrant[] = [];
  const known = new Map<number, StandingGrant>();
  for (const row of rows) {
    const { f, tool, action, options, option } = row;
    if (row.kind !== 'approval') continue;
    if (row.decision === 'allow-always' || row.resolved === 'allow-always') {
      const label = options.find(({ id }) => id === option)?.label ?? null;
      const answer_f = row.answer_f ?? row.resolved_f;
      const grant = { f, answer_f, tool, scope: action ?? label ?? tool, covered: [] };
      grants.push(grant);
      known.set(f, grant);
    }
  }
  for (const { f, grant_f } of rows) if (grant_f !== null) known.get(grant_f)?.covered.push(f);
  return grants;
}

const WITHOUT_APPROVALS = new Set(['jsonrpc', 'lines']);

/** What this audit cannot tell, in words. */
export function unknowns(about: AuditedAbout, rows: readonly ApprovalRow[]): string[] {
  const notes: string[] = [];
  const { dialect, gaps, state, heard, unread } = about;
  if (gaps > 0) notes.push(`${gaps === 1 ? 'a gap' : `${gaps} gaps`} in the tape: what was asked there is not known`);
  if (unread > 0) {
    const lines = unread === 1 ? 'a line was' : `${unread} lines were`;
    notes.push(`${lines} too large to be read (is:too-large): what was asked or run there is not known`);
  }
  if (dialect === null || WITHOUT_APPROVALS.has(dialect)) {
    notes.push(`what is asked in its dialect (${dialect ?? 'none'}) is not known`);
  } else if (!heard && about.source === 'import' && dialect !== 'kimi-print') {
    notes.push("nothing of the client's is on the tape: its answers cannot be told, nor what was never asked");
    if (dialect === 'wire' && rows.length === 0) {
      notes.push('kimi-cli 1.25 and later keeps no approvals in its own log: that none is here proves nothing');
    }
  }
  if (rows.some(({ flags }) => flags.includes('resumed'))) {
    notes.push('it was resumed: what was granted before may cover calls that nobody was asked about');
  }
  if (state === 'running') notes.push('it still runs: what is open may yet be answered');
  if (state === 'killed') notes.push('its recorder was killed: what came after is not known');
  if (state === 'incomplete' && gaps === 0) notes.push('the tape is not complete: how it ended is not known');
  return notes;
}
