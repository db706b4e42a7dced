/** What the agent asks its client, and what both say of it: bound to calls, turns and standing grants. */
import type { Event } from '../core/event.ts';
import type { Recent } from '../core/timeline/recent.ts';
import type { ReadFrame } from '../dialects/read.ts';
import type { Asked } from './asked.ts';
import type { Bypass } from './bypass.ts';
import type { Calls } from './calls.ts';
import type { Call, Case } from './case.ts';
import type { Grants } from './grants.ts';
import { type Asking, readRequest } from './request.ts';
import type { ApprovalRow } from './row.ts';
import type { Answering, HookSaid } from './said.ts';
import type { Turns } from './turns.ts';
import type { Unasked } from './unasked.ts';

/** What an audit is made of. */
export interface Parts {
  dialect: string;
  bypass: Bypass;
  grants: Grants;
  turns: Turns;
  calls: Calls;
  unasked: Unasked;
  asked: Asked;
  /** Agents that go on when the turn that started them is over. */
  background: Recent<string, true>;
  tell: (rows: ApprovalRow[]) => void;
  /** Anything of the client's is on the tape. */
  isHeard: () => boolean;
}

export class Requests {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  ask(read: ReadFrame, event: Asking, n: number): void {
    const { frame, where } = read;
    const { asked, turns, grants, unasked, background, dialect, tell } = this.#parts;
    if (asked.again(read, event)) return;
    const call = this.#held(read, event, n);
    const turn = turns.numbered(call?.announced ? call.turn : where.turn);
    const row = readRequest(read, event, n, call);
    const one = asked.ask(row, event.request, call, turn, frame.raw.length);
    if (event.flags?.includes('background') || background.has(event.parent ?? event.subagent ?? '\0')) {
      one.flags.add('background');
    }
    // A log of the agent's own: how the client answered is not there.
    if (!this.#parts.isHeard()) one.flags.add('unheard');
    one.outside = !turns.isOpen && dialect !== 'mcp';
    one.dead = turn?.over ?? false;
    if (event.kind !== 'approval') return;
    grants.learn(row.tool, row.action);
    tell(unasked.asked(row.tool));
  }

  /** The call that something asked is about (rules C2 and W3). */
  #held(read: ReadFrame, event: Asking, n: number): Call | null {
    const { calls, bypass } = this.#parts;
    if (event.kind === 'approval') {
      const { call: id, tool = null, action } = event;
      if (id === null) return null;
      return calls.unasked(id) ?? calls.expect(id, bypass.standing(read, n, tool, action));
    }
    if (event.kind === 'hook') return event.call ? calls.latest(event.call) : calls.latestOf(event.target);
    const call = event.call === null ? this.#only(event) : calls.pending(event.call, event);
    if (call && event.kind === 'client-call' && event.call !== null) call.clientRuns = true;
    return call;
  }

  /** Where there are no turns, it is for the only call that is open. Asking for roots is for none. */
  #only(event: Asking): Call | null {
    const isApart = this.#parts.turns.count > 0 || (event.kind === 'client-call' && event.what === 'roots/list');
    return isApart ? null : this.#parts.calls.single;
  }

  answer(read: ReadFrame, event: Answering): void {
    const one = this.#parts.asked.answer(read, event);
    if (one?.decided?.f === read.frame.f && one.decided.decision === 'allow-always') {
      this.#grant(one, read.frame.f, one.decided.option);
    }
  }

  #grant({ asked }: Case, answer_f: number, option: string | null): void {
    const { f, tool, action, options } = asked;
    const label = options.find(({ id }) => id === option)?.label ?? null;
    this.#parts.grants.add({ f, answer_f, tool, action, scope: label ?? action ?? tool, covered: 0 });
  }

  resolved({ frame }: ReadFrame, event: Event & { kind: 'approval-resolved' }): void {
    const one = this.#parts.asked.named(event.request);
    if (one?.asked.kind !== 'approval') return;
    const { decision, feedback } = event;
    if (!one.resolved && !one.first && decision === 'allow-always') this.#grant(one, frame.f, null);
    const isSwept = !one.resolved && !one.first && decision === 'allow' && !one.settled;
    const grant = isSwept ? this.#parts.grants.ofAction(one.asked.tool, one.asked.action, frame.f) : null;
    if (grant) {
      one.grant = grant;
      grant.covered++;
    }
    this.#parts.asked.resolve(one, { f: frame.f, t: frame.t, decision, feedback });
  }

  /** A block without a request is the agent's own configuration. */
  hookResolved(read: ReadFrame, event: HookSaid, n: number): void {
    const { frame } = read;
    const one = this.#parts.asked.hook(event.event, event.target);
    const { decision, reason } = event;
    if (one) return this.#parts.asked.resolve(one, { f: frame.f, t: frame.t, decision, feedback: reason });
    if (decision !== 'deny') return;
    const asking: Asking = { kind: 'hook', request: null, event: event.event ?? '', target: event.target };
    const call = this.#parts.calls.latestOf(event.target);
    const row = readRequest(read, asking, n, call);
    const own = this.#parts.asked.ask(row, null, call, this.#parts.turns.numbered(read.where.turn), frame.raw.length);
    own.own = true;
    // Nobody was asked: there is nothing else to wait for.
    this.#parts.asked.hook(event.event, event.target);
    this.#parts.asked.resolve(own, { f: frame.f, t: frame.t, decision, feedback: reason });
  }
}
