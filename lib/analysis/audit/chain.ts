/**
 * Conversations that go on in several sessions. Agents name their conversations, on the command line or in their lines, and
 * sessions that name the same one belong together. A standing grant of an earlier session may explain a call that a later
 * one ran unasked; it is named only if each of the two sessions had this conversation and no other.
 */
import { Grants } from './grants.ts';
import type { ApprovalRow } from './row.ts';

export interface ChainedSession {
  session: string;
  /** The ids of its conversations. */
  conversations: readonly string[];
  /** Microseconds. */
  startedAt: number;
}

/** Groups of sessions that share a conversation, directly or through others. Both levels are in order of time. */
export function groupIntoChains<T extends ChainedSession>(sessions: readonly T[]): T[][] {
  const chains = new Map<string, T[]>();
  const alone: T[][] = [];
  for (const one of [...sessions].sort(byTime)) {
    const known = new Set(one.conversations.flatMap((id) => chains.get(id) ?? []));
    const chain = [...known, one].sort(byTime);
    if (one.conversations.length === 0) alone.push(chain);
    for (const id of new Set(chain.flatMap(({ conversations }) => conversations))) chains.set(id, chain);
  }
  return [...new Set([...chains.values(), ...alone])].sort(([a], [b]) => byTime(a!, b!));
}

const byTime = (a: ChainedSession, b: ChainedSession): number =>
  a.startedAt - b.startedAt || (a.session < b.session ? -1 : a.session > b.session ? 1 : 0);

/** A grant of another session: the frame of its request. */
export interface EarlierGrant {
  session: string;
  f: number;
  /** The conversation that both sessions name. */
  conversation: string;
}

/** The grants that were given in the sessions of one chain, to explain calls of later ones. */
export class ChainGrants {
  readonly #before: { linked: ChainedSession; rows: readonly ApprovalRow[] }[] = [];

  /** Sessions in order of time. */
  add(linked: ChainedSession, rows: readonly ApprovalRow[]): void {
    if (linked.conversations.length === 1 && rows.some(isGrant)) this.#before.push({ linked, rows });
  }

  /** The latest grant that covers a call which ran unasked, and which nothing in its own session explains. */
  findExplaining({ session, conversations, startedAt }: ChainedSession, row: ApprovalRow): EarlierGrant | null {
    const [conversation, ...others] = conversations;
    const isOpen = row.decision === 'unasked' && row.by === 'agent' && row.executed !== 'no';
    if (!isOpen || conversation === undefined || others.length > 0) return null;
    for (const { linked, rows } of this.#before.toReversed()) {
      if (linked.session === session || linked.conversations[0] !== conversation) continue;
      const by = (startedAt - linked.startedAt) / 1e6 + row.t;
      const grant = grantsGivenBy(rows, by).findCovering(row.tool, row.action, () => row.arguments);
      if (grant) return { session: linked.session, f: grant.f, conversation };
    }
    return null;
  }
}

const isGrant = ({ kind, decision, resolved }: ApprovalRow): boolean =>
  kind === 'approval' && (decision === 'allow-always' || resolved === 'allow-always');

/** The grants that were given by that time, in seconds of their session. */
function grantsGivenBy(rows: readonly ApprovalRow[], t: number): Grants {
  const grants = new Grants();
  for (const row of rows) {
    if (row.kind !== 'approval' || row.decision === 'unasked') continue;
    const { tool, action, f, wait, covers } = row;
    grants.learn(tool, action);
    if (isGrant(row) && row.t + (wait ?? 0) <= t)
      grants.add(
        { f, tool, action, call: null, arguments: row.arguments, decided: { covers } },
        row.answer_f ?? row.resolved_f ?? f,
      );
  }
  return grants;
}
