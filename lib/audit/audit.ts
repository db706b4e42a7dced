/**
 * The audit of a session, frame by frame: what the agent asked its client, what was decided and by whom, what ran, and
 * what was never asked. One pass, live or from a tape; memory does not grow with the session. What is replayed is history
 * and no part of it. The rules are the model's: A1-A7, N1-N4.
 */
import type { Event } from '../core/event.ts';
import { Recent } from '../core/timeline/recent.ts';
import type { ReadFrame } from '../dialects/read.ts';
import { Asked, casesOf } from './asked.ts';
import { Bypass, type Bypassed } from './bypass.ts';
import { Calls, type Standing } from './calls.ts';
import type { Call, Case } from './case.ts';
import { type Grant, Grants } from './grants.ts';
import { isComplete, judge } from './judge.ts';
import { type Asking, readRequest } from './request.ts';
import type { ApprovalRow } from './row.ts';
import type { Answering, HookSaid } from './said.ts';
import { Turns } from './turns.ts';
import { Unasked } from './unasked.ts';

export interface AuditedSession {
  /** How the agent was started. */
  command: readonly string[];
  /** The dialect's name. */
  dialect: string;
}

export class Audit {
  readonly #dialect: string;
  readonly #bypass: Bypass;
  readonly #grants = new Grants();
  readonly #turns = new Turns();
  readonly #calls = new Calls();
  readonly #unasked: Unasked;
  readonly #asked: Asked;
  /** Prompts that are slash commands which switch a mode. */
  readonly #slashes = new Recent<number, true>(100);
  /** Agents that go on when the turn that started them is over. */
  readonly #background = new Recent<string, true>(10_000);
  /** What was asked, and is not complete. */
  readonly #open = new Set<Case>();
  readonly #changed = new Set<Case>();
  #rows: ApprovalRow[] = [];
  #clientHeard = false;
  #signalled = false;

