/** The decisions of approvals, unchanged since 0.46. */
import type { Decision, Option } from '../../model/event.ts';

const DECISIONS = new Map<unknown, Decision>([
  ['approve', 'allow'],
  ['approve_for_session', 'allow-always'],
  ['reject', 'deny'],
]);

/** Null for any other word. */
export const decisionOf = (word: unknown): Decision | null => DECISIONS.get(word) ?? null;

/** Requests do not list the options, because they are always the same. */
export const OPTIONS: Option[] = [...DECISIONS].map(([id, decision]) => ({ id: id as string, decision, label: null }));
