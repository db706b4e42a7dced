/**
 * The facts of a session's frames, one by one, and what each frame changes of those before it: an answer tells how long
 * its request was open, a result what an approval came to. Memory does not grow with the session.
 */
import { Audit } from '../audit/audit.ts';
import type { ApprovalRow } from '../audit/row.ts';
import { textOf } from '../core/message.ts';
import { Recent } from '../core/timeline/recent.ts';
import type { ReadFrame } from '../dialects/read.ts';
import { MARK, SLOW_SECONDS } from '../filter/facts.ts';
import { type Facts, factsOf, micros } from './facts.ts';

/** What is known now of an earlier frame. */
export interface Change
  extends Partial<Pick<Facts, 'pair_f' | 'latency' | 'wait' | 'approval' | 'by' | 'tool' | 'turn'>> {
  f: number;
  /** Marks that it has from now on, and those that it no longer has. */
  set?: number;
  clear?: number;
}

export interface Told {
  facts: Facts;
  /** Of earlier frames. */
  changes: Change[];
  /** Rows of the audit that are new, or not what they were. */
  rows: ApprovalRow[];
}

const REMEMBERED = 10_000;

export class FactReader {
  /** What it knows besides its rows: modes, and whether the client was heard. */
  readonly audit: Audit;
  readonly #tools = new Recent<string, string>(REMEMBERED);
  #before: number | null = null;
  /** In no turn yet, as far as it is known: a prompt, and what comes before it is taken up. */
  #outside: { f: number; isPrompt: boolean }[] = [];

  constructor(session: { command: readonly string[]; dialect: string }) {
    this.audit = new Audit(session);
  }

  take(read: ReadFrame): Told {
    const { frame, pairing } = read;
    const text = frame.form === 'event' ? null : textOf(frame.raw);
    const facts = factsOf(read, this.#before, text);
    this.#before = frame.t;
    this.#nameTool(facts);
    const changes = this.#takenUp(read);
    if (facts.turn === null && facts.subagent === null) this.#stayOutside(facts);
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
      // What it asks just now is open.
      else if (row.by !== 'nobody') apply(facts, verdict(row));
    }
    return { facts, changes, rows };
  }

  /** The agent takes up a prompt: it is in its turn, and so is what came since (rule T6). */
  #takenUp({ events, where }: ReadFrame): Change[] {
    const takes = events.find((event) => event.takes !== undefined)?.takes;
    // One on the command line crossed no pipe: its turn begins with what the agent says.
    if (!takes || where.turn === null) return [];
    const belongs = ({ f, isPrompt }: { f: number; isPrompt: boolean }) => f === takes || (f > takes && !isPrompt);
    const changes = this.#outside.filter(belongs).map(({ f }): Change => ({ f, turn: where.turn }));
    this.#outside = this.#outside.filter((one) => one.f > takes && !belongs(one));
    return changes;
  }

  #stayOutside({ f, kinds }: Facts): void {
    if (this.#outside.push({ f, isPrompt: kinds.includes('prompt') }) > REMEMBERED)
      this.#outside.splice(0, REMEMBERED / 2);
  }

  /** What only the end tells; of a running session, what would be so if it ended now. */
  end(): Pick<Told, 'changes' | 'rows'> {
    const rows = this.audit.end();
    return { rows, changes: rows.map(verdict) };
  }

  /** A result or an answer often names only the call. */
  #nameTool(facts: Facts): void {
    const { tool_call_id: call, tool } = facts;
    if (call === null) return;
    if (tool !== null) this.#tools.set(call, tool);
    else facts.tool = this.#tools.get(call) ?? null;
  }
}

export function apply(facts: Facts, { set = 0, clear = 0, ...values }: Change): void {
  Object.assign(facts, values);
  facts.marks = (facts.marks | set) & ~clear;
}

/** Only approvals, and what ran without one, were decided; waiting was for all of them. */
function verdict({ f, kind, decision, by, wait, tool }: ApprovalRow): Change {
  const waited = wait === null ? null : micros(wait);
  if (kind !== 'approval') return { f, wait: waited };
  // A line may announce several calls, and a request may name its call in its own words: it is this one.
  return { f, approval: decision, by, wait: waited, ...(tool !== null && { tool }) };
}

/** This frame answers or resolves what was settled before. */
function isLate(row: ApprovalRow, { frame, pairing, events }: ReadFrame): boolean {
  const answers = pairing?.exchange?.askedF === row.f && row.answer_f !== frame.f && frame.f > row.f;
  if (answers && row.flags.includes('late-answer')) return true;
  return row.flags.includes('late-resolved') && row.resolved_f === frame.f && events.length > 0;
}
