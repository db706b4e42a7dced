/**
 * Handles lines of the live client: matches them with the tape, or answers them from another part of the tape or as the
 * protocol requires. What it does differently from the recorded client goes into the report and is printed.
 */

import type { JsonObject } from '../dialects/dialect.ts';
import { exactJson } from '../model/id.ts';
import { isObject } from '../model/message.ts';
import type { DecodedFrame } from '../model/read-frame.ts';
import type { Session } from '../session/session.ts';
import { Departures, type RecordedReply, recordedReply } from './departures.ts';
import type { LiveReader } from './live-reader.ts';
import { type LineMatch, Matcher, type MatchMode } from './match.ts';
import type { ReplayState } from './replay-state.ts';
import {
  addEntry,
  type Departure,
  type FirstDifference,
  lineValue,
  messageName,
  missText,
  nearText,
} from './report.ts';
import { isStray } from './script.ts';
import type { AgentStep, ClientStep } from './script-step.ts';

export interface ClientLineOptions {
  match: MatchMode;
  /** What to do with a request that is not on the tape. */
  onMiss: 'error' | 'warn' | 'stop';
  /** Other sessions that may have a branch that fits. */
  others: readonly Session[];
  /** The working directory of the live session, which counts as the recorded one. */
  cwd: string | null;
  /** Prints a line for the user. */
  print(line: string): void;
}

/** What the run does in response to a line. */
export interface ReplayEffects {
  /** Sends a line that is not on the tape. */
  send(line: string): void;
  /** The client asks for the history of the run. */
  resend(request: JsonObject): void;
  /** The client cancels while the history is sent; false if it is not. */
  stopResending(): boolean;
  stop(): void;
  /** Begins the tape again, for a line that the rest of it does not have; false if it does not begin again. */
  startOver(): boolean;
  /** The latest line that was sent. */
  last(): JsonObject | null;
}

export class ClientLineHandler {
  readonly matcher: Matcher;
  readonly #state: ReplayState;
  readonly #live: LiveReader;
  readonly #options: ClientLineOptions;
  readonly #effects: ReplayEffects;
  readonly #departures: Departures;

  constructor(stage: ReplayState, live: LiveReader, options: ClientLineOptions, effects: ReplayEffects) {
    const { session, tree, replay, turns } = stage;
    const recorded = session.metadata.cwd;
    // Everything is below the root.
    const cwd: [string, string] | null = options.cwd === null || recorded.length < 2 ? null : [recorded, options.cwd];
    this.matcher = new Matcher({ tree, mode: options.match, cwd, turns });
    this.#departures = new Departures([session, ...options.others], tree, replay);
    this.#state = stage;
    this.#live = live;
    this.#options = options;
    this.#effects = effects;
  }

