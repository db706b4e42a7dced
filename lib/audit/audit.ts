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
import { Calls } from './calls.ts';
import type { Call, Case } from './case.ts';
import { type Grant, Grants } from './grants.ts';
import { isComplete, judge } from './judge.ts';
import { Requests } from './requests.ts';
import type { ApprovalRow } from './row.ts';
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
  readonly #requests: Requests;
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
    this.#requests = new Requests({
      dialect,
      bypass: this.#bypass,
      grants: this.#grants,
      turns: this.#turns,
      calls: this.#calls,
      unasked: this.#unasked,
      asked: this.#asked,
      background: this.#background,
      tell: (rows) => this.#rows.push(...rows),
      isHeard: () => this.#clientHeard,
    });
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
    this.#asked.ends(frame, isKilled ? 'killed' : 'exited', event === 'lost');
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
        return call ? this.#learn(call, event, frame.f) : undefined;
      }
      case 'tool-result':
        return this.#toolResult(read, event);
      case 'approval':
      case 'question':
      case 'client-call':
      case 'hook':
        if (event.kind !== 'hook' || read.pairing) this.#requests.ask(read, event, n);
        return;
      case 'approval-answer':
      case 'question-answer':
      case 'client-call-answer':
      case 'hook-answer':
        return this.#requests.answer(read, event);
      case 'approval-resolved':
        return this.#requests.resolved(read, event);
      case 'hook-resolved':
        return this.#requests.hookResolved(read, event, n);
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
    const before = call.ran ?? -1;
    call.ran = f;
    for (const one of casesOf(call)) if (before <= (one.decided ?? one.asked).f) this.#changed.add(one);
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

  #toolCall(read: ReadFrame, event: Event & { kind: 'tool-call' }, n: number): void {
    const known = event.restates ? (this.#calls.pending(event.call, event) ?? this.#calls.latest(event.call)) : null;
    if (known) return known.result ? undefined : this.#learn(known, event, read.frame.f);
    if (event.restates) return;
    const standing = this.#bypass.standing(read, n, event.tool ?? null, event.action ?? null);
    const { call, early } = this.#calls.announce(event, standing);
    if (!early) return;
    call.asked?.flags.add('before-call');
    for (const one of casesOf(call)) this.#changed.add(one);
  }

  /** More of a call is told with the next change of what was asked about it, or at the end: parts may be many. */
  #learn(call: Call, event: Event & { kind: 'tool-call' | 'tool-args' }, f: number): void {
    this.#calls.learn(call, event, f);
    for (const one of casesOf(call)) one.final = false;
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
}
