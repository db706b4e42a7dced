/** Tool calls that agents announced, and what became of them. */
import { Recent } from '../../core/timeline/recent.ts';
import type { ReadFrame } from '../../dialects/read.ts';
import { string } from '../../dialects/wire/values.ts';
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
  readonly #known = new Recent<string, Call>(REMEMBERED);
  /** Without a result, of the step at hand. */
  readonly #open = new Map<string, Set<Call>>();

  constructor(session: CheckedSession) {
    this.#scene = session.share(Scene);
  }

  /** Whoever made it. */
  isKnown(id: string | null): boolean {
    return id !== null && this.#known.has(id);
  }

  speakerOf(id: string | null): string | null {
    return this.#known.get(id ?? '')?.speaker ?? null;
  }

  /** Of a turn, what has no result. */
  *without(turn: Prompt): Generator<Call> {
    for (const calls of this.#open.values()) for (const call of calls) if (call.turn === turn) yield call;
  }

  take({ frame, events }: ReadFrame): void {
    this.result = null;
    const { said, turn } = this.#scene;
    if (!said || said.isReplayed || said.isRequest) return;
    const { type, payload, speaker } = said;
    const open = this.#open.get(speaker) ?? new Set();
    this.#open.set(speaker, open);
    if (type === 'TurnBegin' && speaker === '' && turn?.depth === 1) this.#open.clear();
    // The model starts anew: what it called before is forgotten. Nobody says so where only the connection was lost.
    if (type === 'StepRetry') for (const call of open) call.isDropped = true;
    if (type === 'ContentPart') for (const call of open) call.isDropped = true;
    if (type === 'ToolCall') {
      const id = string(payload.id);
      const writes = events.some((event) => event.kind === 'tool-call' && event.writes === true);
      const call: Call = { f: frame.f, speaker, turn, resultF: null, isDropped: false, writes };
      open.add(call);
      if (id !== null) this.#known.set(id, call);
    }
    if (type === 'ToolResult') {
      const call = this.#known.get(string(payload.tool_call_id) ?? '') ?? null;
      this.result = { call, isFirst: call?.resultF === null };
      if (!call || call.resultF !== null) return;
      call.resultF = frame.f;
      this.#open.get(call.speaker)?.delete(call);
    }
  }
}