  /** A line without its line end. */
  take(text: string): void {
    const line = this.#live.readClientLine(text);
    const ask = this.#live.requestAnsweredBy(line);
    if (!ask || !this.#handleAnswer(line, ask)) this.#handleLine(text, line);
  }

  #handleLine(text: string, line: DecodedFrame): void {
    const found = this.#find(line) ?? (this.#effects.startOver() ? this.#find(line) : null);
    if (found?.isExact && !this.#isTooEarly(found.step)) return this.#accept(found, line);
    if (this.#answerByProtocol(line)) return;
    if (!found || !this.matcher.takesNear) return this.#reportMiss(text, line, found);
    this.#reportDifference(found, line);
    this.#accept(found, line);
  }

  #find(line: DecodedFrame): LineMatch | null {
    const { awaited } = this.#state;
    return this.matcher.find(line, this.#state.idsOf(null), awaited, () => this.#state.read());
  }

  /**
   * The recorded client never answered this request, or did so under a wrong id. False: the line is handled like any
   * other.
   */
  #departFromSilence(line: DecodedFrame, ask: AgentStep): boolean {
    if (line.pairing?.role !== 'answers' || !this.#state.isRead || this.#state.isDropped(ask.group)) return false;
    this.#live.forget(line);
    const strays = [...this.#state.awaited.candidatesFor(line.message, line.value)];
    const stray = strays.find((hear) => isStray(hear) && hear.group === ask.group);
    const on = stray ? { f: stray.f, text: 'an answer with a wrong id' } : { f: ask.f, text: 'no answer' };
    return this.#depart(on, ask, line, { f: on.f, path: '', recorded: stray && lineValue(stray), live: line.value });
  }

  /** A prompt while a turn is open, which the recorded client sent only afterwards. */
  #isTooEarly({ isPrompt, isOwnAccord }: ClientStep): boolean {
    const { replay } = this.#state;
    return isPrompt && !isOwnAccord && replay.refuseWhileBusy !== undefined && this.#state.isBusy;
  }

  #accept({ step, pairs }: LineMatch, { value }: DecodedFrame): void {
    this.#state.accept(step, value, pairs);
    this.matcher.accepted(step, value);
  }

  #reportDifference(match: LineMatch, line: DecodedFrame): void {
    const { step, what, differences } = match;
    const isNew = addEntry(this.#state.report.near, { f: step.f, what, differences });
    this.#state.reportFirstDifference(firstDifferenceOf(match, line));
    if (isNew) this.#options.print(nearText(match));
  }

  /** An answer to a request of the agent. False if the recorded client never gave one. */
  #handleAnswer(line: DecodedFrame, ask: AgentStep): boolean {
    const ids = this.#state.idsOf(ask.group);
    const found = this.matcher.answer(line, ask, ids, this.#state.awaited, () => this.#state.read());
    if (found === null) return this.#departFromSilence(line, ask);
    this.#live.forget(line);
    if (found.is === 'departs' && this.#depart(recordedReply(found.step), ask, line, firstDifferenceOf(found, line)))
      return true;
    if (found.is !== 'same') this.#reportDifference(found, line);
    this.#accept(found, line);
    return true;
  }

  /** The live client answered differently from the recorded one. False: the line is handled like any other. */
  #depart(recorded: RecordedReply, ask: AgentStep, answer: DecodedFrame, first: FirstDifference): boolean {
    const turn = this.#state.turns.get(ask.prompt);
    const request = this.matcher.lineOf(ask);
    const prompt = turn?.line ?? this.matcher.requestOf(ask.group);
    const otherAnswer = {
      recorded,
      ask,
      asked: request,
      answer,
      prompt,
      turn,
      ids: this.#state.idsOf(ask.group),
      last: this.#effects.last(),
    };
    const found = this.#departures.answered(otherAnswer, () => this.#state.newIds());
    if (!found) return false;
    this.#state.dropGroup(ask.group, turn?.prompt ?? null, found.branch);
    this.#departed(found.departure, found.lines, first);
    return true;
  }

  #departed(departure: Departure, lines: readonly JsonObject[], first: FirstDifference): void {
    const isNew = addEntry(this.#state.report.departed, departure);
    this.#state.reportFirstDifference(first);
    if (isNew) this.#options.print(`the client departed from the tape: ${departure.what}`);
    for (const line of lines) this.#makeUp(line);
  }

  #makeUp(line: JsonObject): void {
    const text = exactJson(line);
    addEntry(this.#state.report.made_up, text);
    this.#effects.send(text);
  }

  /** Answers a line that is not on the tape as the protocol requires. */
  #answerByProtocol({ value, message, events }: DecodedFrame): boolean {
    if (!isObject(value)) return false;
    const { answerPing, answerAlways, resend, refuseWhileBusy } = this.#state.replay;
    const unexpected = this.#unexpected(value);
    const cancel = events.find((event) => event.kind === 'cancel');
    if (cancel && this.#cancel(cancel.of, value)) return true;
    const { isBusy } = this.#state;
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
      addEntry(this.#state.report.departed, { f: null, what, next: 'made-up', branch: null });
      this.#state.reportFirstDifference(unexpected);
      this.#effects.resend(value);
      return true;
    }
    const pingAnswer = answerPing?.(value) ?? null;
    if (pingAnswer !== null) this.#makeUp(pingAnswer);
    const answer = answerAlways?.(value, isBusy) ?? null;
    if (answer !== null) {
      const what = `${messageName({ message, events })} is not on the tape`;
      this.#departed({ f: null, what, next: 'made-up', branch: null }, [answer], unexpected);
    }
    return pingAnswer !== null || answer !== null;
  }

  /** A cancel that is not on the tape ends the open turn, or withdraws a request. */
  #cancel(of: string | null, value: JsonObject): boolean {
    const { turns, tree, replay, script } = this.#state;
    const ids = this.#state.idsOf(null);
    const unexpected = this.#unexpected(value);
    if (this.#effects.stopResending()) {
      for (const line of this.#departures.cancelled(null, value, ids, null).slice(0, 1)) this.#makeUp(line);
      return true;
    }
    if (of !== null && script.traits.cancelWithdrawsRequest) {
      const group = this.matcher.groupOfRequest(of);
      if (group === null) return false;
      this.#state.dropGroup(group, null, null);
      this.#departed({ f: null, what: `request ${of} was cancelled`, next: 'made-up', branch: null }, [], unexpected);
      return true;
    }
    const turn = turns.turnOf(value, tree);
    if (!turn || !replay.endTurn) return false;
    const lines = this.#departures.cancelled(turn, value, this.#state.idsOf(turn.group), this.#effects.last());
    this.#state.dropGroup(this.#state.groupOfTurn(turn), turn.prompt, null);
    const what = 'a cancel that is not on the tape';
    this.#departed({ f: turn.prompt, what, next: 'made-up', branch: null }, lines, unexpected);
    return true;
  }

  /** A live line that the tape does not have, beside what the recorded client sent next. */
  #unexpected(live: unknown): FirstDifference {
    const next = this.#state.awaited.first;
    return { f: next?.f ?? null, path: '', recorded: next ? lineValue(next) : undefined, live };
  }

