/**
 * What the rules of Wire share: the agent's current message (unwrapped, under its present name), the state of the open turn,
 * and the oldest release that the agent can be.
 */
import type { EventKind } from '../../../model/event.ts';
import type { Ledger } from '../../../model/ledger/ledger.ts';
import type { Note } from '../../../model/ledger/note.ts';
import type { TurnRecord } from '../../../model/ledger/records.ts';
import type { OpenTurn } from '../../../model/ledger/turns.ts';
import { isObject, type Message } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import {
  type CheckedSession,
  NOTHING,
  type RuleDefinition,
  type RuleSummary,
  type SharedObserver,
} from '../../rules/rule.ts';

/** A rule for all versions of Wire, unless it names only the present one, or only that up to 0.58. Its id is in index.ts. */
export type WireRule = RuleSummary & Pick<RuleDefinition, 'open'>;

/** One event or request of the agent. */
export interface WireAgentMessage {
  type: string;
  payload: JsonObject;
  isRequest: boolean;
  isReplayed: boolean;
  /** Which agent: empty for the main one. */
  speaker: string;
  /** Names of the calls that the agents around it were started by, from outside in. */
  parents: (string | null)[];
}

/** A turn, and what the main agent did in it. */
export interface WireTurnState {
  record: TurnRecord;
  takenF: number;
  /** The client's first steer in it. */
  steerF: number | null;
  /** StepBegins. */
  steps: number;
  /** The agent's own brackets: how many are open, and how many were closed. */
  depth: number;
  turnEnds: number;
}

/** The answer to a prompt. */
export interface AnsweredPrompt {
  /** The prompt. */
  f: number;
  /** `finished`, `cancelled`, `max_steps_reached`, `error`. */
  status: string;
  code: number | null;
  /** Null: the agent never took it up. */
  turn: WireTurnState | null;
}

const LEGACY_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ content_part: 'ContentPart', step_begin: 'StepBegin', step_interrupted: 'StepInterrupted' },
    ...{ compaction_begin: 'CompactionBegin', compaction_end: 'CompactionEnd', status_update: 'StatusUpdate' },
    ...{ tool_call: 'ToolCall', tool_call_part: 'ToolCallPart', tool_result: 'ToolResult' },
    ...{ subagent_event: 'SubagentEvent', approval: 'ApprovalRequest', ApprovalRequestResolved: 'ApprovalResponse' },
  }),
);

const nameOf = (type: unknown) => (typeof type === 'string' ? (LEGACY_NAMES.get(type) ?? type) : '');

/** With these options on its command line, an agent asks for no approvals. */
export const BYPASS: ReadonlySet<string> = new Set(['--yolo', '-y', '--yes', '--auto-approve', '--afk']);

export class WireSessionState implements SharedObserver {
  readonly isLegacy: boolean;
  /** The agent's event or request in this frame, if it is one. */
  agentMessage: WireAgentMessage | null = null;
  /** The turn that is open after this frame. */
  turn: WireTurnState | null = null;
  /** The prompt that this frame answers. */
  answered: AnsweredPrompt | null = null;
  /** The turn before. */
  last: WireTurnState | null = null;
  release = 0;
  helloF: number | null = null;
  readonly #turns = new WeakMap<TurnRecord, WireTurnState>();

  constructor({ dialect }: CheckedSession) {
    this.isLegacy = dialect === 'wire-legacy';
  }

  take(read: ReadFrame): void {
    const { frame, message, pairing } = read;
    this.agentMessage = frame.from === 'agent' && frame.form !== 'event' ? readAgentMessage(read) : null;
    if (frame.from === 'agent' && pairing?.role === 'answers' && pairing.exchange!.method === 'initialize')
      this.#takeHandshake(frame.f, message);
    if (this.agentMessage && !this.agentMessage.isReplayed)
      this.release = releaseOf(read, this.agentMessage, this.release);
    this.#followTurn(read);
  }

  #takeHandshake(f: number, { envelope, body }: Message): void {
    if (envelope !== 'response') return;
    this.helloF ??= f;
    this.release = Math.max(this.release, releaseOfHandshake(body));
  }

  /** Follows the turns of the ledger, with what only these rules need to know. */
  #followTurn(read: ReadFrame): void {
    const { frame, message, events, pairing, ledger } = read;
    const before = this.turn;
    this.turn = this.#turnOf(ledger.turns.current, frame.f);
    if (before && before !== this.turn) this.last = before;
    this.answered = this.#answer(read);
    if (!this.turn) return;
    const isSteer = frame.from === 'client' && message.envelope === 'request' && events[0]?.kind === 'steer';
    if (isSteer && pairing?.role !== 'asks-again') this.turn.steerF ??= frame.f;
    const { agentMessage } = this;
    if (agentMessage && !agentMessage.isReplayed && agentMessage.speaker === '')
      countEvent(this.turn, agentMessage.type);
  }

  #turnOf(open: OpenTurn | null, f: number): WireTurnState | null {
    // A turn whose prompt is not on the tape cannot be judged by these rules.
    if (!open?.turn.is_seen) return null;
    if (this.turn?.record === open.turn) return this.turn;
    const known = this.#turns.get(open.turn);
    if (known) return known;
    const turn = { record: open.turn, takenF: f, steerF: null, steps: 0, depth: 0, turnEnds: 0 };
    this.#turns.set(open.turn, turn);
    return turn;
  }

  #answer({ frame, events: [event], pairing, ledger }: ReadFrame): AnsweredPrompt | null {
    if (frame.from !== 'agent' || pairing?.role !== 'answers' || event?.kind !== 'prompt-answer') return null;
    const { askedF } = pairing.exchange!;
    const { status, code } = event;
    return { f: askedF, status, code, turn: this.#turnOf(ledger.turns.turnOfPrompt(askedF), frame.f) };
  }
}

