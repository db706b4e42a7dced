/**
 * The facts of each frame, and what each frame changes about earlier ones: an answer shows how long its request was
 * open, a result shows the outcome of an approval. Memory does not grow with the session.
 */

import { micros } from '../../model/interval.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { textIn } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Audit } from '../audit/audit.ts';
import type { ApprovalRow } from '../audit/row.ts';
import { type Facts, factsOf } from './facts.ts';
import { MARK, SLOW_SECONDS } from './marks.ts';
import { storable } from './storable.ts';

/** What a row of the audit says about the frame that asked, or that announced the call. */
type AuditedFact = 'wait' | 'approval' | 'by' | 'mode' | 'ran' | 'flag';

/** New facts about an earlier frame. */
export interface FactChange extends Partial<Pick<Facts, 'pair_f' | 'latency' | 'turn' | 'tool' | AuditedFact>> {
  f: number;
  /** Marks to set and to clear. */
  set?: number;
  clear?: number;
}

export interface FactsRead {
  facts: Facts;
  /** Changes to earlier frames. */
  changes: FactChange[];
  /** Rows of the audit that are new or changed. */
  rows: ApprovalRow[];
}

const MAX_TOOLS = 10_000;
/** How many frames with rows are remembered, because one line may announce several calls. */
const MAX_FRAMES_WITH_ROWS = 1000;

const NO_FLAGS: readonly string[] = [];

export class FactReader {
  readonly audit: Audit;
  readonly #tools = new LimitedMap<string, string>(MAX_TOOLS);
  /** The flags of each row, by frame. */
  readonly #flags = new LimitedMap<number, Map<number, readonly string[]>>(MAX_FRAMES_WITH_ROWS);
  #previousTime: number | null = null;

  constructor(session: { command: readonly string[]; dialect: string | null }) {
    this.audit = new Audit(session);
  }

  take(read: ReadFrame): FactsRead {
    const { frame, pairing } = read;
    const text = frame.form === 'event' ? null : textIn(frame);
    const facts = factsOf(read, this.#previousTime, text);
    this.#previousTime = frame.t;
    this.#nameTool(facts);
    const changes = adoptedFrames(read);
    const exchange = pairing?.role === 'answers' ? pairing.exchange : null;
    if (exchange && !exchange.isAnswer) {
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
      if (row.f !== frame.f) changes.push(this.#changeOf(row));
      // A request that was just made is open.
      else if (row.by !== 'nobody' && row.by !== 'unknown') applyChange(facts, this.#changeOf(row));
    }
    return { facts, changes, rows };
  }

  /** What only the end shows. For a running session, as if it ended now. */
  end(): Pick<FactsRead, 'changes' | 'rows'> {
    const rows = this.audit.end();
    return { rows, changes: rows.map((row) => this.#changeOf(row)) };
  }

  /** Only approvals and questions have a decision, but every request has a wait. */
  #changeOf(row: ApprovalRow): FactChange {
    const { kind, tool } = row;
    const isDecided = kind === 'approval' || kind === 'question';
    const change: FactChange = {
      f: row.f,
      wait: row.wait === null ? null : micros(row.wait),
      approval: isDecided ? row.decision : null,
      by: isDecided ? row.by : null,
      mode: storable(row.mode),
      ran: row.executed,
      flag: this.#flagsOf(row),
    };
    // A line may announce several calls, and a request may use another name for its tool. The row has the right one.
    if (kind === 'approval' && tool !== null) change.tool = tool;
    return change;
  }

  /** Those of all rows of the frame. The index stores them as words. */
  #flagsOf({ f, n, flags }: ApprovalRow): readonly string[] {
    let rows = this.#flags.get(f);
    if (rows === undefined) {
      // Few rows have flags.
      if (flags.length === 0) return NO_FLAGS;
      rows = new Map();
      this.#flags.set(f, rows);
    }
    rows.set(n, flags);
    const all = new Set([...rows.values()].flat().join(' ').split(' '));
    return [...all].filter((word) => word !== '').sort();
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
function adoptedFrames({ ledger, events }: ReadFrame): FactChange[] {
  const changes: FactChange[] = [];
  for (let n = 0; n < events.length; n++) {
    const { begun, adopted, joined, open } = ledger.notes[n]!;
    if (adopted.size > 0) for (const f of adopted) changes.push({ f, turn: begun!.turn.n });
    if (joined !== null) changes.push({ f: joined, turn: open!.turn.n });
  }
  return changes;
}

export function applyChange(facts: Facts, { set = 0, clear = 0, ...values }: FactChange): void {
  Object.assign(facts, values);
  facts.marks = (facts.marks | set) & ~clear;
}

/** Whether this frame answers or resolves a request that was already settled. */
function isLate(row: ApprovalRow, { frame, pairing, events }: ReadFrame): boolean {
  const answers = pairing?.exchange?.askedF === row.f && row.answer_f !== frame.f && frame.f > row.f;
  if (answers && row.flags.includes('late-answer')) return true;
  return row.flags.includes('late-resolved') && row.resolved_f === frame.f && events.length > 0;
}
