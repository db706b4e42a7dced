/** Requests of the agent, by id, because an answer does not say what kind of request it answers. */
import type { Decision } from '../../model/event.ts';
import type { Id } from '../../model/id.ts';
import { LimitedMap } from '../../model/limited-map.ts';

export type AnswerKind = 'approval-answer' | 'question-answer' | 'client-call-answer' | 'hook-answer' | 'other';

export interface SentRequest {
  kind: AnswerKind;
  /** The agent's name for it. */
  type: string;
  /** The id that answers must repeat: the envelope's id in every known version, another one in the documentation. */
  request: string | null;
  /** For a hook. */
  event: string | null;
  target: string | null;
  isReplayed: boolean;
  /** The prompt of its turn. */
  turn: number | null;
  /** The client's first decision. */
  decision: Decision | null;
  isSettled: boolean;
}

const MAX_REQUESTS = 10_000;
const isOpen = ({ isSettled, decision }: SentRequest) => !isSettled && decision === null;

/** Answers to requests that were forgotten are recognised by their shape. */
export class SentRequests {
  readonly #byId = new LimitedMap<Id, SentRequest>(MAX_REQUESTS, isOpen);
  /** Requests whose own id differs from the envelope's. */
  readonly #byRequest = new LimitedMap<string, SentRequest>(MAX_REQUESTS, isOpen);

  get(id: Id): SentRequest | undefined {
    return id === null ? undefined : this.#byId.get(id);
  }

  /**
   * Whether this repeats an unsettled request. Ids of tool calls may be used again in later turns, so for client calls
   * the earlier request must also be unanswered (`isOpen`).
   */
  isResent(id: Id, question: SentRequest, isOpen: boolean): boolean {
    const before = this.#byId.get(id);
    if (!before || before.type !== question.type || before.isReplayed || before.isSettled) return false;
    return question.kind !== 'client-call-answer' || (isOpen && before.turn === question.turn);
  }

  add(id: Id, question: SentRequest): void {
    this.#byId.delete(id);
    this.#byId.set(id, question);
    if (question.request !== null && question.request !== id) this.#byRequest.set(question.request, question);
  }

  /** The agent has settled it. Returns what the client had decided by then. */
  resolve(request: string | null): Decision | null {
    const question = this.#byRequest.get(request ?? '') ?? this.get(request);
    if (!question) return null;
    question.isSettled = true;
    return question.decision;
  }
}
