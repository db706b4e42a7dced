/**
 * The audit of a session: what the agent asked its client, what was decided and by whom, what ran, and what was never
 * asked. It takes frames in order, live or from a tape, and its memory does not grow with the session. Replayed history
 * is left out. The rules are A1-A11 and N1-N4 of the model.
 */

import { agreesToResume } from '../../dialects/common/conversation.ts';
import { traitsIn } from '../../dialects/index.ts';
import type { Traits } from '../../dialects/traits.ts';
import type { Event } from '../../model/event.ts';
import { isTooLargeToRead } from '../../model/json/too-large.ts';
import type { HookAnswerEvent } from '../../model/ledger/answer.ts';
import type { Ledger } from '../../model/ledger/ledger.ts';
import { makeAsk } from '../../model/ledger/make-ask.ts';
import type { Note } from '../../model/ledger/note.ts';
import type { Ask, AskEvent, Call } from '../../model/ledger/records.ts';
import { isObject, parseJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Bypass, type BypassPeriod, type ModeStanding } from './bypass.ts';
import { Denials } from './denials.ts';
import { Grants } from './grants.ts';
import { type AuditCase, isComplete, judgeCase, makeCase } from './judge.ts';
import type { ApprovalRow, RowDecision } from './row.ts';
import { isAskedAbout, UnaskedCalls } from './unasked.ts';

export interface AuditedSession {
  /** How the agent was started. */
  command: readonly string[];
  /** The name of the dialect, if known. */
  dialect: string | null;
}

const NO_STANDING: ModeStanding = { free: false, mode: null, modes: [] };

export class Audit {
  readonly #traits: Traits;
  readonly #bypass: Bypass;
  readonly #grants = new Grants();
  readonly #denials = new Denials();
  readonly #unasked: UnaskedCalls;
  readonly #cases = new WeakMap<Ask, AuditCase>();
  /** Calls that a hook in the agent's own configuration blocked. */
  readonly #blocked = new WeakMap<Call, AuditCase>();
  /** Rows of calls that were outside a turn so far. */
  readonly #outside = new WeakMap<Call, ApprovalRow>();
  /** Calls that were cut off, of which it is known that they ran. */
  readonly #ran = new WeakSet<Call>();
  /** Calls that the agent's own rules refused, as the answer to their prompt says. */
  readonly #refused = new WeakSet<Call>();
  /** The mode in force when a call was announced. */
  readonly #standings = new WeakMap<Call, ModeStanding>();
  /** Requests whose row is not complete. */
  readonly #open = new Set<AuditCase>();
  /** What is missing on the tape so far, as flags. */
  readonly #caveats = new Set<string>();
  #rows: ApprovalRow[] = [];
  /** The working directory that was named last; empty if there were several. */
  #cwd: string | null = null;
  /** The client has sent a line. */
  #hasClientLine = false;
  /** A recorder saw the process, so what is not on the tape was not sent. */
  #hasProcess = false;

  constructor({ command, dialect }: AuditedSession) {
    this.#traits = traitsIn({ dialect, command });
    this.#bypass = new Bypass(command, this.#traits);
    this.#unasked = new UnaskedCalls(this.#grants, command, this.#traits);
  }

  /** The periods in which no approval was needed. */
  get bypass(): readonly BypassPeriod[] {
    return this.#bypass.periods;
  }

  /** The mode of the session, if known. */
  get mode(): string | null {
    return this.#bypass.mode;
  }

  /** False if the client's side is not on the tape, as in an agent's own log: what was asked is unknown (rule A10). */
  get hasClientSide(): boolean {
    return this.#hasClientLine || this.#hasProcess || this.#traits.needsNoClient;
  }

  /** How many records are kept besides the ledger. */
  get retained(): number {
    return this.#open.size + this.#unasked.retained + this.#denials.retained;
  }

