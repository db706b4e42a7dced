/** The words of approvals, the same since 0.46. */
import type { Decision, Option } from '../../core/event.ts';

const DECISIONS = new Map<unknown, Decision>([
  ['approve', 'allow'],
  ['approve_for_session', 'allow-always'],
  ['reject', 'deny'],
]);

/** Null for any other word. */
export const decisionOf = (word: unknown): Decision | null => DECISIONS.get(word) ?? null;

/** What a client can choose is not on the wire: it is always this. */
export const OPTIONS: Option[] = [...DECISIONS].map(([id, decision]) => ({ id: id as string, decision, label: null }));
