/** What the agent asked its client, by the id of the request: an answer does not say what it answers. */
import type { Decision } from '../../core/event.ts';
import type { Id } from '../../core/id.ts';

export type AnswerKind = 'approval-answer' | 'question-answer' | 'client-call-answer' | 'hook-answer' | 'other';

export interface Question {
  kind: AnswerKind;
  /** As the agent called it. */
  type: string;
  /** The id that answers must repeat: the envelope's in every known version, another one in the documents. */
  request: string | null;
  /** Of a hook. */
  event: string | null;
  target: string | null;
  isReplayed: boolean;
  /** The prompt of the turn in which it was asked. */
  turn: number | null;
  /** What the client decided first. */
  decision: Decision | null;
  isSettled: boolean;
}

/** So many are remembered: later answers to older ones are read by their shape. */
const REMEMBERED = 10_000;

export class Asked {
  readonly #byId = new Map<Id, Question>();
  /** Those whose own id is not the envelope's. */
  readonly #byRequest = new Map<string, Question>();

  get(id: Id): Question | undefined {
    return id === null ? undefined : this.#byId.get(id);
  }

  /**
   * Whether the same was asked before and is not settled: then it is the same request, sent again. Ids of tool calls come
   * again in later turns, so there `isOpen` decides: the former one has no answer yet.
   */
  isResent(id: Id, question: Question, isOpen: boolean): boolean {
    const before = this.#byId.get(id);
    if (!before || before.type !== question.type || before.isReplayed || before.isSettled) return false;
    return question.kind !== 'client-call-answer' || (isOpen && before.turn === question.turn);
  }

  add(id: Id, question: Question): void {
    this.#byId.delete(id);
    this.#byId.set(id, question);
    forgetOldest(this.#byId);
    if (question.request === null || question.request === id) return;
    this.#byRequest.set(question.request, question);
    forgetOldest(this.#byRequest);
  }

  /** The agent has settled it; what the client had decided by then. */
  resolved(request: string | null): Decision | null {
    const question = this.#byRequest.get(request ?? '') ?? this.get(request);
    if (!question) return null;
    question.isSettled = true;
    return question.decision;
  }
}

function forgetOldest<K>(map: Map<K, Question>): void {
  if (map.size > REMEMBERED) map.delete(map.keys().next().value!);
}
