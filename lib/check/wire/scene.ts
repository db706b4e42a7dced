/**
 * What the rules of Wire have in common to know: what the agent just said (unwrapped, under today's name), which turn is
 * open, how the process fared, and how old the agent is at least.
 */
import { Recent } from '../../core/timeline/recent.ts';
import type { Json } from '../../dialects/dialect.ts';
import { objectOf, stringOf } from '../../dialects/fields.ts';
import type { ReadFrame } from '../../dialects/read.ts';
import type { CheckedSession, Watcher } from '../rule.ts';
import { releaseByHello, releaseBySaid } from './features.ts';

/** One event or request of the agent. */
export interface Said {
  type: string;
  payload: Json;
  isRequest: boolean;
  isReplayed: boolean;
  /** Which agent: empty for the main one. */
  speaker: string;
  /** Names of the calls that the agents around it were started by, from outside in. */
  parents: (string | null)[];
}

export interface Prompt {
  f: number;
  t: number;
  method: string;
  /** Whether the agent has taken it up, and where. */
  takenF: number | null;
  answerF: number | null;
  answerT: number;
  /** `finished`, `cancelled`, `max_steps_reached`, `error`; null while there is no answer. */
  status: string | null;
  code: number | null;
  /** The client's cancel while it was open. */
  cancelF: number | null;
  steerF: number | null;
  /** StepBegins of the main agent. */
  steps: number;
  /** The agent's own brackets: open ones, and whether the outer one was closed. */
  depth: number;
  turnEnds: number;
}

const LEGACY_NAMES: Readonly<Record<string, string>> = {
  ...{ content_part: 'ContentPart', step_begin: 'StepBegin', step_interrupted: 'StepInterrupted' },
  ...{ compaction_begin: 'CompactionBegin', compaction_end: 'CompactionEnd', status_update: 'StatusUpdate' },
  ...{ tool_call: 'ToolCall', tool_call_part: 'ToolCallPart', tool_result: 'ToolResult' },
  ...{ subagent_event: 'SubagentEvent', approval: 'ApprovalRequest', ApprovalRequestResolved: 'ApprovalResponse' },
};

const nameOf = (type: unknown) =>
  typeof type === 'string' ? (Object.hasOwn(LEGACY_NAMES, type) ? LEGACY_NAMES[type]! : type) : '';

/** With these on its command line an agent asks nothing. */
export const BYPASS: ReadonlySet<string> = new Set(['--yolo', '-y', '--yes', '--auto-approve', '--afk']);

const REMEMBERED = 10_000;

export class Scene implements Watcher {
  readonly isLegacy: boolean;
  readonly command: readonly string[];
  /** What this frame says, if the agent says something. */
  said: Said | null = null;
  /** The prompt that the agent works on, after this frame. */
  turn: Prompt | null = null;
  /** The prompt that this frame answers, if it had been taken up or not. */
  answered: Prompt | null = null;
  /** The turn before. */
  last: Prompt | null = null;
  release = 0;
  /** When this frame came. */
  t = 0;
  helloF: number | null = null;
  eofF: number | null = null;
  signalF: number | null = null;
  exit: { f: number; code: number | null; signal: string | null } | null = null;
  /** Part of it was not recorded. */
  isTorn = false;
  /** The agent has closed its stdout. */
  #isGone = false;
  readonly #prompts = new Recent<number, Prompt>(REMEMBERED);

  constructor({ dialect, command }: CheckedSession) {
    this.isLegacy = dialect === 'wire-legacy';
    this.command = command;
  }

  /** The client stopped it: what was open then need not be closed. */
  get isShut(): boolean {
    return this.eofF !== null || this.signalF !== null;
  }

  promptAt(f: number): Prompt | undefined {
    return this.#prompts.get(f);
  }

  take(read: ReadFrame): void {
    this.said = null;
    this.answered = null;
    const { frame, message } = read;
    this.t = frame.t;
    if (frame.form === 'event') return this.#happens(read);
    if (frame.from !== 'client' && frame.from !== 'agent') return;
    if (frame.from === 'client') return this.#asks(read);
    if (message.envelope === 'notification' || message.envelope === 'request') return this.#says(read);
    this.#answers(read);
  }