  #reportMiss(text: string, line: DecodedFrame, nearest: LineMatch | null): void {
    const { onMiss } = this.#options;
    const { id, method, envelope } = line.message;
    const what = messageName(line, text);
    const isRequest = envelope === 'request' && id !== null;
    const again = onMiss === 'warn' && isRequest ? this.matcher.nearestAnswer(line) : null;
    const { refuse, refuseContent = refuse } = this.#state.replay;
    const refusal = nearest || this.matcher.hasSeen(line) ? refuseContent : refuse;
    const isRefused = again === null && isRequest && refusal !== undefined && onMiss !== 'stop';
    if (again !== null) this.#effects.send(again);
    else if (isRefused) this.#effects.send(exactJson(refusal(id, method ?? what)));
    const answered = again !== null ? 'nearest' : isRefused ? 'error' : 'nothing';
    const differences = nearest?.differences ?? [];
    const isNew = addEntry(this.#state.report.missed, {
      what,
      nearest_f: nearest?.step.f ?? null,
      differences,
      answered,
    });
    this.#state.reportFirstDifference(
      nearest ? firstDifferenceOf(nearest, line) : this.#unexpected(line.value ?? text),
    );
    // What does not fit in the report is not printed either.
    if (isNew) this.#options.print(missText(what, nearest, answered));
    if (onMiss === 'stop') this.#effects.stop();
  }
}

/** How a live line differs from the recorded one. */
function firstDifferenceOf({ step, differences }: LineMatch, { value, frame }: DecodedFrame): FirstDifference {
  const [first = { path: '', recorded: lineValue(step), live: value ?? frame.text }] = differences;
  return { f: step.f, ...first };
}
