/**
 * The facts of each frame, and what each frame changes about earlier ones: an answer shows how long its request was
 * open, a result shows the outcome of an approval. Memory does not grow with the session.
 */
import { Audit } from '../audit/audit.ts';
import type { ApprovalRow } from '../audit/row.ts';
import { micros } from '../core/interval.ts';
import { textIn } from '../core/message.ts';
import { Recent } from '../core/recent.ts';
import type { ReadFrame } from '../session/read.ts';
import { type Facts, factsOf } from './facts.ts';
import { MARK, SLOW_SECONDS } from './marks.ts';

/** New facts about an earlier frame. */
export interface Change
  extends Partial<Pick<Facts, 'pair_f' | 'latency' | 'wait' | 'approval' | 'by' | 'tool' | 'turn'>> {
  f: number;
  /** Marks to set and to clear. */
  set?: number;
  clear?: number;
}

export interface Told {
  facts: Facts;
  /** Changes to earlier frames. */
  changes: Change[];
  /** Rows of the audit that are new or changed. */
  rows: ApprovalRow[];
}

const REMEMBERED = 10_000;

export class FactReader {
  readonly audit: Audit;
  readonly #tools = new Recent<string, string>(REMEMBERED);
  #before: number | null = null;

  constructor(session: { command: readonly string[]; dialect: string | null }) {
    this.audit = new Audit(session);
  }

  take(read: ReadFrame): Told {
    const { frame, pairing } = read;
    const text = frame.form === 'event' ? null : textIn(frame);
    const facts = factsOf(read, this.#before, text);
    this.#before = frame.t;
    this.#nameTool(facts);
    const changes = adopted(read);
    const exchange = pairing?.role === 'answers' ? pairing.exchange : null;
    if (exchange) {
      const { latency } = facts;
      const isSlow = latency !== null && latency >= SLOW_SECONDS;
      changes.push({
        f: exchange.askedF,
        pair_f: frame.f,
        latency,
        clear: MARK.pending,
        ...(isSlow && { set: MARK.slow }),
      });
    }
    const rows = this.audit.take(read);
    for (const row of rows) {
      if (isLate(row, read)) facts.marks |= MARK.late;
      if (row.f !== frame.f) changes.push(verdict(row));
      // A request that was just made is open.
      else if (row.by !== 'nobody') apply(facts, verdict(row));
    }
    return { facts, changes, rows };
  }

  /** What only the end shows. For a running session, as if it ended now. */
  end(): Pick<Told, 'changes' | 'rows'> {
    const rows = this.audit.end();
    return { rows, changes: rows.map(verdict) };
  }

  /** A result or an answer often has only the call id. */
  #nameTool(facts: Facts): void {
    const { tool_call_id: call, tool } = facts;
    if (call === null) return;
    if (tool !== null) this.#tools.set(call, tool);
    else facts.tool = this.#tools.get(call) ?? null;
  }
}

/** When a turn begins, its prompt and the frames since belong to it (rule T6). */
function adopted({ ledger, events }: ReadFrame): Change[] {
  const changes: Change[] = [];
  for (let n = 0; n < events.length; n++) {
    const { begun, adopted } = ledger.notes[n]!;
    for (const f of adopted) changes.push({ f, turn: begun!.turn.n });
  }
  return changes;
}

export function apply(facts: Facts, { set = 0, clear = 0, ...values }: Change): void {
  Object.assign(facts, values);
  facts.marks = (facts.marks | set) & ~clear;
}

/** Only approvals have a decision, but every request has a wait. */
function verdict({ f, kind, decision, by, wait, tool }: ApprovalRow): Change {
  const waited = wait === null ? null : micros(wait);
  if (kind !== 'approval') return { f, wait: waited };
  // A line may announce several calls, and a request may use another name for its tool. The row has the right one.
  return { f, approval: decision, by, wait: waited, ...(tool !== null && { tool }) };
}

/** Whether this frame answers or resolves a request that was already settled. */
function isLate(row: ApprovalRow, { frame, pairing, events }: ReadFrame): boolean {
  const answers = pairing?.exchange?.askedF === row.f && row.answer_f !== frame.f && frame.f > row.f;
  if (answers && row.flags.includes('late-answer')) return true;
  return row.flags.includes('late-resolved') && row.resolved_f === frame.f && events.length > 0;
}
