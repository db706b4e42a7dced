/** Turns and steps: a turn is a prompt that was taken up and ends with its answer (rules T and S). */
import type { Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import type { End } from './agents.ts';
import type { Asks } from './asks.ts';
import { reach } from './item.ts';
import { type Of, outside, type Placing, type Read, turnOf } from './placing.ts';
import type { Item, Step, Turn } from './shape.ts';
import type { Live } from './turns.ts';

/** More are never on their way at once. */
const STEERS = 1000;

export class Brackets {
  readonly #placing: Placing;
  readonly #asks: Asks;
  /** Whose answer the frame in hand is. */
  answered: Live | null = null;
  /** Sent into the turn, and not yet in effect. */
  #steers: Item[] = [];

  constructor(placing: Placing, asks: Asks) {
    this.#placing = placing;
    this.#asks = asks;
  }

  prompt(read: Read, event: Of<'prompt'>): void {
    const { frame, pairing } = read;
    const placing = this.#placing;
    if (frame.from !== 'client') return void placing.place(read, event);
    const asked = pairing?.role === 'asks-again' ? placing.asked(pairing) : null;
    if (asked) return placing.touch(asked, frame);
    // At the top, even while another turn runs: it is the head of a turn of its own, or of none.
    const item = placing.apart(read, event);
    if (placing.keep) item.blocks = event.blocks;
    placing.turns.waits(item);
    placing.requests.set(frame.f, item);
  }

  /** A prompt is a turn from now on. */
  takeUp(f: number, event: Event, frame: Frame): void {
    const { turns, timeline, places, keep } = this.#placing;
    if (turns.taken(f)) return;
    // Another turn goes on only where the dialect tells them apart.
    if (event.within !== f) this.endAllTurns(frame);
    const { turn, waiting } = turns.takeUp(f, frame);
    timeline.counts.turns++;
    if (!turn.prompt) return places.put(turn, null);
    if (!keep) return;
    this.#asks.adopt(
      places.takeSince(turn.prompt, turn).filter(({ ask }) => ask),
      waiting,
    );
  }

  promptAnswer(read: Read, event: Of<'prompt-answer'>): void {
    const { frame } = read;
    const placing = this.#placing;
    const live = placing.turns.taken(event.prompt);
    const prompt = live?.turn.prompt ?? placing.turns.prompt(event.prompt);
    if (live && (live.turn.status === null || live.turn.status === 'unanswered')) {
      const { turn } = live;
      reach(turn, frame.f, frame.t);
      placing.where ??= { turn: turn.n, step: null, item: prompt?.f ?? null };
      this.answered = live;
      turn.status = event.status;
      turn.code = event.code;
      for (const id of event.denied ?? []) placing.calls.ruledOut(id);
      this.#endTurn(live, frame);
    } else if (!prompt) return placing.refers(read, event, placing.asked(read.pairing));
    if (prompt) placing.answer(prompt, read, event, true);
    placing.turns.refused(event.prompt);
  }

  #endTurn(live: Live, frame: Frame, status = 'unanswered'): void {
    const { turns, agents, calls } = this.#placing;
    if (!turns.end(live)) return;
    const { turn, main } = live;
    if (this.#steers.length > 0) this.#steers = [];
    turn.status ??= status;
    const end = endOf(turn);
    main.end(end);
    agents.endTurn(turn.n, end);
    this.#asks.endTurn(turn.n, frame.t);
    const isCut = turn.status === 'unanswered' || turn.cancelled_f !== null || /error|cancel/.test(turn.status);
    calls.endTurn(turn.n, { f: turn.f_end, t: turn.t_end }, isCut ? 'cut' : 'abandoned');
  }

  endAllTurns(frame: Frame, status?: string): void {
    const { open } = this.#placing.turns;
    while (open.length > 0) this.#endTurn(open[0]!, frame, status);
  }

  /** The process is over, and all that was open in it. */
  endAll(frame: Frame, event: Event | undefined): void {
    if (event?.takes !== undefined) this.takeUp(event.takes, event, frame);
    this.endAllTurns(frame, event?.kind === 'process' ? event.ended : undefined);
    this.#asks.endAll(frame.t);
    this.#placing.calls.endAll(frame);
  }

  /** The agent's own bracket: the outer one is the turn itself. */
  turnBegin(read: Read, event: Of<'turn-begin'>): void {
    const placing = this.#placing;
    const live = placing.turns.of(event);
    if (event.nested || (!live && read.events.length === 1)) {
      const item = placing.place(read, event);
      if (event.nested) placing.agentOf(event).beginTurn(item);
      return;
    }
    if (!live) return;
    // Nobody saw the prompt itself: what the agent says of it is all there is.
    if (!live.turn.prompt && event.text) return void placing.place(read, event);
    placing.places.reach(live.turn, read.frame.f, read.frame.t);
    placing.where ??= { turn: live.turn.n, step: null, item: null };
  }

  turnEnd(read: Read, event: Of<'turn-end'>): void {
    this.#bracket(read, event, this.#placing.agentOf(event).endTurn());
    if (event.ends !== undefined) this.endAllTurns(read.frame);
  }

  beginStep(read: Read, event: Event, shown: number | null): void {
    const { turns, calls, places } = this.#placing;
    const agent = this.#placing.agentOf(event);
    calls.ready(agent, read.frame.t);
    const outer = outside(agent, turns.of(event));
    const step = agent.beginStep(read.frame, shown);
    places.put(step, outer);
    if (event.kind === 'step-begin') this.#bracket(read, event, step);
  }

  endStep(read: Read, event: Event, state: 'done' | 'interrupted'): void {
    const agent = this.#placing.agentOf(event);
    this.#placing.calls.ready(agent, read.frame.t);
    this.#bracket(read, event, agent.endStep(state));
  }

  retryStep(read: Read, event: Event): void {
    this.#placing.agentOf(event).discardStep();
    this.#placing.place(read, event);
  }

  /** Something is sent into the turn; it has come into effect when the agent says it again. */
  steer(read: Read, event: Of<'steer'>): void {
    const placing = this.#placing;
    if (event.done && event.restates) {
      // One that was refused never does.
      while (this.#steers[0]?.answer?.ok === false) this.#steers.shift();
      const item = this.#steers.shift() ?? null;
      if (item) item.parts++;
      return placing.refers(read, event, item);
    }
    placing.plain(read, event);
    const item = placing.requests.get(read.frame.f);
    if (item) this.#steers.push(item);
    if (this.#steers.length > STEERS) this.#steers.shift();
  }

  /** The frame opens or closes a step or a turn, and is nothing else. */
  #bracket(read: Read, event: Event, entry: Step | Item | null): void {
    const { frame } = read;
    const placing = this.#placing;
    if (entry?.is === 'item') return placing.touch(entry, frame);
    const live = placing.turns.of(event);
    const span = entry ?? live?.turn;
    if (!span) return void placing.place(read, event);
    placing.places.reach(span, frame.f, frame.t);
    placing.where ??= { turn: turnOf(placing.agentOf(event), live), step: entry?.n ?? null, item: null };
  }
}

/** How the step ends that is under way when its turn ends. */
function endOf({ prompt, status, cancelled_f }: Turn): End {
  if (status === 'unanswered') return prompt ? 'cut' : 'done';
  return /cancel/.test(status!) || (cancelled_f !== null && /error/.test(status!)) ? 'cancelled' : 'done';
}
