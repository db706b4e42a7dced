/** What the ledger knows about one event: who speaks, in which turn, and about which call or request. */
import type { Agent, AgentEnd } from './agents.ts';
import type { Lateness } from './asks.ts';
import type { Ask, Call, TurnRecord } from './records.ts';
import type { OpenTurn } from './turns.ts';

export interface Note {
  /** Null for replayed history. */
  agent: Agent | null;
  /** The turn that the event belongs to. */
  open: OpenTurn | null;
  /** The turn that begins with the event, and the earlier frames that belong to that turn. */
  begun: OpenTurn | null;
  adopted: ReadonlySet<number>;
  /** Another prompt that the open turn answers too. */
  joined: number | null;
  /** The turn whose prompt the event answers. */
  answered: OpenTurn | null;
  /** The call that it announces, extends, ends or names, and the request that it makes, answers or resolves. */
  call: Call | null;
  ask: Ask | null;
  /** It announces that call, or makes that request, for the first time. */
  isNew: boolean;
  /** What was asked about the call before it was announced. */
  early: readonly Ask[];
  /** For an answer: whether it is late or a duplicate. */
  late: Lateness;
  /** Agents that end with the event. */
  ended: readonly [Agent, AgentEnd][];
}

const NOTHING: ReadonlySet<number> = new Set();
const NONE: readonly Ask[] = [];
const NO_AGENTS: readonly [Agent, AgentEnd][] = [];

/** For a frame of one event: who wants to keep it must copy it, because the next such frame has the same. */
export function clearNote(note: Note): void {
  note.agent = null;
  note.open = null;
  note.begun = null;
  note.adopted = NOTHING;
  note.joined = null;
  note.answered = null;
  note.call = null;
  note.ask = null;
  note.isNew = false;
  note.early = NONE;
  note.late = null;
  note.ended = NO_AGENTS;
}

export function makeNote(): Note {
  const note = {} as Note;
  clearNote(note);
  return note;
}

/** The turn of an agent's events: the turn of the call that started it; none in the background. */
export function turnOf({ agent, open }: Pick<Note, 'agent' | 'open'>): TurnRecord | null {
  if (agent?.background) return null;
  return agent?.started ? agent.started.turn : (open?.turn ?? null);
}
