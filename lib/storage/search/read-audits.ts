/** The audit of many sessions, one at a time: which rows a query and a time select, and how sessions are linked. */
import { type ChainedSession, ChainGrants, type EarlierGrant, groupIntoChains } from '../../analysis/audit/chain.ts';
import type { ConversationPosition, ListedApproval, ListedSession } from '../../analysis/audit/listed-approval.ts';
import { maskedRow } from '../../analysis/audit/mask-row.ts';
import type { ApprovalRow } from '../../analysis/audit/row.ts';
import { grantsIn, listUnknowns, sumOf } from '../../analysis/audit/sum.ts';
import { microsOf } from '../../model/frame.ts';
import type { FrameSet } from '../index/frame-set.ts';
import type { IndexFallback } from './index-fallback.ts';
import type { Search } from './search.ts';
import type { SessionAudit, SessionAudits } from './session-audits.ts';
import type { Target } from './targets.ts';

export interface Selection {
  /** Questions, hooks and calls that the client runs, too. */
  all: boolean;
  /** Only rows from this time on, in microseconds. */
  since: number | null;
  /** For a screen: without secrets. */
  mask: boolean;
  /** Link the sessions of a conversation. */
  chain: boolean;
}

export interface AuditReaders {
  fallback: IndexFallback;
  audits: SessionAudits;
  search: Search | null;
  /** Called with the number of calls that ran unasked in each mode, for a session of which the query selects nothing. */
  onLeftOut(byMode: Record<string, number>): void;
}

type InChain = ChainedSession & { target: Target };

/** With a query, only sessions with matching frames. */
export async function* readAudits(
  readers: AuditReaders,
  targets: readonly Target[],
  selection: Selection,
): AsyncGenerator<ListedSession> {
  if (!selection.chain) {
    for (const target of targets) {
      const one = await readOne(readers, target, selection, null);
      if (one) yield one;
    }
    return;
  }
  for (const chain of groupIntoChains(targets.map(linkOf))) {
    const grants = new ChainGrants();
    for (const [at, one] of chain.entries()) {
      const link = { conversations: one.conversations, at: at + 1, of: chain.length };
      const found = await readOne(readers, one.target, selection, { ...link, linked: one, grants });
      if (found) yield found;
    }
  }
}

/** Adds the sessions of the store that share a conversation with the chosen ones. */
export function withLinked(chosen: readonly Target[], store: readonly Target[]): Target[] {
  const known = new Set(chosen.map(({ summary }) => summary.session));
  const all = [...chosen, ...store.filter(({ summary }) => !known.has(summary.session))].map(linkOf);
  return groupIntoChains(all)
    .filter((chain) => chain.some(({ session }) => known.has(session)))
    .flat()
    .map(({ target }) => target);
}

function linkOf(target: Target): InChain {
  const { session, conversations, started } = target.summary;
  return { session, conversations, startedAt: microsOf(started), target };
}

interface ChainPosition extends ConversationPosition {
  linked: ChainedSession;
  grants: ChainGrants;
}

async function readOne(
  readers: AuditReaders,
  target: Target,
  selection: Selection,
  position: ChainPosition | null,
): Promise<ListedSession | null> {
  const { audits, search } = readers;
  const [one, byMode] = await readers.fallback.run(target, (asked): [ListedSession | null, Record<string, number>] => {
    const matching = search?.numbers(asked) ?? null;
    // The grants of a session count for later ones, whether or not the query selects it.
    const isNeeded = matching?.size !== 0 || (position !== null && position.of > 1);
    const audit = isNeeded ? audits.of(asked) : null;
    const found = audit && audited(asked, audit, matching, selection, position);
    const isLeftOut = search?.mayConcern(asked) && !found?.rows.length;
    return [matching?.size === 0 ? null : found, isLeftOut ? audits.byMode(asked) : {}];
  });
  readers.onLeftOut(byMode);
  return one;
}

/** `matching`: the frames that match the query. */
function audited(
  target: Target,
  audit: SessionAudit,
  matching: FrameSet | null,
  selection: Selection,
  position: ChainPosition | null,
): ListedSession {
  const { session, started, cwd, client, agent, command, read } = target.summary;
  const { heard, bypass, unread } = audit;
  const startedAt = microsOf(started);
  const rows = selection.mask ? audit.rows.map(maskedRow) : audit.rows;
  const caveats = listUnknowns({ ...target.summary, heard, bypass, unread }, rows);
  const earlier = position && earlierGrants(position, audit.rows);
  const shown = rows
    .map((row, at): ListedApproval => {
      const listed = { session, startedAt, cwd, client, agent, command, caveats, row };
      return earlier ? { ...listed, earlier: earlier[at]! } : listed;
    })
    .filter(({ row }) => isSelected(row, startedAt, matching, selection));
  const numbers = new Set(shown.map(({ row }) => row.f));
  const grants = grantsIn(rows).filter(({ f, covered }) => numbers.has(f) || covered.some((one) => numbers.has(one)));
  return {
    ...{ session, rows: shown, sum: sumOf(shown.map(({ row }) => row)), grants },
    bypass: matching || selection.since !== null ? [] : bypass,
    unknowns: caveats,
    read,
    link: position && { conversations: position.conversations, at: position.at, of: position.of },
  };
}

function isSelected(
  row: ApprovalRow,
  startedAt: number,
  matching: FrameSet | null,
  { all, since }: Selection,
): boolean {
  if (row.kind !== 'approval' && !all) return false;
  return (matching?.has(row.f) ?? true) && (since === null || startedAt + row.t * 1e6 >= since);
}

/** The grant of an earlier session that may explain each row. */
function earlierGrants({ linked, grants }: ChainPosition, rows: readonly ApprovalRow[]): (EarlierGrant | null)[] {
  const found = rows.map((row) => grants.findExplaining(linked, row));
  grants.add(linked, rows);
  return found;
}
