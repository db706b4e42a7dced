/** What the agent asked its client, live or replayed: by the frame that asked, which is what an answer is paired with. */
import type { Id } from '../../core/id.ts';
import { Recent } from '../../core/timeline/recent.ts';
import type { Json } from '../../dialects/dialect.ts';
import { objectOf, stringOf } from '../../dialects/fields.ts';
import type { ReadFrame } from '../../dialects/read.ts';
import type { CheckedSession, Watcher } from '../rule.ts';
import { misfits } from '../schema.ts';
import { type Prompt, Scene } from './scene.ts';
import { ANSWERS } from './shapes.ts';

export interface Question {
  f: number;
  t: number;
  /** As the agent called it. */
  type: string;
  payload: Json;
  isReplayed: boolean;
  /** The turn in which it was asked. */
  turn: Prompt | null;
  answerF: number | null;
  /** Of the first answer: null if the agent can take it, else what is wrong with it. */
  fault: string | null;
  /** The result of the first answer that the agent can take. */
  result: Json | null;
  isError: boolean;
  /** Another answer followed one that was none. */
  isRetried: boolean;
  /** ApprovalResponse. */
  resolvedF: number | null;
  /** Of whom it is told: a subagent's. */
  isSubagents: boolean;
  settledF: number | null;
  settledT: number;
}

export interface Answer {
  question: Question | null;
  role: 'first' | 'again' | 'orphan';
  isError: boolean;
  /** What is wrong with its shape. */
  fault: string | null;
  result: Json;
}

const REMEMBERED = 10_000;

export class Questions implements Watcher {
  /** This frame asks, for the first time. */
  asked: Question | null = null;
  /** This frame answers. */
  answer: Answer | null = null;
  /** This frame is an ApprovalResponse: of which question, if it is known, and whether it is the first. */
  resolved: { question: Question | null; isFirst: boolean } | null = null;
  readonly #byFrame = new Recent<number, Question>(REMEMBERED);
  readonly #byId = new Recent<Exclude<Id, null>, Question>(REMEMBERED);
  /** Not settled. */
  readonly #open = new Set<Question>();
  readonly #scene: Scene;

  constructor(session: CheckedSession) {
    this.#scene = session.share(Scene);
  }

  /** Neither answered nor settled. */
  *pending(): Generator<Question> {
    for (const question of this.#open) if (question.answerF === null) yield question;
  }

  take(read: ReadFrame): void {
    const scene = this.#scene;
    this.asked = null;
    this.answer = null;
    this.resolved = null;
    if (read.frame.from === 'client') return this.#clientAnswers(read);
    const { said, answered } = scene;
    if (answered) this.#sweep(answered, read);
    if (!said) return;
    if (said.isRequest) return this.#asks(read);
    if (said.isReplayed) return;
    if (said.type === 'ApprovalResponse') this.#resolves(said.payload, read);
    if (said.type === 'ToolResult') this.#returns(stringOf(said.payload.tool_call_id), read);
  }

  #asks({ frame, message, events }: ReadFrame): void {
    const { said, turn } = this.#scene;
    const id = message.id;
    const before = id === null ? undefined : this.#byId.get(id);
    if (before && events.some(({ flags }) => flags?.includes('resent'))) {
      this.#byFrame.set(frame.f, before);
      return;
    }
    const { isReplayed, payload } = said!;
    const type = stringOf(objectOf(message.body).type) ?? '';
    const question: Question = {
      ...{ f: frame.f, t: frame.t, type, payload, isReplayed, turn, answerF: null, fault: null },
      ...{
        result: null,
        isError: false,
        isRetried: false,
        resolvedF: null,
        isSubagents: events.some(({ subagent }) => subagent !== undefined),
        settledF: null,
        settledT: 0,
      },
    };
    this.asked = question;
    this.#byFrame.set(frame.f, question);
    if (id !== null) this.#byId.set(id, question);
    if (!isReplayed) this.#open.add(question);
    // No answer can be told apart by then.
    if (this.#open.size > REMEMBERED) this.#open.delete(this.#open.values().next().value!);
  }

  #clientAnswers({ frame, message, pairing, value }: ReadFrame): void {
    if (message.envelope !== 'response' && message.envelope !== 'error') return;
    const question = pairing?.exchange ? (this.#byFrame.get(pairing.exchange.askedF) ?? null) : null;
    const isError = message.envelope === 'error';
    const result = objectOf(isError ? null : message.body);
    const fault = isError
      ? Object.hasOwn(objectOf(value), 'result')
        ? 'it has both a result and an error'
        : null
      : faultOf(question, message.body);
    const isAgain = pairing?.role === 'duplicate' || (question !== null && question.answerF !== null);
    this.answer = {
      question,
      role: question === null ? 'orphan' : isAgain ? 'again' : 'first',
      isError,
      fault,
      result,
    };
    if (question && isAgain && question.fault !== null) question.isRetried = true;
    if (!question || question.answerF !== null) return;
    Object.assign(question, { answerF: frame.f, fault, isError, result: fault === null && !isError ? result : null });
    if (question.type !== 'ApprovalRequest') this.#settle(question, frame.f, frame.t);
  }

  #resolves(payload: Json, { frame }: ReadFrame): void {
    const request = stringOf(payload.request_id);
    const question = (request === null ? undefined : this.#byId.get(request)) ?? null;
    const isFirst = question !== null && question.resolvedF === null;
    this.resolved = { question, isFirst };
    if (!question || !isFirst) return;
    question.resolvedF = frame.f;
    this.#settle(question, frame.f, frame.t);
  }

  /** A result settles what was asked about its call. */
  #returns(call: string | null, { frame }: ReadFrame): void {
    if (call === null) return;
    for (const question of this.#open)
      if ((question.payload.tool_call_id ?? question.payload.id) === call) this.#settle(question, frame.f, frame.t);
  }

  /** So does the answer to the prompt of its turn. */
  #sweep(prompt: Prompt, { frame }: ReadFrame): void {
    for (const question of this.#open) if (question.turn === prompt) this.#settle(question, frame.f, frame.t);
  }

  #settle(question: Question, f: number, t: number): void {
    if (question.settledF === null) Object.assign(question, { settledF: f, settledT: t });
    this.#open.delete(question);
  }
}

function faultOf(question: Question | null, result: unknown): string | null {
  if (!question || !Object.hasOwn(ANSWERS, question.type)) return null;
  const [first] = misfits(result, ANSWERS[question.type]!, 'result');
  return first ? `${first.path} ${first.what}` : null;
}