  /** Takes frames in order, after the ledger. Returns the rows that are new or changed. */
  take(read: ReadFrame): ApprovalRow[] {
    const { frame, value, events, ledger } = read;
    this.#hasClientLine = ledger.process.hasSentLine.client;
    this.#hasProcess = ledger.process.spawn !== null;
    if (agreesToResume(this.#traits.conversations, read.message, read.pairing)) this.#unasked.isResumed = true;
    if (frame.event === 'gap') this.#addCaveat('gap');
    else if (value === undefined && frame.from !== 'stderr' && isTooLargeToRead(events)) this.#addCaveat('too-large');
    for (let n = 0; n < events.length; n++) {
      const note = ledger.notes[n]!;
      if (note.agent) this.#takeEvent(read, events[n]!, note, n);
    }
    for (const call of ledger.calls.cut) this.#endCutCall(call);
    return this.#changedRows(ledger.asks);
  }

  /**
   * The rows of incomplete requests as if the session ended now. May be called at any time and repeatedly; later frames
   * change these rows like any other.
   */
  end(): ApprovalRow[] {
    const rows: ApprovalRow[] = [];
    for (const one of this.#open) {
      if (one.final) continue;
      one.final = true;
      rows.push(this.#finish(judgeCase(one, this.#traits, true)));
    }
    return rows;
  }

  /** From here on, rows without a decision may be wrong: the request or the answer may be missing on the tape. */
  #addCaveat(flag: string): void {
    this.#caveats.add(flag);
    for (const one of this.#open) one.final = false;
  }

  /** Adds what other rows and missing parts of the tape say about a row. */
  #finish(row: ApprovalRow): ApprovalRow {
    this.#denials.mark(row);
    row.cwd = this.#cwd;
    if (this.#caveats.size > 0 && UNCERTAIN_DECISIONS.has(row.decision))
      row.flags = [...new Set([...row.flags, ...this.#caveats])].sort();
    return row;
  }

  #caseOf(ask: Ask): AuditCase {
    const known = this.#cases.get(ask);
    if (known) return known;
    const created = makeCase(ask, false, this.#bypass.mode);
    this.#cases.set(ask, created);
    return created;
  }

  #changedRows({ changed, forgotten }: Ledger['asks']): ApprovalRow[] {
    if (changed.size === 0 && forgotten.length === 0 && this.#rows.length === 0) return NO_ROWS;
    const rows = this.#rows;
    this.#rows = [];
    for (const ask of forgotten) {
      const one = this.#caseOf(ask);
      if (this.#open.delete(one) && !one.final) rows.push(judgeCase(one, this.#traits, true));
    }
    for (const ask of changed) {
      // Whether a call ran depends on all of its requests.
      for (const beside of ask.call?.asks ?? []) this.#caseOf(beside).final = false;
      rows.push(this.#judge(this.#caseOf(ask)));
    }
    for (const row of rows) this.#finish(row);
    return rows;
  }

  #judge(one: AuditCase): ApprovalRow {
    const isDone = isComplete(one, this.#traits);
    if (isDone) this.#open.delete(one);
    else this.#open.add(one);
    one.final = false;
    return judgeCase(one, this.#traits, isDone);
  }

  #takeEvent(read: ReadFrame, event: Event, note: Note, n: number): void {
    const { frame } = read;
    if (note.begun) this.#moveToTurn(read.ledger.calls);
    switch (event.kind) {
      case 'prompt-answer':
        return this.#addDenied(event, read.ledger);
      case 'tool-call':
      case 'tool-args':
        return this.#updateCall(note, event);
      case 'progress':
        return this.#markRunning(note.call);
      case 'tool-result':
        return this.#addResult(event, note, frame.f);
      case 'approval':
        if (note.isNew) this.#addAsk(note.ask!, event);
        return;
      case 'approval-answer':
        return this.#addAnswer(note.ask, frame.f);
      case 'approval-resolved':
        return this.#addResolution(note.ask, frame.f);
      case 'hook-resolved':
        return this.#addHookDenial(read, event, note, n);
      case 'handshake':
        this.#learnFolder(event.about.cwd);
        return this.#bypass.take(read, event);
      default:
        return this.#bypass.take(read, event);
    }
  }

  #learnFolder(cwd: unknown): void {
    if (typeof cwd !== 'string' || cwd === '') return;
    this.#cwd = this.#cwd === null || this.#cwd === cwd ? cwd : '';
  }

  // Calls

  /** New arguments appear with the next change of a row, or at the end, because there may be many parts. */
  #updateCall({ call, isNew }: Note, { mode }: Event & { kind: 'tool-call' | 'tool-args' }): void {
    if (!call) return;
    // An agent may say only later in which mode a call goes ahead.
    if (isNew || mode !== undefined) this.#standings.set(call, this.#bypass.standingOf(call, mode));
    if (!isNew) for (const ask of call.asks) this.#caseOf(ask).final = false;
  }

  #addResult(event: Event & { kind: 'tool-result' }, { call }: Note, f: number): void {
    if (!call) return;
    const blocked = this.#blocked.get(call);
    if (blocked) this.#rows.push(this.#judge(blocked));
    this.#bypass.toolEnded(call.tool, event.ok, event.text ?? '');
    if (call.result!.f === f && !blocked) this.#addUnasked(call);
  }

  /**
   * The turn or the process is over before the call had its result. A call whose step went on without it never ran, unless
   * it was seen to run.
   */
  #endCutCall(call: Call): void {
    for (const ask of call.asks) this.#caseOf(ask).final = false;
    if (call.ran_f !== null) this.#ran.add(call);
    const mayRun = call.state === 'cut' || call.ran_f !== null;
    if (mayRun && isWhole(call)) this.#addUnasked(call);
  }

  /** A call shows that it runs after its turn was over: that it did was unknown until now. */
  #markRunning(call: Call | null): void {
    if (call?.state !== 'cut' || this.#ran.has(call)) return;
    this.#ran.add(call);
    this.#addUnasked(call);
  }

  #addUnasked(call: Call): void {
    if (isAskedAbout(call) || this.#refused.has(call) || this.#traits.clientCallsTools) return;
    const row = this.#unasked.addEnded(call, this.#standings.get(call) ?? NO_STANDING, this.hasClientSide);
    if (!row) return;
    this.#rows.push(row);
    if (!call.turn) this.#outside.set(call, row);
  }

  /** Unasked calls turn out to belong to a turn (rule T6). */
  #moveToTurn({ adopted }: Ledger['calls']): void {
    for (const call of adopted) {
      const row = this.#outside.get(call);
      if (row) this.#rows.push({ ...row, turn: call.turn!.n });
    }
  }

  /** The answer to a prompt lists the calls that the agent's own rules refused. */
  #addDenied({ denied = [] }: Event & { kind: 'prompt-answer' }, { calls }: Ledger): void {
    for (const id of denied) {
      const call = calls.latest(id);
      const row = call && this.#unasked.addDenied(call, this.#standings.get(call) ?? NO_STANDING);
      if (!row) continue;
      this.#refused.add(call);
      this.#rows.push(row);
    }
  }

  // Requests

  #addAsk(ask: Ask, { mode }: Event & { kind: 'approval' }): void {
    const { tool, call, action } = ask;
    if (mode !== undefined) this.#caseOf(ask).mode = mode;
    const name = tool ?? call?.tool ?? null;
    this.#grants.learn(name, action);
    this.#rows.push(...this.#unasked.addAskedTool(name));
  }

  #addAnswer(ask: Ask | null, f: number): void {
    if (ask?.decided?.f === f && ask.decided.decision === 'allow-always') this.#grants.add(ask, f);
  }