  constructor({ command, dialect }: AuditedSession) {
    this.#dialect = dialect;
    this.#bypass = new Bypass(command, dialect);
    this.#unasked = new Unasked(this.#grants, command);
    this.#asked = new Asked(
      (one) => this.#changed.add(one),
      (one) => this.#forgets(one),
    );
  }

  /** Standing grants, each with how much it has decided. */
  get grants(): readonly Grant[] {
    return this.#grants.list;
  }

  /** When nobody had to be asked. */
  get bypass(): readonly Bypassed[] {
    return this.#bypass.periods;
  }

  /** The mode that the session is in, where it tells. */
  get mode(): string | null {
    return this.#bypass.mode;
  }

  /** False: what the client said is not on the tape, so nobody knows what was asked, or how it was answered. */
  get clientHeard(): boolean {
    return this.#clientHeard;
  }

  /** How many things are held. */
  get retained(): number {
    const held = this.#open.size + this.#background.size + this.#slashes.size;
    return held + this.#calls.retained + this.#asked.retained + this.#unasked.retained;
  }

  /** Takes frames in order; the rows that are new or have changed by this one. */
  take(read: ReadFrame): ApprovalRow[] {
    const { frame, events } = read;
    if (frame.from === 'client' && frame.form !== 'event') this.#clientHeard = true;
    for (let n = 0; n < events.length; n++) {
      const event = events[n]!;
      if (!event.flags?.includes('replayed')) this.#event(read, event, n);
    }
    if (frame.form === 'event') this.#happens(read);
    return this.#tell();
  }

  /**
   * Rows of what is not complete, as the end would have them: nobody answered, no result came. May be called at any time,
   * again and again; later frames change such a row like any other.
   */
  end(): ApprovalRow[] {
    const rows: ApprovalRow[] = [];
    for (const one of this.#open) {
      if (one.final) continue;
      one.final = true;
      rows.push(judge(one, this.#dialect, true));
    }
    return rows;
  }

  #tell(): ApprovalRow[] {
    if (this.#changed.size === 0 && this.#rows.length === 0) return [];
    const rows = this.#rows;
    for (const one of this.#changed) {
      const isDone = isComplete(one, this.#dialect);
      if (isDone) this.#open.delete(one);
      else this.#open.add(one);
      one.final = false;
      rows.push(judge(one, this.#dialect, isDone));
    }
    this.#changed.clear();
    this.#rows = [];
    return rows;
  }

  #forgets(one: Case): void {
    if (this.#open.delete(one) && !one.final) this.#rows.push(judge(one, this.#dialect, true));
    this.#changed.delete(one);
  }

  #happens({ frame }: ReadFrame): void {
    const { event, from, detail } = frame;
    if (event === 'signal') this.#signalled = true;
    if (event === 'eof' && from === 'client' && detail.by !== 'agent') this.#asked.ends(frame, 'eof');
    if (event !== 'exit' && event !== 'lost') return;
    const isKilled = event === 'lost' || this.#signalled || (detail.signal ?? null) !== null;
    this.#asked.ends(frame, isKilled ? 'killed' : 'exited');
    this.#turns.endAll();
  }

  #event(read: ReadFrame, event: Event, n: number): void {
    const { frame } = read;
    if (event.takes !== undefined) this.#takeUp(event.takes, event);
    this.#runs(event, frame.f);
    switch (event.kind) {
      case 'prompt':
        if (frame.from === 'client' && /^\s*\/(?:yolo|afk)\b/.test(event.text ?? '')) this.#slashes.set(frame.f, true);
        return;
      case 'prompt-answer':
        return this.#promptAnswer(read, event);
      case 'turn-end':
        if (event.ends !== undefined) this.#turns.endAll();
        return;
      case 'tool-call':
        return this.#toolCall(read, event, n);
      case 'tool-args': {
        const call = this.#calls.pending(event.call, event);
        if (call) this.#calls.learn(call, event, frame.f);
        return;
      }
      case 'tool-result':
        return this.#toolResult(read, event);
      case 'approval':
      case 'question':
      case 'client-call':
      case 'hook':
        if (event.kind !== 'hook' || read.pairing) this.#ask(read, event, n);
        return;
      case 'approval-answer':
      case 'question-answer':
      case 'client-call-answer':
      case 'hook-answer':
        return this.#answer(read, event);
      case 'approval-resolved':
        return this.#resolved(read, event);
      case 'hook-resolved':
        return this.#hookResolved(read, event, n);
      case 'cancel':
        return this.#cancel(read, event);
      case 'subagent':
        if (event.background) this.#background.set(event.parent ?? event.subagent ?? '', true);
        return;
      default:
        return this.#bypass.take(read, event);
    }
  }

  /** A call runs, if it tells of progress, or an agent that it started speaks. */
  #runs(event: Event, f: number): void {
    const id = event.kind === 'progress' ? event.call : event.parent;
    if (id === undefined || id === null) return;
    const call = this.#calls.latest(id);
    if (!call || call.result) return;
    const isFirst = call.asked !== null && (call.ran ?? -1) <= (call.asked.decided ?? call.asked.asked).f;
    call.ran = f;
    if (isFirst) this.#changed.add(call.asked!);
  }

  // Turns

  #takeUp(prompt: number, event: Event): void {
    const turn = this.#turns.takeUp(prompt, event);
    if (!turn) return;
    this.#asked.adopt(turn, prompt);
    this.#bypass.turnBegins(this.#slashes.has(prompt));
  }

  #promptAnswer({ frame }: ReadFrame, event: Event & { kind: 'prompt-answer' }): void {
    const turn = this.#turns.answered(event.prompt, frame);
    if (turn) this.#asked.turnAnswered(turn, frame);
    for (const id of event.denied ?? []) {
      const call = this.#calls.latest(id);
      const row = call && this.#unasked.denied(call);
      if (row) this.#rows.push(row);
    }
  }

  #cancel({ frame, pairing, where }: ReadFrame, event: Event & { kind: 'cancel' }): void {
    if (frame.from === 'agent') {
      const one = this.#asked.named(event.of);
      if (one) this.#asked.settle(one, frame, 'withdrawn');
      return;
    }
    if (pairing !== null && pairing.role !== 'asks') return;
    const turn = event.of === null ? this.#turns.numbered(where.turn) : null;
    const call = this.#calls.latest(event.of);
    if (turn) this.#asked.cancelled(turn.open, frame);
    else if (call) this.#asked.cancelled(casesOf(call), frame);
  }

  // Calls

  #standing({ frame, where }: ReadFrame, n: number, tool: string | null, action: string | null): Standing {
    const free = this.#bypass.frees(tool, action);
    return { f: frame.f, t: frame.t, n, turn: where.turn, free, modes: this.#bypass.flags };
  }

  #toolCall(read: ReadFrame, event: Event & { kind: 'tool-call' }, n: number): void {
    const known = event.restates ? (this.#calls.pending(event.call, event) ?? this.#calls.latest(event.call)) : null;
    if (known) return known.result ? undefined : this.#calls.learn(known, event, read.frame.f);
    if (event.restates) return;
    const standing = this.#standing(read, n, event.tool ?? null, event.action ?? null);
    const { call, early } = this.#calls.announce(event, standing);
    if (!early || !call.asked) return;
    call.asked.flags.add('before-call');
    this.#changed.add(call.asked);
  }

  #toolResult({ frame }: ReadFrame, event: Event & { kind: 'tool-result' }): void {
    const call = this.#calls.result(event, frame);
    if (!call) return;
    this.#asked.callEnded(call, frame);
    this.#bypass.ended(call.tool, event.ok, event.text ?? '');
    const isFirst = call.result!.f === frame.f;
    const row = call.asked || !isFirst || !this.#judgesUnasked ? null : this.#unasked.ended(call);
    if (row) this.#rows.push(row);
  }

  /** Agents' own logs of Wire do not hold what was asked; in MCP the client itself calls. */
  get #judgesUnasked(): boolean {
    if (this.#dialect === 'mcp') return false;
    return this.#clientHeard || !this.#dialect.startsWith('wire');
  }

  // What is asked

  #ask(read: ReadFrame, event: Asking, n: number): void {
    const { frame, where } = read;
    if (this.#asked.again(read, event)) return;
    const call = this.#held(read, event, n);
    const turn = this.#turns.numbered(call?.announced ? call.turn : where.turn);
    const row = readRequest(read, event, n, call);
    const one = this.#asked.ask(row, event.request, call, turn, frame.raw.length);
    if (event.flags?.includes('background') || this.#background.has(event.parent ?? event.subagent ?? '\0')) {
      one.flags.add('background');
    }
    one.outside = !this.#turns.isOpen && this.#dialect !== 'mcp';
    one.dead = turn?.over ?? false;
    if (event.kind !== 'approval') return;
    this.#grants.learn(row.tool, row.action);
    this.#rows.push(...this.#unasked.asked(row.tool));
  }

  /** The call that something asked is about (rules C2 and W3). */
  #held(read: ReadFrame, event: Asking, n: number): Call | null {
    if (event.kind === 'approval') {
      const { call: id, tool = null, action } = event;
      if (id === null) return null;
      return this.#calls.unasked(id) ?? this.#calls.expect(id, this.#standing(read, n, tool, action));
    }
    if (event.kind === 'hook') return event.call ? this.#calls.latest(event.call) : this.#calls.latestOf(event.target);
    const call = event.call === null ? this.#only(event) : this.#calls.pending(event.call, event);
    if (call && event.kind === 'client-call' && event.call !== null) call.clientRuns = true;
    return call;
  }

  /** Where there are no turns, it is for the only call that is open. Asking for roots is for none. */
  #only(event: Asking): Call | null {
    const isApart = this.#turns.count > 0 || (event.kind === 'client-call' && event.what === 'roots/list');
    return isApart ? null : this.#calls.single;
  }

  #answer(read: ReadFrame, event: Answering): void {
    const one = this.#asked.answer(read, event);
    if (one?.decided?.f === read.frame.f && one.decided.decision === 'allow-always') {
      this.#grant(one, read.frame.f, one.decided.option);
    }
  }

  #grant({ asked }: Case, answer_f: number, option: string | null): void {
    const { f, tool, action, options } = asked;
    const label = options.find(({ id }) => id === option)?.label ?? null;
    this.#grants.add({ f, answer_f, tool, action, scope: label ?? action ?? tool, covered: 0 });
  }

  #resolved({ frame }: ReadFrame, event: Event & { kind: 'approval-resolved' }): void {
    const one = this.#asked.named(event.request);
    if (one?.asked.kind !== 'approval') return;
    const { decision, feedback } = event;
    if (!one.resolved && !one.first && decision === 'allow-always') this.#grant(one, frame.f, null);
    const isSwept = !one.resolved && !one.first && decision === 'allow' && !one.settled;
    const grant = isSwept ? this.#grants.ofAction(one.asked.tool, one.asked.action, frame.f) : null;
    if (grant) {
      one.grant = grant;
      grant.covered++;
    }
    this.#asked.resolve(one, { f: frame.f, t: frame.t, decision, feedback });
  }

  /** A block without a request is the agent's own configuration. */
  #hookResolved(read: ReadFrame, event: HookSaid, n: number): void {
    const { frame } = read;
    const one = this.#asked.hook(event.event, event.target);
    const { decision, reason } = event;
    if (one) return this.#asked.resolve(one, { f: frame.f, t: frame.t, decision, feedback: reason });
    if (decision !== 'deny') return;
    const asking: Asking = { kind: 'hook', request: null, event: event.event ?? '', target: event.target };
    const call = this.#calls.latestOf(event.target);
    const row = readRequest(read, asking, n, call);
    const own = this.#asked.ask(row, null, call, this.#turns.numbered(read.where.turn), frame.raw.length);
    own.own = true;
    // Nobody was asked: there is nothing else to wait for.
    this.#asked.hook(event.event, event.target);
    this.#asked.resolve(own, { f: frame.f, t: frame.t, decision, feedback: reason });
  }
}
