/**
 * Sums of the audit by project, client, agent, tool or day, or by several of these. Only approvals count: questions, hooks
 * and calls that the client runs are not decisions about a call.
 */
import { isoMicros } from '../../model/frame.ts';
import { type ApprovalRow, type Decider, wasRefusedUnasked } from './row.ts';
import { toolOrKind } from './subject.ts';

export const GROUP_KEYS = ['project', 'client', 'agent', 'tool', 'day'] as const;
export type GroupKey = (typeof GROUP_KEYS)[number];

/** A session, as far as groups are concerned. */
export interface GroupedSession {
  cwd: string;
  client: string | null;
  agent: string | null;
  /** Microseconds. */
  startedAt: number;
}

const UNASKED_REASONS = ['mode', 'grant', 'hook', 'agent'] as const;

/** `allowed` includes `always`, the standing grants. `undecided`: asked, and neither allowed nor denied. */
export interface GroupSum {
  asked: number;
  allowed: number;
  always: number;
  denied: number;
  undecided: number;
  /** What ran, or may have, unasked: by what. */
  unasked: Record<(typeof UNASKED_REASONS)[number], number>;
  /** What the agent's own rules, or a hook, refused without asking. */
  refused: number;
  unknown: number;
}

export interface ApprovalGroup extends GroupSum {
  /** The values of the keys, in the order of the keys; null if not known. */
  values: (string | null)[];
}

export class ApprovalGroups {
  readonly keys: readonly GroupKey[];
  readonly #groups = new Map<string, ApprovalGroup>();

  constructor(keys: readonly GroupKey[]) {
    this.keys = keys;
  }

  add(session: GroupedSession, row: ApprovalRow): void {
    if (row.kind !== 'approval') return;
    const values = this.keys.map((key) => keyOf(key, session, row));
    const id = JSON.stringify(values);
    const group = this.#groups.get(id) ?? { values, ...emptyGroup() };
    this.#groups.set(id, group);
    countRow(group, row);
  }

  /** Sorted by their values; what is not known comes last. */
  get all(): ApprovalGroup[] {
    return [...this.#groups.values()].sort((a, b) => compareValues(a.values, b.values));
  }
}

/** The keys and the sums in one object. */
export function groupJson(keys: readonly GroupKey[], { values, ...sum }: ApprovalGroup): Record<string, unknown> {
  return { ...Object.fromEntries(keys.map((key, at) => [key, values[at]])), ...sum };
}

/** The same as the columns of a spreadsheet. */
export function groupHead(keys: readonly GroupKey[]): string[] {
  return [
    ...keys,
    ...['asked', 'allowed', 'always', 'denied', 'undecided'],
    ...UNASKED_REASONS.map((by) => `unasked_${by}`),
    ...['refused', 'unknown'],
  ];
}

export function groupCells(group: ApprovalGroup): (string | number | null)[] {
  const { values, asked, allowed, always, denied, undecided, unasked, refused, unknown } = group;
  const reasons = UNASKED_REASONS.map((by) => unasked[by]);
  return [...values, asked, allowed, always, denied, undecided, ...reasons, refused, unknown];
}

function emptyGroup(): GroupSum {
  const unasked = { mode: 0, grant: 0, hook: 0, agent: 0 };
  return { asked: 0, allowed: 0, always: 0, denied: 0, undecided: 0, unasked, refused: 0, unknown: 0 };
}

function countRow(sum: GroupSum, row: ApprovalRow): void {
  const { decision, by } = row;
  if (decision === 'unknown') sum.unknown++;
  else if (wasRefusedUnasked(row)) sum.refused++;
  else if (decision === 'unasked') sum.unasked[isReason(by) ? by : 'agent']++;
  else {
    sum.asked++;
    if (decision === 'allow' || decision === 'allow-always') sum.allowed++;
    else if (decision === 'deny') sum.denied++;
    else sum.undecided++;
    if (decision === 'allow-always') sum.always++;
  }
}

const isReason = (by: Decider): by is (typeof UNASKED_REASONS)[number] => UNASKED_REASONS.includes(by as never);

function keyOf(key: GroupKey, { cwd, client, agent, startedAt }: GroupedSession, row: ApprovalRow): string | null {
  if (key === 'project') return cwd === '' ? null : cwd;
  if (key === 'client') return client;
  if (key === 'agent') return agent;
  return key === 'tool' ? toolOrKind(row) : isoMicros(startedAt + row.t * 1e6).slice(0, 10);
}

function compareValues(a: (string | null)[], b: (string | null)[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at]!;
    if (one !== other) return one === null ? 1 : other === null ? -1 : one < other ? -1 : 1;
  }
  return 0;
}