  #addResolution(ask: Ask | null, f: number): void {
    if (ask?.kind !== 'approval' || ask.resolved?.f !== f || ask.first) return;
    const { decision } = ask.resolved;
    if (decision === 'allow-always') this.#grants.add(ask, f);
    // A grant for the same action settled it too (rule A4).
    if (decision === 'allow' && ask.settled?.f === f)
      this.#caseOf(ask).grant = this.#grants.findByAction(ask.tool ?? ask.call?.tool ?? null, ask.action, f);
  }

  /** A hook that blocks without a request comes from the agent's own configuration. */
  #addHookDenial(read: ReadFrame, event: HookAnswerEvent, { ask, open }: Note, n: number): void {
    if (ask || event.decision !== 'deny') return;
    const { frame, message, ledger } = read;
    const { target } = event;
    const hookEvent: AskEvent = { kind: 'hook', request: null, event: event.event ?? '', target };
    const call = ledger.calls.latestOfTool(target);
    const own = makeAsk(hookEvent, n, frame, message.id, call);
    const { f, t } = frame;
    const resolved = { f, t, decision: event.decision, feedback: event.reason };
    Object.assign(own, { turn: open?.turn ?? null, resolved, settled: { f, t, how: 'resolved' } });
    const one = makeCase(own, true, this.#bypass.mode);
    if (call) this.#blocked.set(call, one);
    this.#rows.push(this.#judge(one));
  }
}

/** Its arguments are complete: the agent went on, or they are whole as they stand. None may be the beginning of some. */
function isWhole({ ready, args }: Call): boolean {
  if (ready !== null) return true;
  const callArgs = parseJson(args);
  return isObject(callArgs) && Object.keys(callArgs).length > 0;
}

const NO_ROWS: ApprovalRow[] = [];
const UNCERTAIN_DECISIONS: ReadonlySet<RowDecision> = new Set<RowDecision>(['none', 'unasked', 'unknown']);
