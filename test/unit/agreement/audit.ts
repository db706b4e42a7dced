/** What the audit says, from its rows as they are at the end. */
import { Audit } from '../../../lib/analysis/audit/audit.ts';
import type { ApprovalRow } from '../../../lib/analysis/audit/row.ts';
import { type Interval, mergeIntervals, totalLength } from '../../../lib/model/interval.ts';
import type { ReadFrame } from '../../../lib/model/read-frame.ts';
import { Book, callKey, turnKey } from './book.ts';
import { type AboutSession, Announced, ASKING, type Witness } from './source.ts';

export class Audited implements Witness {
  readonly #audit: Audit;
  readonly #rows = new Map<string, ApprovalRow>();
  readonly #announced = new Announced();
  /** Frames of the client that answer something; a cancel does not. */
  readonly #answers = new Set<number>();
  /** Frames that ask the client something. */
  readonly #asks = new Map<number, string>();

  constructor(session: AboutSession) {
    this.#audit = new Audit(session);
  }

  take(read: ReadFrame): void {
    this.#keep(this.#audit.take(read));
    this.#announced.take(read);
    const asking = read.events.find(({ kind }) => ASKING.has(kind));
    if (asking) this.#asks.set(read.frame.f, asking.kind);
    if (read.frame.from === 'client' && read.pairing?.exchange?.asker === 'agent') this.#answers.add(read.frame.f);
  }

  #keep(rows: readonly ApprovalRow[]): void {
    for (const row of rows) this.#rows.set(`${row.f} ${row.n}`, row);
  }

  end(): Book[] {
    this.#keep(this.#audit.end());
    const book = new Book('audit', ['ask']);
    // The approval of a plan is a question in the protocol, and everywhere else (rule A8).
    const asAsked = (row: ApprovalRow) =>
      this.#asks.get(row.f) === 'question' ? { ...row, kind: 'question' as const } : row;
    const rows = [...this.#rows.values()].map(asAsked).sort((a, b) => a.f - b.f || a.n - b.n);
    for (const row of rows) {
      if (isOwnHook(row)) continue;
      if (!this.#asks.has(row.f)) sayCall(book, row, this.#announced.item(row.f));
      else sayAsk(book, row, this.#answers.has(row.answer_f ?? 0));
    }
    for (const n of new Set(rows.map(({ turn }) => turn))) {
      // What was asked when its turn was over is not waited for in it.
      const asked = rows.filter(({ turn, flags }) => turn === n && !flags.includes('dead-turn'));
      if (n !== null) book.say('turn', turnKey(n), { wait: waitedIn(asked) });
    }
    const asked = rows.filter(({ f }) => this.#asks.has(f));
    book.say('session', 'session', { ...sumsOf(asked), wait: waitedIn(rows) });
    return [book];
  }
}

/** The agent's own configuration says no: nobody is asked. */
const isOwnHook = ({ kind, by, request_id }: ApprovalRow) => kind === 'hook' && by === 'agent' && request_id === null;

function sayCall(book: Book, row: ApprovalRow, f: number): void {
  const { tool_call_id, tool, turn, subagent, result_f } = row;
  book.say('call', callKey(f, tool_call_id), { tool, turn, subagent, result: result_f, ok: okOf(row) });
}

function sayAsk(book: Book, row: ApprovalRow, hasAnswer: boolean): void {
  const { f, kind, by, decision, flags } = row;
  const isCancel = by === 'client' && (decision === 'cancelled' || decision === 'dismissed') && !hasAnswer;
  const isAnswered = (by === 'client' && !isCancel) || by === 'client-error' || by === 'invalid';
  const gone = ['eof', 'killed', 'exited'].find((how) => flags.includes(how)) ?? null;
  book.say('ask', f, {
    ...{ kind, call: row.tool_call_id, tool: row.tool, turn: row.turn, wait: row.wait },
    ...{ answer: isAnswered ? row.answer_f : null, cancel: isCancel ? row.answer_f : null },
    ...(kind === 'approval' && { decision: known(decision), by, resolved: row.resolved_f, verdict: row.resolved }),
    ...(kind !== 'hook' && {
      open: (by === 'nobody' || by === 'unknown') && row.resolved_f === null && (row.result_f ?? 0) <= f,
    }),
    ...(by === 'nobody' && { gone }),
    // What the client runs itself has the client's own answer for its result.
    ...(kind !== 'client-call' && { result: row.result_f, ok: okOf(row) }),
    ...(kind === 'approval' && (row.result_f ?? 0) > f && ranOf(row)),
  });
}

const okOf = ({ result }: ApprovalRow) => (result === null ? null : result === 'ok');

const ranOf = ({ run, executed }: ApprovalRow) => ({
  ran: executed === 'yes' || executed === 'partly',
  ...(run !== null && { run }),
});

/** What the client decided, if the tape tells. */
export const known = (decision: string | null) => (decision === 'unknown' ? 'none' : decision);

function sumsOf(rows: readonly ApprovalRow[]): Record<string, number> {
  const approvals = rows.filter(({ kind }) => kind === 'approval');
  const count = (wanted: string) => approvals.filter(({ decision }) => known(decision) === wanted).length;
  return {
    approvals: approvals.length,
    ...{ allow: count('allow'), 'allow-always': count('allow-always'), deny: count('deny') },
    ...{ cancelled: count('cancelled'), none: count('none') },
  };
}

function waitedIn(rows: readonly ApprovalRow[]): number {
  const open = rows.flatMap(({ t, wait }): Interval[] => (wait === null ? [] : [[t, t + wait]]));
  return totalLength(mergeIntervals(open));
}
