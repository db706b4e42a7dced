/**
 * Builds the timeline in one pass, frame by frame, so that a running session has one too. The rules (T, S, C, W, U) are
 * those of the model: a turn is a prompt that was taken up and ends with its answer; frames that refer to something go
 * with what they refer to, whatever the time; waiting is never running. Every frame is part of an item, a step or a turn.
 */
import type { Event, Handshake } from '../event.ts';
import { Asks } from './asks.ts';
import { Brackets } from './brackets.ts';
import { Deeds } from './deeds.ts';
import { Placing, type Read, type Where } from './placing.ts';
import { Questions } from './questions.ts';
import type { Timeline } from './shape.ts';
import { Waiting } from './waiting.ts';

export type { Read, Where } from './placing.ts';

/** So much is remembered of each kind where memory is bounded. */
const REMEMBERED = 10_000;

export class TimelineBuilder {
  readonly timeline: Timeline;
  readonly #placing: Placing;
  readonly #asks: Asks;
  readonly #brackets: Brackets;
  readonly #deeds: Deeds;
  readonly #questions: Questions;
  /** What the client's latest handshake says, until it is answered. */
  #proposed: Handshake = {};

  /** Without `keep` only the sums are kept, and what later frames may refer to: memory does not grow with the session. */
  constructor({ keep = true, remembered = REMEMBERED }: { keep?: boolean; remembered?: number } = {}) {
    const limit = keep ? Number.POSITIVE_INFINITY : remembered;
    const placing = new Placing(keep, limit);
    const { timeline } = placing;
    const waiting = new Waiting((total) => {
      timeline.wait = total;
    }, limit);
    this.timeline = timeline;
    this.#placing = placing;
    this.#asks = new Asks(placing.calls, waiting, limit);
    this.#brackets = new Brackets(placing, this.#asks);
    this.#deeds = new Deeds(placing, this.#asks, limit);
    this.#questions = new Questions(placing, this.#asks, limit);
  }

  /** How many things are held besides the timeline. */
  get retained(): number {
    return this.#placing.retained + this.#asks.retained + this.#deeds.retained + this.#questions.retained;
  }

  take(read: Read): Where {
    const { frame, message, events } = read;
    const placing = this.#placing;
    placing.where = null;
    this.#brackets.answered = null;
    // What ends the process is not part of what it ends.
    if (frame.event === 'exit' || frame.event === 'lost') this.#brackets.endAll(frame, events[0]);
    let failed = message.envelope === 'error';
    for (const event of events) {
      this.#event(read, event);
      if (event.kind === 'error') failed = true;
    }
    if (frame.event === 'eof' && frame.from === 'client') this.#asks.givesUp(null, frame.t);
    if (failed && !isReplayed(events[0])) this.timeline.counts.errors++;
    return placing.where ?? { turn: placing.turns.current?.turn.n ?? null, step: null, item: null };
  }

  #event(read: Read, event: Event): void {
    // History that is sent again stands by itself, whatever goes on.
    if (isReplayed(event)) return void this.#placing.apart(read, event);
    if (event.takes !== undefined) this.#brackets.takeUp(event.takes, event, read.frame);
    if (event.step) this.#brackets.beginStep(read, event, null);
    // The commonest first.
    switch (event.kind) {
      case 'text':
      case 'thinking':
        return this.#deeds.text(read, event);
      case 'tool-args':
        return this.#deeds.toolArgs(read, event);
      case 'tool-call':
        return this.#deeds.toolCall(read, event);
      case 'tool-result':
        return this.#deeds.toolResult(read, event);
      case 'progress':
        return this.#deeds.progress(read, event);
      case 'status':
        return this.#deeds.status(read, event);
      case 'usage':
        return this.#deeds.tokens(read, event, this.#brackets.answered);
      case 'subagent':
        return this.#deeds.subagent(read, event);
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
        return this.#questions.ask(read, event);
      case 'approval-answer':
      case 'question-answer':
      case 'client-call-answer':
      case 'hook-answer':
        return this.#questions.answer(read, event);
      case 'approval-resolved':
        return this.#questions.resolved(read, event);
      case 'hook':
        return this.#questions.hook(read, event);
      case 'hook-resolved':
        return this.#questions.hookResolved(read, event);
      case 'cancel':
        return this.#questions.cancel(read, event);
      case 'handshake':
        this.#introduce(read, event.about);
        return this.#placing.plain(read, event);
      default:
        return this.#placing.plain(read, event);
    }
  }

  /** What a client proposes holds only with the agent's answer, or as long as nothing else is known. */
  #introduce({ frame, message }: Read, about: Handshake): void {
    if (frame.from === 'client') {
      this.#proposed = about;
      this.timeline.handshake = { ...about, ...this.timeline.handshake };
      return;
    }
    if (message.envelope !== 'error') Object.assign(this.timeline.handshake, this.#proposed, about);
    this.#proposed = {};
  }
}

const isReplayed = (event: Event | undefined): boolean => event?.flags?.includes('replayed') ?? false;
