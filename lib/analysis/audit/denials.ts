/**
 * Actions that ran although the same had been denied earlier in the session (rule A9): a call of the same tool with the same
 * command or path, whatever allowed it later. Blanks do not count.
 */
import { LimitedMap } from '../../model/limited-map.ts';
import { LEAVE_PLAN } from './question.ts';
import { type ApprovalRow, hasRun } from './row.ts';
import { subjectOf, toolName } from './subject.ts';

export const RAN_AFTER_DENY = 'ran-after-deny';

const MAX_DENIALS = 10_000;
/** How many characters of a command or path are compared, besides its length. */
const MAX_COMPARED_CHARS = 2000;

interface Denial {
  /** The frame of the request. */
  f: number;
  /** Where it was denied: by an answer, or by the agent without one. */
  denied_f: number;
}

export class Denials {
  /** The first of each action. */
  readonly #denied = new LimitedMap<string, Denial>(MAX_DENIALS);

  /** Takes every version of every row. Flags those whose action was denied before. */
  mark(row: ApprovalRow): void {
    if (row.kind !== 'approval' && row.kind !== 'hook') return;
    const isDenied = row.decision === 'deny';
    if (!isDenied && (!hasRun(row) || this.#denied.size === 0)) return;
    const action = actionOf(row);
    if (action === null) return;
    const before = this.#denied.get(action);
    if (isDenied) {
      if (!before) this.#denied.set(action, { f: row.f, denied_f: row.answer_f ?? row.resolved_f ?? row.f });
    } else if (before && row.kind === 'approval' && allowedFrame(row) > before.denied_f) {
      row.deny_f = before.f;
      row.flags = [...new Set([...row.flags, RAN_AFTER_DENY])].sort();
    }
  }

  get retained(): number {
    return this.#denied.size;
  }
}

/** When it was allowed, or else announced. */
const allowedFrame = ({ by, f, answer_f }: ApprovalRow): number => (by === 'client' ? (answer_f ?? f) : f);

function actionOf(row: ApprovalRow): string | null {
  const subject = row.tool === null || row.action === LEAVE_PLAN ? null : subjectOf(row);
  if (subject === null) return null;
  const text = subject.trim().replace(/\s+/g, ' ');
  // A title may differ from call to call.
  return `${toolName(row) ?? row.action} ${text.length} ${text.slice(0, MAX_COMPARED_CHARS)}`;
}
