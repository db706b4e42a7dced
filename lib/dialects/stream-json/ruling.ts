/** Who decided on a call, as Claude says in the `tool_result_meta` of its result (rule A11). */
import type { Ruling } from '../../model/event.ts';
import { listOf, objectOf, stringOf } from '../common/fields.ts';

/** `meta`: of all results of the line. */
export function rulingOf(call: string | null, meta: unknown): Ruling | null {
  const about = listOf(meta)
    .map(objectOf)
    .find(({ id }) => id === call);
  if (!about) return null;
  const { decision, source, reason_type } = objectOf(about.permission_decision);
  const verdict = decision === 'accept' ? 'allow' : decision === 'reject' ? 'deny' : null;
  if (verdict === null) return notExecuted(about.non_execution_kind);
  return { decision: verdict, by: deciderOf(stringOf(source), stringOf(reason_type)) };
}

/**
 * Claude names why a call was not executed, which does not say who decided: a call that the client stopped while it ran
 * is `user-rejected` too.
 */
export function notExecuted(kind: unknown): Ruling | null {
  return typeof kind === 'string' ? { decision: 'deny', by: null } : null;
}

function deciderOf(source: string | null, reason: string | null): Ruling['by'] {
  if (source?.startsWith('user')) return 'client';
  if (source === 'hook' || reason === 'hook') return 'hook';
  if (reason === 'mode') return 'mode';
  return source === 'config' ? 'agent' : null;
}
