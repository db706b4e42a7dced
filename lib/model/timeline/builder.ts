/**
 * Builds the timeline in one pass, frame by frame, so that a running session has one too. The ledger records turns,
 * calls and requests; here every frame becomes part of an item, a step or a turn (rules T, S and U).
 */
import type { Event, Handshake } from '../event.ts';
import type { Agent } from '../ledger/agents.ts';
import { isReplayed, Ledger } from '../ledger/ledger.ts';
import type { Note } from '../ledger/note.ts';
import type { Reading } from '../ledger/reading.ts';
import { Brackets } from './brackets.ts';
import { Content } from './content.ts';
import { Placer, type Where } from './placer.ts';
import { Requests } from './requests.ts';
import type { Timeline } from './shape.ts';

export type { Where } from './placer.ts';

/** How many records of each type are kept if memory is bounded. */
const REMEMBERED = 10_000;

interface Kept {
  keep?: boolean;
  bounded?: boolean;
  remembered?: number;
}

export class TimelineBuilder {
  readonly ledger: Ledger;
  readonly timeline: Timeline;
  readonly #placer: Placer;
  readonly #brackets: Brackets;
  readonly #content: Content;
  readonly #requests: Requests;
  /** The client's latest handshake, until it is answered. */
  #proposed: Handshake = {};

  /**
   * Without `keep`, memory does not grow with the session: only sums and what later frames may refer to are kept. With
   * `keep` and `bounded`, the entries grow unless somebody takes the oldest out, and nothing else does.
   */
  constructor({ keep = true, bounded = !keep, remembered = REMEMBERED }: Kept = {}) {
    const limit = bounded ? remembered : Number.POSITIVE_INFINITY;
    this.ledger = new Ledger({ bounded, remembered, contents: keep });
    this.#placer = new Placer(this.ledger, keep, limit);
    this.timeline = this.#placer.timeline;
    this.#brackets = new Brackets(this.#placer);
    this.#content = new Content(this.#placer, limit);
    this.#requests = new Requests(this.#placer, limit);
  }

  /** How many records are kept besides the timeline. */
  get retained(): number {
    const placed = this.#placer.requests.size + this.#content.retained + this.#requests.retained;
    return this.ledger.retained + placed;
  }

  take(read: Reading): Where {
    const { ledger } = this;
    const placer = this.#placer;
    placer.where = null;
    this.#takeAll(read);
    const where = placer.where ?? { turn: ledger.turns.current?.turn.n ?? null, step: null, item: null };
    if (where.turn === null) this.#staysOutside(read);
    return where;
  }

  #takeAll(read: Reading): void {
    const { events } = read;
    const { ledger } = this;
    this.#placer.answeredTurn = null;
    ledger.begin(read);
    for (let n = 0; n < events.length; n++) this.#event(read, events[n]!, n);
    ledger.end(read);
    this.timeline.wait = ledger.wait;
  }

  /** The frame may belong to a turn that has not begun yet (rule T6). */
  #staysOutside({ frame, events }: Reading): void {
    const [first] = events;
    const isPrompt = events.some(({ kind }) => kind === 'prompt');
    if (this.ledger.turns.own && !isPrompt) return;
    if (first && (first.subagent !== undefined || isReplayed(first) || first.flags?.includes('background'))) return;
    this.ledger.turns.outside(frame.f, isPrompt);
  }

  #event(read: Reading, event: Event, n: number): void {
    const note = this.ledger.take(read, event, n);
    // Replayed history is always an item of its own.
    if (!note.agent) return void this.#placer.apart(read, event);
    this.#placer.note = note as Note & { agent: Agent };
    // The agent's own end marker is the last frame of its turn.
    const closes = event.kind === 'turn-end' && event.ends !== undefined;
    if (!closes) this.#brackets.turnOver(read.frame);
    if (event.step) this.#brackets.beginStep(read, event, null);
    this.#place(read, event);
    if (closes) this.#brackets.turnOver(read.frame);
  }

  #place(read: Reading, event: Event): void {
    // The commonest first.
    switch (event.kind) {
      case 'text':
      case 'thinking':
        return this.#content.text(read, event);
      case 'tool-args':
        return this.#content.toolArgs(read, event);
      case 'tool-call':
        return this.#content.toolCall(read, event);
      case 'tool-result':
        return this.#content.toolResult(read, event);
      case 'progress':
        return this.#content.progress(read, event);
      case 'usage':
        return this.#content.tokens(read, event);
      case 'subagent':
        return this.#content.subagent(read, event);
      case 'step-begin':
        return this.#brackets.beginStep(read, event, event.n);
      case 'step-end':
        return this.#brackets.endStep(read, event, 'done');
      case 'step-interrupted':
        return this.#brackets.endStep(read, event, 'interrupted');
      case 'step-retry':
        return this.#brackets.retryStep(read, event);
      case 'turn-begin':
        return this.#brackets.turnBegin(read, event);
      case 'turn-end':
        return this.#brackets.turnEnd(read, event);
      case 'prompt':
        return this.#brackets.prompt(read, event);
      case 'prompt-answer':
        return this.#brackets.promptAnswer(read, event);
      case 'steer':
        return this.#brackets.steer(read, event);
      case 'approval':
      case 'question':
      case 'client-call':
        return this.#requests.ask(read, event);
      case 'approval-answer':
      case 'question-answer':
      case 'client-call-answer':
      case 'hook-answer':
        return this.#requests.answer(read, event);
      case 'approval-resolved':
        return this.#requests.resolved(read, event);
      case 'hook':
        return this.#requests.hook(read, event);
      case 'hook-resolved':
        return this.#requests.hookResolved(read, event);
      case 'cancel':
        return this.#requests.cancel(read, event);
      case 'handshake':
        this.#introduce(read, event.about);
        return this.#placer.plain(read, event);
      default:
        return this.#placer.plain(read, event);
    }
  }

  /** What a client proposes counts once the agent has answered, or as long as nothing else is known. */
  #introduce({ frame, message }: Reading, about: Handshake): void {
    if (frame.from === 'client') {
      this.#proposed = about;
      this.timeline.handshake = { ...about, ...this.timeline.handshake };
      return;
    }
    if (message.envelope !== 'error') Object.assign(this.timeline.handshake, this.#proposed, about);
    this.#proposed = {};
  }
}
