/** Changed arguments: what a hook or an answer of the client made of those of a call, before the call ran. */
import { hasOtherFields } from '../../dialects/common/fields.ts';
import type { Ask, Call } from '../../model/ledger/records.ts';

/** As the last hook that changed them left them; null if none did. A hook may change them and leave the decision open. */
export function changedByHook({ asks }: Pick<Call, 'asks'>): unknown {
  const editedBy = ({ kind, decided, first }: Ask) => (kind === 'hook' ? (decided ?? first)?.edited : undefined);
  return asks.map(editedBy).findLast((edited) => edited !== undefined) ?? null;
}

/** As the answer to this request left them, or else hooks before a request that says nothing of them; null: unchanged. */
export function changedArguments({ decided, kind, call, arguments: requested }: Ask): unknown {
  if (kind === 'question') return null;
  const isSilent = kind === 'approval' && (requested ?? null) === null;
  return decided?.edited ?? (isSilent && call ? changedByHook(call) : null);
}

/** What ran, if it did: as it was changed, or else as it was announced, or asked about after that in the same words. */
export function executedArguments(ask: Ask, announced: unknown): unknown {
  const { f, kind, call, arguments: requested } = ask;
  // A question and the arguments of its call are not the same kind of thing.
  if (kind === 'question') return null;
  const isLater = call !== null && call.args_f < f && hasOtherFields(requested, announced, false);
  return changedArguments(ask) ?? (isLater ? requested : (announced ?? requested ?? null));
}