  #happens({ frame }: ReadFrame): void {
    const { event, f, from, detail } = frame;
    if (event === 'eof' && from === 'agent') this.#isGone = true;
    // A client that hears no more closes its side too: that stops nobody.
    if (event === 'eof' && from === 'client' && detail.by !== 'agent' && !this.#isGone) this.eofF ??= f;
    if (event === 'signal') this.signalF ??= f;
    if (event === 'gap' || event === 'lost' || event === 'abandoned') this.isTorn = true;
    if (event === 'exit')
      this.exit = { f, code: typeof detail.code === 'number' ? detail.code : null, signal: stringOf(detail.signal) };
  }

  #asks({ frame, message, events, pairing }: ReadFrame): void {
    const [event] = events;
    if (message.envelope !== 'request' || pairing?.role === 'asks-again') return;
    if (event?.kind === 'prompt') {
      this.#prompts.set(frame.f, {
        ...{
          f: frame.f,
          t: frame.t,
          method: message.method!,
          takenF: null,
          answerF: null,
          answerT: 0,
          status: null,
          code: null,
        },
        ...{ cancelF: null, steerF: null, steps: 0, depth: 0, turnEnds: 0 },
      });
    }
    if (event?.kind === 'cancel' && this.turn) this.turn.cancelF ??= frame.f;
    if (event?.kind === 'steer' && this.turn) this.turn.steerF ??= frame.f;
  }

  #says({ frame, message, events }: ReadFrame): void {
    const isRequest = message.method === 'request';
    if (!isRequest && message.method !== 'event') return;
    const isReplayed = events.some(({ flags }) => flags?.includes('replayed'));
    const { type, payload } = objectOf(message.body);
    let inner: Json = { type, payload };
    const parents: (string | null)[] = [];
    let speaker = '';
    while (nameOf(inner.type) === 'SubagentEvent' && parents.length < 64) {
      const { parent_tool_call_id, task_tool_call_id, agent_id, event } = objectOf(inner.payload);
      const parent = stringOf(parent_tool_call_id) ?? stringOf(task_tool_call_id);
      parents.push(parent);
      speaker = stringOf(agent_id) ?? parent ?? '?';
      inner = objectOf(event);
    }
    const body = objectOf(inner.payload);
    const name = nameOf(inner.type);
    this.said = { type: name, payload: body, isRequest, isReplayed, speaker, parents };
    if (isReplayed) return;
    const outer = typeof type === 'string' ? releaseBySaid(type, objectOf(payload)) : 0;
    this.release = Math.max(this.release, outer, releaseBySaid(name, body));
    for (const event of events) if (event.takes !== undefined) this.#taken(event.takes, frame.f);
    if (speaker === '' && this.turn) count(this.turn, name);
  }

  #taken(prompt: number, f: number): void {
    const taken = this.#prompts.get(prompt);
    if (!taken) return;
    taken.takenF = f;
    if (this.turn) this.last = this.turn;
    this.turn = taken;
  }

  #answers({ frame, message, events, pairing }: ReadFrame): void {
    const exchange = pairing?.exchange;
    if (!exchange || pairing.role !== 'answers') return;
    if (exchange.method === 'initialize' && message.envelope === 'response') {
      this.helloF ??= frame.f;
      this.release = Math.max(this.release, releaseByHello(message.body));
    }
    const prompt = this.#prompts.get(exchange.askedF);
    const [event] = events;
    if (!prompt || event?.kind !== 'prompt-answer') return;
    prompt.answerF = frame.f;
    prompt.answerT = frame.t;
    prompt.status = event.status;
    prompt.code = event.code;
    this.answered = prompt;
    if (this.turn === prompt) {
      this.last = prompt;
      this.turn = null;
    }
  }
}

function count(turn: Prompt, type: string): void {
  if (type === 'TurnBegin') turn.depth += 1;
  else if (type === 'TurnEnd') {
    turn.depth -= 1;
    turn.turnEnds += 1;
  } else if (type === 'StepBegin') turn.steps += 1;
}
