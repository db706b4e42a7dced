/** Tool calls that agents announced, and what became of them. */
import { Recent } from '../../core/timeline/recent.ts';
import { stringOf } from '../../dialects/fields.ts';
import type { ReadFrame } from '../../dialects/read.ts';
import type { CheckedSession, Watcher } from '../rule.ts';
import { type Prompt, Scene } from './scene.ts';

export interface Call {
  f: number;
  speaker: string;
  turn: Prompt | null;
  resultF: number | null;
  /** Its step was tried again, as far as can be told: then it has no result. */
  isDropped: boolean;
  /** It changes or runs something. */
  writes: boolean;
}

const REMEMBERED = 10_000;

export class Calls implements Watcher {
  /** This frame is a result: of which call, if one is known, and whether it is the first. */
  result: { call: Call | null; isFirst: boolean } | null = null;
  readonly #scene: Scene;
  /** The latest with an id, whoever made it. */
  readonly #latest = new Recent<string, Call>(REMEMBERED);
  /** By who made it and its id: models number their calls, each from the start. */
  readonly #known = new Recent<string, Call[]>(REMEMBERED);
  /** Without a result, by who made them, of the turn at hand. */
  readonly #open = new Map<string, Set<Call>>();

  constructor(session: CheckedSession) {
    this.#scene = session.share(Scene);
  }

  /** Whoever made it. */
  isKnown(id: string | null): boolean {
    return id !== null && this.#latest.has(id);
  }

  speakerOf(id: string | null): string | null {
    return this.#latest.get(id ?? '')?.speaker ?? null;
  }

  /** Of a turn, what has no result. */
  *without(turn: Prompt): Generator<Call> {
    for (const calls of this.#open.values()) for (const call of calls) if (call.turn === turn) yield call;
  }

  take(read: ReadFrame): void {
    this.result = null;
    const { said, turn } = this.#scene;
    if (!said || said.isReplayed || said.isRequest) return;
    const { type, payload, speaker } = said;
    if (type === 'TurnBegin' && speaker === '' && turn?.depth === 1) this.#open.clear();
    // The model starts anew: what it called before is forgotten. Nobody says so where only the connection was lost.
    if (type === 'StepRetry' || type === 'ContentPart')
      for (const call of this.#open.get(speaker) ?? []) call.isDropped = true;
    if (type === 'ToolCall') this.#called(stringOf(payload.id) ?? '', read);
    if (type === 'ToolResult') this.#returned(stringOf(payload.tool_call_id) ?? '', read);
  }

  #called(id: string, { frame, events }: ReadFrame): void {
    const { said, turn } = this.#scene;
    const { speaker } = said!;
    const writes = events.some((event) => event.kind === 'tool-call' && event.writes === true);
    const call: Call = { f: frame.f, speaker, turn, resultF: null, isDropped: false, writes };
    const open = this.#open.get(speaker) ?? new Set();
    this.#open.set(speaker, open.add(call));
    this.#latest.set(id, call);
    const key = keyOf(speaker, id);
    const waiting = (this.#known.get(key) ?? []).filter(({ resultF, turn: of }) => resultF === null && of === turn);
    this.#known.set(key, [...waiting, call]);
  }

  #returned(id: string, { frame }: ReadFrame): void {
    const known = this.#known.get(keyOf(this.#scene.said!.speaker, id)) ?? [];
    const call = known.find(({ resultF }) => resultF === null) ?? known.at(-1) ?? null;
    this.result = { call, isFirst: call?.resultF === null };
    if (!call || call.resultF !== null) return;
    call.resultF = frame.f;
    this.#open.get(call.speaker)?.delete(call);
  }
}

const keyOf = (speaker: string, id: string) => JSON.stringify([speaker, id]);