/** For rules about live messages of the agent, each of which returns what is wrong with one. */
export function checkAgentMessages(
  open: () => (agentMessage: WireAgentMessage, ledger: Ledger) => string | null,
): RuleDefinition['open'] {
  return (session) => {
    const state = session.share(WireSessionState);
    const faultOf = open();
    return ({ frame: { f }, ledger }) => {
      const { agentMessage } = state;
      const message = agentMessage && !agentMessage.isReplayed ? faultOf(agentMessage, ledger) : null;
      return message === null ? NOTHING : [{ f, message }];
    };
  };
}

/** The ledger's note about this frame's event of that kind. */
export function noteOf({ events, ledger }: ReadFrame, kind: EventKind): Note | null {
  const n = events.findIndex((event) => event.kind === kind);
  return n < 0 ? null : ledger.notes[n]!;
}

/** An event or a request, out of the subagents that it is wrapped in. */
function readAgentMessage({ message, events }: ReadFrame): WireAgentMessage | null {
  const { envelope, method } = message;
  if (envelope !== 'notification' && envelope !== 'request') return null;
  if (method !== 'request' && method !== 'event') return null;
  const isReplayed = events.some(({ flags }) => flags?.includes('replayed'));
  let inner = objectOf(message.body);
  let type = nameOf(inner.type);
  const parents: (string | null)[] = [];
  let speaker = '';
  while (type === 'SubagentEvent' && parents.length < 64) {
    const { parent_tool_call_id, task_tool_call_id, agent_id, event } = objectOf(inner.payload);
    const parent = stringOf(parent_tool_call_id) ?? stringOf(task_tool_call_id);
    parents.push(parent);
    speaker = stringOf(agent_id) ?? parent ?? '?';
    inner = objectOf(event);
    type = nameOf(inner.type);
  }
  return { type, payload: objectOf(inner.payload), isRequest: method === 'request', isReplayed, speaker, parents };
}

/** `known`: the oldest release that it can be, by its earlier messages. */
function releaseOf({ message }: ReadFrame, agentMessage: WireAgentMessage, known: number): number {
  const own = releaseOfMessage(agentMessage.type, agentMessage.payload, known);
  if (agentMessage.parents.length === 0) return own;
  const { type, payload } = objectOf(message.body);
  return typeof type === 'string' ? releaseOfMessage(type, objectOf(payload), own) : own;
}

function countEvent(turn: WireTurnState, type: string): void {
  if (type === 'TurnBegin') turn.depth += 1;
  else if (type === 'TurnEnd') {
    turn.depth -= 1;
    turn.turnEnds += 1;
  } else if (type === 'StepBegin') turn.steps += 1;
}

/**
 * The oldest release that an agent can be, by its messages: the version that it names lags behind what it does. Releases are
 * whole numbers: 1.28 is 128, 0.59 is 59. For events and requests, by a field of the payload, which Python writes even if it
 * is null; `*`: by the type alone.
 */
const SINCE = bySign({
  TurnBegin: { '*': 59 },
  ApprovalRequest: { display: 68, source_kind: 125 },
  ApprovalResponse: { '*': 80, feedback: 125 },
  ToolCallRequest: { '*': 80 },
  TurnEnd: { '*': 106 },
  QuestionRequest: { '*': 114 },
  MCPLoadingBegin: { '*': 117 },
  StatusUpdate: { context_tokens: 117, plan_mode: 120, mcp_status: 124 },
  SteerInput: { '*': 121 },
  Notification: { '*': 123 },
  SubagentEvent: { agent_id: 125 },
  PlanDisplay: { '*': 127 },
  HookTriggered: { '*': 128 },
  HookRequest: { '*': 128 },
  BtwBegin: { '*': 131 },
  StepRetry: { '*': 142 },
});

function bySign(since: Record<string, Record<string, number>>) {
  return new Map(
    Object.entries(since).map(([type, signs]) => {
      return [type, { latest: Math.max(...Object.values(signs)), signs: Object.entries(signs) }];
    }),
  );
}

function releaseOfMessage(type: string, payload: JsonObject, known: number): number {
  const since = SINCE.get(type);
  if (!since || since.latest <= known) return known;
  let latest = known;
  for (const [key, release] of since.signs)
    if (release > latest && (key === '*' || Object.hasOwn(payload, key))) latest = release;
  return latest;
}

/** By its answer to `initialize`. */
function releaseOfHandshake(result: unknown): number {
  if (!isObject(result)) return 0;
  if (Object.hasOwn(result, 'hooks')) return 128;
  return Object.hasOwn(result, 'capabilities') ? 114 : 80;
}
