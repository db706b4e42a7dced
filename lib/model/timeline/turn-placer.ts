/** Turns and steps (rules T and S). */
import type { Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import type { PairedFrame } from '../ledger/paired-frame.ts';
import { type Item, noUsage, type Step, type Turn } from './entries.ts';
import { addFlag, CONTAINER, extendSpan, itemOf } from './item.ts';
import type { Placer, TimelineEvent } from './placer.ts';

/** Real sessions never have more pending. */
const MAX_PENDING_STEERS = 1000;

export class TurnPlacer {
  readonly #placer: Placer;
  /** Sent into the turn and not yet in effect. */
  #steers: Item[] = [];

  constructor(placer: Placer) {
    this.#placer = placer;
  }

  /** Ends and begins turns for the current event, before the event itself is placed. */
  applyTurnChanges(frame: Frame): void {
    const { note, ledger } = this.#placer;
    const { cut } = ledger.calls;
    if (note.ended.length === 0 && !note.begun && !note.answered && cut.length === 0) return;
    for (const [agent, how] of note.ended) this.#placer.trackOf(agent).end(how);
    if (note.begun) this.#beginTurn(note.begun.turn as Turn, frame);
    if (note.answered) this.#answerTurn(note.answered.turn as Turn, frame);
    for (const call of cut) {
      const item = itemOf(call);
      const turn = call.turn as Turn | null;
      if (item) extendSpan(item, turn?.f_end ?? frame.f, turn?.t_end ?? frame.t);
    }
    if (note.ended.length > 0 && this.#steers.length > 0) this.#steers = [];
  }

  /** The ledger's turn becomes an entry that contains everything since its prompt. */
  #beginTurn(turn: Turn, { f, t }: Frame): void {
    const { requests, tree, keep, note } = this.#placer;
    const prompt = turn.is_seen ? (requests.get(turn.prompt_f) ?? null) : null;
    turn.is = 'turn';
    turn.prompt = prompt;
    turn.f_end = f;
    turn.t_end = t;
    turn.entries = [];
    turn.usage = noUsage();
    turn.hidden = null;
    turn[CONTAINER] = null;
    if (!prompt) return tree.put(turn, null);
    prompt.turn = turn.n;
    if (keep) return tree.takeSince(prompt, turn, note.adopted);
    // Their answers may still come.
    for (const adopted of note.adopted) {
      const request = requests.get(adopted);
      if (request) request.turn = turn.n;
    }
  }

  #answerTurn(turn: Turn, { f, t }: Frame): void {
    extendSpan(turn, f, t);
    this.#placer.answeredTurn = turn;
    this.#placer.where ??= { turn: turn.n, step: null, item: turn.prompt?.f ?? null };
  }

  prompt(read: PairedFrame, event: TimelineEvent<'prompt'>): void {
    const { frame, pairing } = read;
    const placer = this.#placer;
    if (frame.from !== 'client') {
      const repeated = event.restates && event.within !== undefined ? placer.requests.get(event.within) : undefined;
      return repeated ? placer.extendItem(repeated, frame) : void placer.place(read, event);
    }
    const request = pairing?.role === 'asks-again' ? placer.requestOf(pairing) : null;
    if (request) return placer.extendItem(request, frame);
    // At the top level even during another turn: it heads its own turn, or none.
    const item = placer.placeAtTop(read, event);
    if (placer.keep) item.blocks = event.blocks;
    placer.requests.set(frame.f, item);
  }

  promptAnswer(read: PairedFrame, event: TimelineEvent<'prompt-answer'>): void {
    const placer = this.#placer;
    const { note, ledger } = placer;
    const taken = note.answered ?? (event.prompt === null ? null : ledger.turns.turnOfPrompt(event.prompt));
    const known = event.prompt === null ? undefined : placer.requests.get(event.prompt);
    const prompt = (taken?.turn as Turn | undefined)?.prompt ?? (known?.kind === 'prompt' ? known : null);
    if (note.answered) {
      for (const id of event.denied ?? []) {
        const call = ledger.calls.latest(id);
        const item = call && call.asks.length === 0 ? itemOf(call) : null;
        if (item) addFlag(item, 'rule-denied');
      }
    } else if (!prompt) return placer.extendOrPlace(read, event, placer.requestOf(read.pairing));
    if (prompt) placer.addAnswer(prompt, read, event, true);
  }

  /** The agent's own turn marker. The outer one is the turn itself. */
  turnBegin(read: PairedFrame, event: TimelineEvent<'turn-begin'>): void {
    const placer = this.#placer;
    const turn = placer.note.open?.turn as Turn | undefined;
    const joined = placer.note.joined === null ? null : (placer.requests.get(placer.note.joined) ?? null);
    if (joined && turn) {
      joined.turn = turn.n;
      placer.tree.moveInto(joined, turn);
    }
    if (event.nested || (!turn && read.events.length === 1)) {
      const item = placer.place(read, event);
      if (event.nested) placer.track.beginTurn(item);
      return;
    }
    if (!turn) return;
    // The prompt is not on the tape, so show what the agent repeats of it.
    if (!turn.prompt && event.text) return void placer.place(read, event);
    placer.tree.reach(turn, read.frame.f, read.frame.t);
    placer.where ??= { turn: turn.n, step: null, item: null };
  }

  turnEnd(read: PairedFrame, event: TimelineEvent<'turn-end'>): void {
    const { frame } = read;
    const turn = this.#placer.note.open?.turn as Turn | undefined;
    this.#placeBracket(read, event, this.#placer.track.endTurn());
    if (event.ends !== undefined && turn) extendSpan(turn, frame.f, frame.t);
  }

  beginStep(read: PairedFrame, event: Event, shown: number | null): void {
    const placer = this.#placer;
    const { track } = placer;
    const outer = placer.containerOfStep(track);
    const step = track.beginStep(read.frame, shown);
    placer.tree.put(step, outer);
    if (event.kind === 'step-begin') this.#placeBracket(read, event, step);
  }

  endStep(read: PairedFrame, event: Event, state: 'done' | 'interrupted'): void {
    this.#placeBracket(read, event, this.#placer.track.endStep(state));
  }

  retryStep(read: PairedFrame, event: Event): void {
    this.#placer.track.discardStep();
    this.#placer.place(read, event);
  }

  /** A message sent into the turn. It takes effect when the agent repeats it. */
  steer(read: PairedFrame, event: TimelineEvent<'steer'>): void {
    const placer = this.#placer;
    if (event.done && event.restates) {
      // A refused one never takes effect.
      while (this.#steers[0]?.answer?.ok === false) this.#steers.shift();
      const item = this.#steers.shift() ?? null;
      if (item) item.parts++;
      return placer.extendOrPlace(read, event, item);
    }
    placer.placePlain(read, event);
    const item = placer.requests.get(read.frame.f);
    if (item) this.#steers.push(item);
    if (this.#steers.length > MAX_PENDING_STEERS) this.#steers.shift();
  }

  /** A frame that only opens or closes a step or a turn. */
  #placeBracket(read: PairedFrame, event: Event, entry: Step | Item | null): void {
    const { frame } = read;
    const placer = this.#placer;
    if (entry?.is === 'item') return placer.extendItem(entry, frame);
    const span = entry ?? (placer.note.open?.turn as Turn | undefined);
    if (!span) return void placer.place(read, event);
    placer.tree.reach(span, frame.f, frame.t);
    placer.where ??= { turn: placer.turn, step: entry?.n ?? null, item: null };
  }
}
