/**
 * What follows when the live client departs from the tape: the branch of a tape on which the same request was answered
 * that way, or else the end of the turn as the protocol requires it, which is made up.
 */

import type { Json } from '../dialects/dialect.ts';
import type { MadeUpEnd, Replay } from '../dialects/traits.ts';
import { idOfJson } from '../model/id.ts';
import { isObject } from '../model/message.ts';
import type { Decoded } from '../model/read-frame.ts';
import type { Session } from '../session/session.ts';
import { type Branch, findBranch } from './branch.ts';
import { compareLines } from './compare.ts';
import type { Ids } from './ids.ts';
import type { LiveTurn } from './live-turns.ts';
import type { Tree } from './places.ts';
import type { Departure } from './report.ts';
import type { Hear, LineRole, Say } from './steps.ts';

/** What the recorded client did: its line, or the request that it did not answer. */
export interface Recorded {
  f: number;
  said: string;
}

export interface OtherAnswer {
  recorded: Recorded;
  /** The recorded request. */
  ask: Say;
  /** The request as the live client got it, and the live answer. */
  asked: Json | null;
  answer: Decoded;
  /** The live prompt, or the live request that the agent's request follows from. */
  prompt: Json | null;
  turn: LiveTurn | null;
  ids: Ids;
  /** The latest line that the live client got. */
  last: Json | null;
}

export interface Found {
  departure: Departure;
  /** Lines that are made up. */
  lines: Json[];
  branch: { steps: (Hear | Say)[]; ids: Ids } | null;
}

export class Departures {
  readonly #sessions: readonly Session[];
  readonly #tree: Tree;
  readonly #replay: Replay;

  /** `sessions`: where branches may be. */
  constructor(sessions: readonly Session[], tree: Tree, replay: Replay) {
    this.#sessions = sessions;
    this.#tree = tree;
    this.#replay = replay;
  }

  /** Null: the protocol defines no such end, so the tape goes on. */
  answered(other: OtherAnswer, newIds: () => Ids): Found | null {
    const { recorded, ask, answer } = other;
    const { f } = recorded;
    const [event] = answer.events;
    const what = `f${f}: ${recorded.said} on the tape, ${decisionText(answer)} now`;
    const branch = event ? findBranch(this.#sessions, ask, event) : null;
    if (branch) {
      const at = { session: branch.session.metadata.session, f: branch.f };
      return {
        departure: { f, what, next: 'branch', branch: at },
        lines: [],
        branch: this.#take(branch, other, newIds()),
      };
    }
    if (!this.#replay.endTurn) return null;
    const how = event?.kind === 'approval-answer' ? howOf(event.decision) : 'otherwise';
    const lines = this.#replay.endTurn(this.#end(how, other));
    return { departure: { f, what, next: 'made-up', branch: null }, lines, branch: null };
  }

  /** The lines that end a turn that the client cancelled. `cancel`: the live line. */
  cancelled(turn: LiveTurn | null, cancel: Json, ids: Ids, last: Json | null): Json[] {
    const end = { answer: null, turn, prompt: turn?.line ?? null, asked: null, ids, last };
    return this.#replay.endTurn?.({ ...this.#end('cancelled', end), answer: cancel }) ?? [];
  }

  #end(
    how: MadeUpEnd['how'],
    other: Omit<OtherAnswer, 'recorded' | 'ask' | 'answer'> & { answer: Decoded | null },
  ): MadeUpEnd {
    const { asked, answer, prompt, turn, ids, last } = other;
    const given = answer?.value;
    const calls = [...(turn?.calls ?? [])].map((id) => liveId(ids, id));
    return { how, prompt, ask: asked, answer: isObject(given) ? given : null, calls, last };
  }

  /** The rest of that turn, instead of the rest of this one. */
  #take({ ask, prompt, steps }: Branch, other: OtherAnswer, ids: Ids): NonNullable<Found['branch']> {
    this.#learn(ids, ask.value, other.asked, { from: 'agent', isAnswer: false });
    if (prompt) this.#learn(ids, prompt.value, other.prompt, { from: 'client', isAnswer: false });
    const moved = steps.map((step) => {
      const at = { group: other.ask.group, prompt: other.ask.prompt };
      return step.is === 'hear'
        ? { ...step, ...at }
        : { ...step, ...at, ends: step.ends === null ? null : other.ask.prompt };
    });
    return { steps: relinked(steps, moved), ids };
  }

  #learn(ids: Ids, recorded: unknown, live: unknown, role: LineRole): void {
    const { pairs } = compareLines(recorded, live, { tree: this.#tree, ids, role, strict: false, cwd: null });
    for (const [one, other, place] of pairs) ids.learn(one, other, place, role);
  }
}

/** Copies of steps that refer to each other as the steps do. */
function relinked(steps: readonly (Hear | Say)[], copies: (Hear | Say)[]): (Hear | Say)[] {
  const copyOf = new Map(steps.map((step, i) => [step, copies[i]!]));
  for (const copy of copies) {
    if (copy.is === 'hear') copy.ask = copy.ask && ((copyOf.get(copy.ask) as Say | undefined) ?? copy.ask);
    else {
      copy.needs = copy.needs.map((hear) => (copyOf.get(hear) as Hear | undefined) ?? hear);
      copy.hopes = copy.hopes.map((hear) => (copyOf.get(hear) as Hear | undefined) ?? hear);
    }
  }
  return copies;
}

function howOf(decision: string | null): MadeUpEnd['how'] {
  if (decision === 'deny') return 'denied';
  return decision === 'cancelled' ? 'cancelled' : 'otherwise';
}

export const saidIn = (hear: Hear): Recorded => ({ f: hear.f, said: decisionText(hear) });

function decisionText({ events }: Pick<Decoded, 'events'> | Hear): string {
  const [event] = events;
  if (event?.kind === 'approval-answer' || event?.kind === 'hook-answer') return event.decision ?? 'an invalid answer';
  return event?.kind === 'question-answer' ? 'another answer' : 'an answer';
}

function liveId(ids: Ids, id: string): string {
  const token = ids.liveOf(id, 'shared', { from: 'agent', isAnswer: false });
  const live = token === undefined ? id : idOfJson(token);
  return typeof live === 'string' ? live : id;
}
