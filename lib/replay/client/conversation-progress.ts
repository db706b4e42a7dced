/**
 * How far a conversation has come, recorded or live: what each frame answers, which turns it ends, and the points that the
 * agent has passed in each turn. A point is the nth run of events of one kind, and a place in that run, because agents cut
 * the same text into more or fewer parts.
 */
import type { Event } from '../../model/event.ts';
import { isCutOff } from '../../model/frame.ts';
import { isReplayed } from '../../model/ledger/ledger.ts';
import type { OpenTurn } from '../../model/ledger/turns.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import type { ReadFrame } from '../../model/read-frame.ts';

/** What belongs to no turn. Prompts are named by their frames, and a prompt on the command line is 0. */
export const OUTSIDE_TURNS = -1;

export interface ProgressPoint {
  /** The prompt of the turn. */
  turn: number;
  key: string;
  run: number;
  count: number;
}

export interface EndedTurn {
  /** The prompts that it answered. */
  prompts: readonly number[];
  status: string;
}

export interface FrameProgress {
  /** The request of the client that the frame answers. */
  answered: number | null;
  ended: readonly EndedTurn[];
  /** The agent has come further. */
  isPoint: boolean;
}

/** Background messages are not points to wait for. */
const BACKGROUND_KINDS = new Set<Event['kind']>(['usage', 'status', 'notice', 'log', 'noise', 'process']);
/** Kinds that are too general without the name of the message. */
const UNSPECIFIC_KINDS = new Set<Event['kind']>(['other', 'control']);
const MAX_REMEMBERED_TURNS = 100;
const NO_TURNS: readonly EndedTurn[] = [];

export class ConversationProgress {
  readonly #outside = new TurnProgress();
  readonly #tracks = new LimitedMap<number, TurnProgress>(MAX_REMEMBERED_TURNS);
  readonly #open = new Map<OpenTurn, number[]>();

  take(read: ReadFrame): FrameProgress {
    const { frame, pairing } = read;
    const ended = this.#endedTurns(read);
    // A line without an end was complete only when the stream ended.
    const isPoint = frame.from === 'agent' && !isCutOff(frame) && this.#recordEvent(read);
    const answered = frame.from === 'agent' && pairing?.role === 'answers' ? pairing.exchange!.askedF : null;
    return { answered, ended, isPoint };
  }

  /** Where the agent is now in this turn; null if it has sent nothing outside a turn. */
  at(turn: number): ProgressPoint | null {
    const track = this.#find(turn);
    if (!track?.last) return turn === OUTSIDE_TURNS ? null : { turn, key: '', run: 0, count: 0 };
    return { turn, key: track.last, ...track.runs.get(track.last)! };
  }

  /** `turn`: the live prompt that corresponds to that of the point. */
  hasReached({ key, run, count }: ProgressPoint, turn: number): boolean {
    const track = this.#find(turn);
    if (key === '') return track !== undefined;
    const now = track?.runs.get(key);
    if (!track || !now || now.run < run) return false;
    return now.run > run || now.count >= count || track.hasLeft(key);
  }

  #endedTurns({ ledger }: ReadFrame): readonly EndedTurn[] {
    for (const { begun, joined, open } of ledger.notes) {
      if (begun) {
        this.#open.set(begun, [begun.turn.prompt_f]);
        this.#trackOf(begun.turn.prompt_f);
      }
      if (joined !== null && open) this.#open.get(open)?.push(joined);
    }
    if (this.#open.size === 0) return NO_TURNS;
    const ended: EndedTurn[] = [];
    for (const [open, prompts] of this.#open) {
      if (ledger.turns.open.includes(open)) continue;
      this.#open.delete(open);
      ended.push({ prompts, status: open.turn.status ?? '' });
    }
    return ended;
  }

  #recordEvent({ message, pairing, events, ledger }: ReadFrame): boolean {
    const event = events[0];
    // An answer is waited for as such.
    if (!event || pairing?.role === 'answers' || BACKGROUND_KINDS.has(event.kind) || isReplayed(event)) return false;
    const turn = ledger.notes[0]?.open?.turn.prompt_f ?? OUTSIDE_TURNS;
    const name = UNSPECIFIC_KINDS.has(event.kind) ? ` ${message.method ?? message.type ?? ''}` : '';
    const lane = event.subagent === undefined && event.parent === undefined ? 'main' : 'sub';
    this.#trackOf(turn).pass(lane, `${lane} ${event.kind}${name}`);
    return true;
  }

  #find(turn: number): TurnProgress | undefined {
    return turn === OUTSIDE_TURNS ? this.#outside : this.#tracks.get(turn);
  }

  #trackOf(turn: number): TurnProgress {
    const known = this.#find(turn);
    if (known) return known;
    const track = new TurnProgress();
    this.#tracks.set(turn, track);
    return track;
  }
}

/** The runs of events in a turn. Those of subagents come in between, so they have a lane of their own. */
class TurnProgress {
  readonly runs = new Map<string, { run: number; count: number }>();
  /** The key of the latest event. */
  last = '';
  readonly #latest = new Map<string, string>();

  pass(lane: string, key: string): void {
    const known = this.runs.get(key) ?? { run: 0, count: 0 };
    const goesOn = this.#latest.get(lane) === key;
    this.runs.set(key, goesOn ? { run: known.run, count: known.count + 1 } : { run: known.run + 1, count: 1 });
    this.#latest.set(lane, key);
    this.last = key;
  }

  /** Something else came after the latest run of these. */
  hasLeft(key: string): boolean {
    return this.#latest.get(key.slice(0, key.indexOf(' '))) !== key;
  }
}
