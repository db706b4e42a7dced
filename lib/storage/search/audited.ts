/** The audit of many sessions, one at a time: which rows a query and a time select, and how sessions are linked. */
import { ChainGrants, chainsOf, type EarlierGrant, type Linked } from '../../analysis/audit/chain.ts';
import type { Audited, Link, Listed } from '../../analysis/audit/listed.ts';
import { maskedRow } from '../../analysis/audit/mask-row.ts';
import type { ApprovalRow } from '../../analysis/audit/row.ts';
import { grantsIn, sumOf, unknowns } from '../../analysis/audit/sum.ts';
import { microsOf } from '../../model/frame.ts';
import type { FrameSet } from '../index/frame-set.ts';
import type { Audits, SessionAudit } from './approvals.ts';
import type { Search } from './search.ts';
import type { Sound } from './sound.ts';
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

export interface Readers {
  sound: Sound;
  audits: Audits;
  search: Search | null;
  /** Called with the number of calls that ran unasked in each mode, for a session of which the query selects nothing. */
  leftOut(byMode: Record<string, number>): void;
}

type InChain = Linked & { target: Target };

/** With a query, only sessions with matching frames. */
export async function* readAudits(
  readers: Readers,
  targets: readonly Target[],
  want: Selection,
): AsyncGenerator<Audited> {
  if (!want.chain) {
    for (const target of targets) {
      const one = await readOne(readers, target, want, null);
      if (one) yield one;
    }
    return;
  }
  for (const chain of chainsOf(targets.map(linkOf))) {
    const grants = new ChainGrants();
    for (const [at, one] of chain.entries()) {
      const link = { conversations: one.conversations, at: at + 1, of: chain.length };
      const found = await readOne(readers, one.target, want, { ...link, linked: one, grants });
      if (found) yield found;
    }
  }
}

/** Adds the sessions of the store that share a conversation with the chosen ones. */
export function withLinked(chosen: readonly Target[], store: readonly Target[]): Target[] {
  const known = new Set(chosen.map(({ summary }) => summary.session));
  const all = [...chosen, ...store.filter(({ summary }) => !known.has(summary.session))].map(linkOf);
  return chainsOf(all)
    .filter((chain) => chain.some(({ session }) => known.has(session)))
    .flat()
    .map(({ target }) => target);
}

function linkOf(target: Target): InChain {
  const { session, conversations, started } = target.summary;
  return { session, conversations, startedAt: microsOf(started), target };
}

interface Place extends Link {
  linked: Linked;
  grants: ChainGrants;
}

async function readOne(
  readers: Readers,
  target: Target,
  want: Selection,
  place: Place | null,
): Promise<Audited | null> {
  const { audits, search } = readers;
  const [one, byMode] = await readers.sound.ask(target, (asked): [Audited | null, Record<string, number>] => {
    const matching = search?.numbers(asked) ?? null;
    // The grants of a session count for later ones, whether or not the query selects it.
    const isNeeded = matching?.size !== 0 || (place !== null && place.of > 1);
    const audit = isNeeded ? audits.of(asked) : null;
    const found = audit && audited(asked, audit, matching, want, place);
    const isLeftOut = search?.concerns(asked) && !found?.rows.length;
    return [matching?.size === 0 ? null : found, isLeftOut ? audits.byMode(asked) : {}];
  });
  readers.leftOut(byMode);
  return one;
}

/** `matching`: the frames that match the query. */
function audited(
  target: Target,
  audit: SessionAudit,
  matching: FrameSet | null,
  want: Selection,
  place: Place | null,
): Audited {
  const { session, started, cwd, client, agent, command, read } = target.summary;
  const { heard, bypass, unread } = audit;
  const startedAt = microsOf(started);
  const rows = want.mask ? audit.rows.map(maskedRow) : audit.rows;
  const caveats = unknowns({ ...target.summary, heard, bypass, unread }, rows);
  const earlier = place && explained(place, audit.rows);
  const shown = rows
    .map((row, at): Listed => {
      const listed = { session, startedAt, cwd, client, agent, command, caveats, row };
      return earlier ? { ...listed, earlier: earlier[at]! } : listed;
    })
    .filter(({ row }) => isWanted(row, startedAt, matching, want));
  const numbers = new Set(shown.map(({ row }) => row.f));
  const grants = grantsIn(rows).filter(({ f, covered }) => numbers.has(f) || covered.some((one) => numbers.has(one)));
  return {
    ...{ session, rows: shown, sum: sumOf(shown.map(({ row }) => row)), grants },
    bypass: matching || want.since !== null ? [] : bypass,
    unknowns: caveats,
    read,
    link: place && { conversations: place.conversations, at: place.at, of: place.of },
  };
}

function isWanted(row: ApprovalRow, startedAt: number, matching: FrameSet | null, { all, since }: Selection): boolean {
  if (row.kind !== 'approval' && !all) return false;
  return (matching?.has(row.f) ?? true) && (since === null || startedAt + row.t * 1e6 >= since);
}

/** The grant of an earlier session that may explain each row. */
function explained({ linked, grants }: Place, rows: readonly ApprovalRow[]): (EarlierGrant | null)[] {
  const found = rows.map((row) => grants.explaining(linked, row));
  grants.add(linked, rows);
  return found;
}
