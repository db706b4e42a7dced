/**
 * Handles lines of the live client: matches them with the tape, or answers them from another part of the tape or as the
 * protocol requires. What it does differently from the recorded client goes into the report and is printed.
 */

import type { Json } from '../dialects/dialect.ts';
import { exactJson } from '../model/id.ts';
import { isObject } from '../model/message.ts';
import type { Decoded } from '../model/read-frame.ts';
import type { Session } from '../session/session.ts';
import { Departures, type Recorded, saidIn } from './departures.ts';
import type { LiveLines } from './live-lines.ts';
import { type Match, Matcher, type MatchMode } from './match.ts';
import { type Departure, type FirstDifference, lineOf, missText, nameOf, nearText, note } from './report.ts';
import { isStray } from './script.ts';
import type { Stage } from './stage.ts';
import type { Hear, Say } from './steps.ts';

export interface HearingOptions {
  match: MatchMode;
  /** What to do with a request that is not on the tape. */
  onMiss: 'error' | 'warn' | 'stop';
  /** Other sessions that may have a branch that fits. */
  others: readonly Session[];
  /** The working directory of the live session, which counts as the recorded one. */
  cwd: string | null;
  /** Prints a line for the user. */
  say(line: string): void;
}

/** What the run does in response to a line. */
export interface Effects {
  /** Sends a line that is not on the tape. */
  send(line: string): void;
  /** The client asks for the history of the run. */
  resend(request: Json): void;
  /** The client cancels while the history is sent; false if it is not. */
  stopResending(): boolean;
  stop(): void;
  /** Begins the tape again, for a line that the rest of it does not have; false if it does not begin again. */
  startOver(): boolean;
  /** The latest line that was sent. */
  last(): Json | null;
}

export class Hearing {
  readonly matcher: Matcher;
  readonly #stage: Stage;
  readonly #live: LiveLines;
  readonly #options: HearingOptions;
  readonly #effects: Effects;
  readonly #departures: Departures;

  constructor(stage: Stage, live: LiveLines, options: HearingOptions, effects: Effects) {
    const { session, tree, replay, turns } = stage;
    const recorded = session.metadata.cwd;
    // Everything is below the root.
    const cwd: [string, string] | null = options.cwd === null || recorded.length < 2 ? null : [recorded, options.cwd];
    this.matcher = new Matcher({ tree, mode: options.match, cwd, turns });
    this.#departures = new Departures([session, ...options.others], tree, replay);
    this.#stage = stage;
    this.#live = live;
    this.#options = options;
    this.#effects = effects;
  }

