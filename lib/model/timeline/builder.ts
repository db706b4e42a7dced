/**
 * Builds the timeline in one pass, frame by frame, so that a running session has one too. The ledger records turns,
 * calls and requests; here every frame becomes part of an item, a step or a turn (rules T, S and U).
 */
import type { Event, Handshake } from '../event.ts';
import type { Agent } from '../ledger/agents.ts';
import { isReplayed, Ledger } from '../ledger/ledger.ts';
import type { Note } from '../ledger/note.ts';
import type { PairedFrame } from '../ledger/paired-frame.ts';
import { ContentPlacer } from './content-placer.ts';
import type { Timeline } from './entries.ts';
import { Placer, type TimelinePosition } from './placer.ts';
import { RequestPlacer } from './request-placer.ts';
import { TurnPlacer } from './turn-placer.ts';

export type { TimelinePosition as Where } from './placer.ts';

/** How many records of each type are kept if memory is bounded. */
const MAX_TIMELINE_RECORDS = 10_000;

interface TimelineBuilderOptions {
  keep?: boolean;
  bounded?: boolean;
  remembered?: number;
}

export class TimelineBuilder {
  readonly ledger: Ledger;
  readonly timeline: Timeline;
  readonly #placer: Placer;
  readonly #turns: TurnPlacer;
  readonly #content: ContentPlacer;
  readonly #requests: RequestPlacer;
  /** The client's latest handshake, until it is answered. */
  #proposedHandshake: Handshake = {};

  /**
   * Without `keep`, memory does not grow with the session: only sums and what later frames may refer to are kept. With
   * `keep` and `bounded`, the entries grow unless the caller takes the oldest out, and nothing else does.
   */
  constructor({ keep = true, bounded = !keep, remembered = MAX_TIMELINE_RECORDS }: TimelineBuilderOptions = {}) {
    const limit = bounded ? remembered : Number.POSITIVE_INFINITY;
    this.ledger = new Ledger({ bounded, remembered, contents: keep });
    this.#placer = new Placer(this.ledger, keep, limit);
    this.timeline = this.#placer.timeline;
    this.#turns = new TurnPlacer(this.#placer);
    this.#content = new ContentPlacer(this.#placer, limit);
    this.#requests = new RequestPlacer(this.#placer, limit);
  }

  /** How many records are kept besides the timeline. */
  get retained(): number {
    const placed = this.#placer.requests.size + this.#content.retained + this.#requests.retained;
    return this.ledger.retained + placed;
  }

  take(read: PairedFrame): TimelinePosition {
    const { ledger } = this;
    const placer = this.#placer;
    placer.where = null;
    this.#takeAll(read);
    const where = placer.where ?? { turn: ledger.turns.current?.turn.n ?? null, step: null, item: null };
    if (where.turn === null) this.#addOutsideFrame(read);
    return where;
  }

  #takeAll(read: PairedFrame): void {
    const { events } = read;
    const { ledger } = this;
    this.#placer.answeredTurn = null;
    ledger.begin(read);
    for (let n = 0; n < events.length; n++) this.#takeEvent(read, events[n]!, n);
    ledger.end(read);
    this.timeline.wait = ledger.wait;
  }

  /** The frame may belong to a turn that has not begun yet (rule T6). */
  #addOutsideFrame({ frame, events }: PairedFrame): void {
    const [first] = events;
    const isPrompt = events.some(({ kind }) => kind === 'prompt');
    if (this.ledger.turns.isInOwnTurn && !isPrompt) return;
    if (first && (first.subagent !== undefined || isReplayed(first) || first.flags?.includes('background'))) return;
    this.ledger.turns.addOutsideFrame(frame.f, isPrompt);
  }

  #takeEvent(read: PairedFrame, event: Event, n: number): void {
    const note = this.ledger.take(read, event, n);
    // Replayed history is always an item of its own.
    if (!note.agent) return void this.#placer.placeAtTop(read, event);
    this.#placer.note = note as Note & { agent: Agent };
    // The agent's own end marker is the last frame of its turn.
    const closes = event.kind === 'turn-end' && event.ends !== undefined;
    if (!closes) this.#turns.applyTurnChanges(read.frame);
    if (event.step) this.#turns.beginStep(read, event, null);
    this.#place(read, event);
    if (closes) this.#turns.applyTurnChanges(read.frame);
  }

  #place(read: PairedFrame, event: Event): void {
    // The commonest first.
    switch (event.kind) {
      case 'text':
      case 'thinking':
        return this.#content.placeText(read, event);
      case 'tool-args':
        return this.#content.toolArgs(read, event);
      case 'tool-call':
        return this.#content.toolCall(read, event);
      case 'tool-result':
        return this.#content.toolResult(read, event);
      case 'progress':
        return this.#content.addProgress(read, event);
      case 'usage':
        return this.#content.addUsage(read, event);
      case 'subagent':
        return this.#content.subagent(read, event);
      case 'step-begin':
        return this.#turns.beginStep(read, event, event.n);
      case 'step-end':
        return this.#turns.endStep(read, event, 'done');
      case 'step-interrupted':
        return this.#turns.endStep(read, event, 'interrupted');
      case 'step-retry':
        return this.#turns.retryStep(read, event);
      case 'turn-begin':
        return this.#turns.turnBegin(read, event);
      case 'turn-end':
        return this.#turns.turnEnd(read, event);
      case 'prompt':
        return this.#turns.prompt(read, event);
      case 'prompt-answer':
        return this.#turns.promptAnswer(read, event);
      case 'steer':
        return this.#turns.steer(read, event);
      case 'approval':
      case 'question':
      case 'client-call':
        return this.#requests.placeAsk(read, event);
      case 'approval-answer':
      case 'question-answer':
      case 'client-call-answer':
      case 'hook-answer':
        return this.#requests.placeAnswer(read, event);
      case 'approval-resolved':
        return this.#requests.placeResolution(read, event);
      case 'hook':
        return this.#requests.placeHook(read, event);
      case 'hook-resolved':
        return this.#requests.placeHookResolution(read, event);
      case 'cancel':
        return this.#requests.placeCancel(read, event);
      case 'handshake':
        this.#updateHandshake(read, event.about);
        return this.#placer.placePlain(read, event);
      default:
        return this.#placer.placePlain(read, event);
    }
  }

  /** What a client proposes counts once the agent has answered, or as long as nothing else is known. */
  #updateHandshake({ frame, message }: PairedFrame, about: Handshake): void {
    if (frame.from === 'client') {
      this.#proposedHandshake = about;
      this.timeline.handshake = { ...about, ...this.timeline.handshake };
      return;
    }
    if (message.envelope !== 'error') Object.assign(this.timeline.handshake, this.#proposedHandshake, about);
    this.#proposedHandshake = {};
  }
}
