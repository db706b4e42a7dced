/**
 * What follows when the live client departs from the tape: the branch of a tape on which the same request was answered
 * that way, or else the end of the turn as the protocol requires it, which is made up.
 */

import type { JsonObject } from '../dialects/dialect.ts';
import type { DepartedTurn, ReplayTraits } from '../dialects/traits.ts';
import { idOfJson } from '../model/id.ts';
import { isObject } from '../model/message.ts';
import type { DecodedFrame } from '../model/read-frame.ts';
import type { Session } from '../session/session.ts';
import { findBranch, type TapeBranch } from './branch.ts';
import { compareLines } from './compare-lines.ts';
import type { IdTree } from './id-tree.ts';
import type { Ids } from './ids.ts';
import type { LiveTurn } from './live-turns.ts';
import type { Departure } from './report.ts';
import type { AgentStep, ClientStep, LineRole } from './script-step.ts';

/** What the recorded client did: its line, or the request that it did not answer. */
export interface RecordedReply {
  f: number;
  text: string;
}

export interface OtherAnswer {
  recorded: RecordedReply;
  /** The recorded request. */
  ask: AgentStep;
  /** The request as the live client got it, and the live answer. */
  asked: JsonObject | null;
  answer: DecodedFrame;
  /** The live prompt, or the live request that the agent's request follows from. */
  prompt: JsonObject | null;
  turn: LiveTurn | null;
  ids: Ids;
  /** The latest line that the live client got. */
  last: JsonObject | null;
}

export interface DepartureResult {
  departure: Departure;
  /** Lines that are made up. */
  lines: JsonObject[];
  branch: { steps: (ClientStep | AgentStep)[]; ids: Ids } | null;
}

export class Departures {
  readonly #sessions: readonly Session[];
  readonly #tree: IdTree;
  readonly #replay: ReplayTraits;

  /** `sessions`: where branches may be. */
  constructor(sessions: readonly Session[], tree: IdTree, replay: ReplayTraits) {
    this.#sessions = sessions;
    this.#tree = tree;
    this.#replay = replay;
  }

  /** Null: the protocol defines no such end, so the tape goes on. */
  answered(other: OtherAnswer, newIds: () => Ids): DepartureResult | null {
    const { recorded, ask, answer } = other;
    const { f } = recorded;
    const [event] = answer.events;
    const what = `f${f}: ${recorded.text} on the tape, ${replyText(answer)} now`;
    const branch = event ? findBranch(this.#sessions, ask, event) : null;
    if (branch) {
      const at = { session: branch.session.metadata.session, f: branch.f };
      return {
        departure: { f, what, next: 'branch', branch: at },
        lines: [],
        branch: this.#useBranch(branch, other, newIds()),
      };
    }
    if (!this.#replay.endTurn) return null;
    const how = event?.kind === 'approval-answer' ? endKindOf(event.decision) : 'otherwise';
    const lines = this.#replay.endTurn(this.#endOfTurn(how, other));
    return { departure: { f, what, next: 'made-up', branch: null }, lines, branch: null };
  }

  /** The lines that end a turn that the client cancelled. `cancel`: the live line. */
  cancelled(turn: LiveTurn | null, cancel: JsonObject, ids: Ids, last: JsonObject | null): JsonObject[] {
    const end = { answer: null, turn, prompt: turn?.line ?? null, asked: null, ids, last };
    return this.#replay.endTurn?.({ ...this.#endOfTurn('cancelled', end), answer: cancel }) ?? [];
  }

  #endOfTurn(
    how: DepartedTurn['how'],
    other: Omit<OtherAnswer, 'recorded' | 'ask' | 'answer'> & { answer: DecodedFrame | null },
  ): DepartedTurn {
    const { asked, answer, prompt, turn, ids, last } = other;
    const given = answer?.value;
    const calls = [...(turn?.calls ?? [])].map((id) => liveId(ids, id));
    return {
      how,
      prompt,
      isAccepted: turn?.isAccepted ?? false,
      ask: asked,
      answer: isObject(given) ? given : null,
      calls,
      last,
    };
  }

  /** The rest of that turn, instead of the rest of this one. */
  #useBranch({ ask, prompt, steps }: TapeBranch, other: OtherAnswer, ids: Ids): NonNullable<DepartureResult['branch']> {
    this.#learnIds(ids, ask.value, other.asked, { from: 'agent', isAnswer: false });
    if (prompt) this.#learnIds(ids, prompt.value, other.prompt, { from: 'client', isAnswer: false });
    const moved = steps.map((step) => {
      const at = { group: other.ask.group, prompt: other.ask.prompt };
      return step.is === 'hear'
        ? { ...step, ...at }
        : { ...step, ...at, ends: step.ends === null ? null : other.ask.prompt };
    });
    return { steps: relinked(steps, moved), ids };
  }

  #learnIds(ids: Ids, recorded: unknown, live: unknown, role: LineRole): void {
    const { pairs } = compareLines(recorded, live, { tree: this.#tree, ids, role, strict: false, cwd: null });
    for (const [one, other, place] of pairs) ids.learn(one, other, place, role);
  }
}

/** Copies of steps that refer to each other as the steps do. */
function relinked(
  steps: readonly (ClientStep | AgentStep)[],
  copies: (ClientStep | AgentStep)[],
): (ClientStep | AgentStep)[] {
  const copyOf = new Map(steps.map((step, i) => [step, copies[i]!]));
  for (const copy of copies) {
    if (copy.is === 'hear') copy.ask = copy.ask && ((copyOf.get(copy.ask) as AgentStep | undefined) ?? copy.ask);
    else {
      copy.needs = copy.needs.map((clientStep) => (copyOf.get(clientStep) as ClientStep | undefined) ?? clientStep);
      copy.optionalNeeds = copy.optionalNeeds.map(
        (clientStep) => (copyOf.get(clientStep) as ClientStep | undefined) ?? clientStep,
      );
    }
  }
  return copies;
}

function endKindOf(decision: string | null): DepartedTurn['how'] {
  if (decision === 'deny') return 'denied';
  return decision === 'cancelled' ? 'cancelled' : 'otherwise';
}

export const recordedReply = (clientStep: ClientStep): RecordedReply => ({
  f: clientStep.f,
  text: replyText(clientStep),
});

function replyText({ events }: Pick<DecodedFrame, 'events'> | ClientStep): string {
  const [event] = events;
  if (event?.kind === 'approval-answer' || event?.kind === 'hook-answer') return event.decision ?? 'an invalid answer';
  return event?.kind === 'question-answer' ? 'another answer' : 'an answer';
}

function liveId(ids: Ids, id: string): string {
  const token = ids.liveOf(id, 'shared', { from: 'agent', isAnswer: false });
  const live = token === undefined ? id : idOfJson(token);
  return typeof live === 'string' ? live : id;
}