  /** A line without its line end. */
  take(text: string): void {
    const line = this.#live.heard(text);
    const ask = this.#live.askedBy(line);
    if (!ask || !this.#answer(line, ask)) this.#line(text, line);
  }

  #line(text: string, line: Decoded): void {
    const found = this.#find(line) ?? (this.#effects.startOver() ? this.#find(line) : null);
    if (found?.isExact && !this.#isTooEarly(found.step)) return this.#accept(found, line);
    if (this.#answerByProtocol(line)) return;
    if (!found || !this.matcher.takesNear) return this.#miss(text, line, found);
    this.#near(found, line);
    this.#accept(found, line);
  }

  #find(line: Decoded): Match | null {
    const { awaited } = this.#stage;
    return this.matcher.find(line, this.#stage.idsOf(null), awaited, () => this.#stage.read());
  }

  /**
   * The recorded client never answered this request, or did so under a wrong id. False: the line is handled like any
   * other.
   */
  #answeredNow(line: Decoded, ask: Say): boolean {
    if (line.pairing?.role !== 'answers' || !this.#stage.isRead || this.#stage.isCut(ask.group)) return false;
    this.#live.forget(line);
    const strays = [...this.#stage.awaited.like(line.message, line.value)];
    const stray = strays.find((hear) => isStray(hear) && hear.group === ask.group);
    const on = stray ? { f: stray.f, said: 'an answer with a wrong id' } : { f: ask.f, said: 'no answer' };
    return this.#depart(on, ask, line, { f: on.f, path: '', recorded: stray && lineOf(stray), live: line.value });
  }

  /** A prompt while a turn is open, which the recorded client sent only afterwards. */
  #isTooEarly({ isPrompt, isOwnAccord }: Hear): boolean {
    const { replay } = this.#stage;
    return isPrompt && !isOwnAccord && replay.refuseWhileBusy !== undefined && this.#stage.isBusy;
  }

  #accept({ step, pairs }: Match, { value }: Decoded): void {
    this.#stage.accept(step, value, pairs);
    this.matcher.came(step, value);
  }

  #near(match: Match, line: Decoded): void {
    const { step, what, differences } = match;
    const isNew = note(this.#stage.report.near, { f: step.f, what, differences });
    this.#stage.differs(firstOf(match, line));
    if (isNew) this.#options.say(nearText(match));
  }

  /** An answer to a request of the agent. False if the recorded client never gave one. */
  #answer(line: Decoded, ask: Say): boolean {
    const ids = this.#stage.idsOf(ask.group);
    const found = this.matcher.answer(line, ask, ids, this.#stage.awaited, () => this.#stage.read());
    if (found === null) return this.#answeredNow(line, ask);
    this.#live.forget(line);
    if (found.is === 'departs' && this.#depart(saidIn(found.step), ask, line, firstOf(found, line))) return true;
    if (found.is !== 'same') this.#near(found, line);
    this.#accept(found, line);
    return true;
  }

  /** The live client answered differently from the recorded one. False: the line is handled like any other. */
  #depart(recorded: Recorded, ask: Say, answer: Decoded, first: FirstDifference): boolean {
    const turn = this.#stage.turns.get(ask.prompt);
    const asked = this.matcher.lineOf(ask);
    const prompt = turn?.line ?? this.matcher.requestOf(ask.group);
    const other = {
      recorded,
      ask,
      asked,
      answer,
      prompt,
      turn,
      ids: this.#stage.idsOf(ask.group),
      last: this.#effects.last(),
    };
    const found = this.#departures.answered(other, () => this.#stage.newIds());
    if (!found) return false;
    this.#stage.cut(ask.group, turn?.prompt ?? null, found.branch);
    this.#departed(found.departure, found.lines, first);
    return true;
  }

  #departed(departure: Departure, lines: readonly Json[], first: FirstDifference): void {
    const isNew = note(this.#stage.report.departed, departure);
    this.#stage.differs(first);
    if (isNew) this.#options.say(`the client departed from the tape: ${departure.what}`);
    for (const line of lines) this.#makeUp(line);
  }

  #makeUp(line: Json): void {
    const text = exactJson(line);
    note(this.#stage.report.made_up, text);
    this.#effects.send(text);
  }

  /** Answers a line that is not on the tape as the protocol requires. */
  #answerByProtocol({ value, message, events }: Decoded): boolean {
    if (!isObject(value)) return false;
    const { answerPing, answerAlways, resend, refuseWhileBusy } = this.#stage.replay;
    const unexpected = this.#unexpected(value);
    const cancel = events.find((event) => event.kind === 'cancel');
    if (cancel && this.#cancel(cancel.of, value)) return true;
    const { isBusy } = this.#stage;
    if (isBusy && refuseWhileBusy && message.id !== null && events.some(({ kind }) => kind === 'prompt')) {
      const refusal = refuseWhileBusy(message.id, message.method ?? '');
      this.#departed(
        { f: null, what: 'a prompt while a turn is open', next: 'made-up', branch: null },
        [refusal],
        unexpected,
      );
      return true;
    }
    if (resend && message.method === resend.method && message.envelope === 'request') {
      const what = `${resend.method}: the history so far`;
      note(this.#stage.report.departed, { f: null, what, next: 'made-up', branch: null });
      this.#stage.differs(unexpected);
      this.#effects.resend(value);
      return true;
    }
    const pong = answerPing?.(value) ?? null;
    if (pong !== null) this.#makeUp(pong);
    const answer = answerAlways?.(value, isBusy) ?? null;
    if (answer !== null) {
      const what = `${nameOf({ message, events })} is not on the tape`;
      this.#departed({ f: null, what, next: 'made-up', branch: null }, [answer], unexpected);
    }
    return pong !== null || answer !== null;
  }

  /** A cancel that is not on the tape ends the open turn, or withdraws a request. */
  #cancel(of: string | null, value: Json): boolean {
    const { turns, tree, replay, script } = this.#stage;
    const ids = this.#stage.idsOf(null);
    const unexpected = this.#unexpected(value);
    if (this.#effects.stopResending()) {
      for (const line of this.#departures.cancelled(null, value, ids, null).slice(0, 1)) this.#makeUp(line);
      return true;
    }
    if (of !== null && script.traits.cancelWithdrawsRequest) {
      const group = this.matcher.groupOfRequest(of);
      if (group === null) return false;
      this.#stage.cut(group, null, null);
      this.#departed({ f: null, what: `request ${of} was cancelled`, next: 'made-up', branch: null }, [], unexpected);
      return true;
    }
    const turn = turns.about(value, tree);
    if (!turn || !replay.endTurn) return false;
    const lines = this.#departures.cancelled(turn, value, this.#stage.idsOf(turn.group), this.#effects.last());
    this.#stage.cut(this.#stage.groupOfTurn(turn), turn.prompt, null);
    const what = 'a cancel that is not on the tape';
    this.#departed({ f: turn.prompt, what, next: 'made-up', branch: null }, lines, unexpected);
    return true;
  }

  /** A live line that the tape does not have, beside what the recorded client sent next. */
  #unexpected(live: unknown): FirstDifference {
    const next = this.#stage.awaited.first;
    return { f: next?.f ?? null, path: '', recorded: next ? lineOf(next) : undefined, live };
  }

  #miss(text: string, line: Decoded, nearest: Match | null): void {
    const { onMiss } = this.#options;
    const { id, method, envelope } = line.message;
    const what = nameOf(line, text);
    const isRequest = envelope === 'request' && id !== null;
    const again = onMiss === 'warn' && isRequest ? this.matcher.nearestAnswer(line) : null;
    const { refuse, refuseContent = refuse } = this.#stage.replay;
    const refusal = nearest || this.matcher.hasSeen(line) ? refuseContent : refuse;
    const isRefused = again === null && isRequest && refusal !== undefined && onMiss !== 'stop';
    if (again !== null) this.#effects.send(again);
    else if (isRefused) this.#effects.send(exactJson(refusal(id, method ?? what)));
    const answered = again !== null ? 'nearest' : isRefused ? 'error' : 'nothing';
    const differences = nearest?.differences ?? [];
    const isNew = note(this.#stage.report.missed, { what, nearest_f: nearest?.step.f ?? null, differences, answered });
    this.#stage.differs(nearest ? firstOf(nearest, line) : this.#unexpected(line.value ?? text));
    // What does not fit in the report is not printed either.
    if (isNew) this.#options.say(missText(what, nearest, answered));
    if (onMiss === 'stop') this.#effects.stop();
  }
}

/** How a live line differs from the recorded one. */
function firstOf({ step, differences }: Match, { value, frame }: Decoded): FirstDifference {
  const [first = { path: '', recorded: lineOf(step), live: value ?? frame.text }] = differences;
  return { f: step.f, ...first };
}
