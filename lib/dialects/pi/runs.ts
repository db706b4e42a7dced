/**
 * The runs of pi: what follows a prompt, from `agent_start` to `agent_end`. After an error that may pass, pi goes on with the
 * same prompt, but says so only in its next line; until then the run is not over.
 */
import type { Event, ProcessEvent } from '../../model/event.ts';
import { withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { endOf } from './messages.ts';
import { isTransient } from './words.ts';

export class PiRuns {
  /** Prompts that were neither taken up nor refused, by frame. */
  #waiting: number[] = [];
  /** The prompt of the open run; null if there is none, or pi began it by itself. */
  #prompt: number | null = null;
  #isOpen = false;
  #isOwn = false;
  /** The error of a run that may go on. */
  #error: string | null = null;
  /** Nothing came from the client: the prompt is on the command line. */
  #isAlone = true;
  #retries = true;

  /** A prompt now is refused, or waits for its turn in the run if it says so. */
  get isBusy(): boolean {
    return this.#isOpen || this.#waiting.length > 0;
  }

  markClientSpoke(): void {
    this.#isAlone = false;
  }

  prompted(f: number): void {
    this.#waiting.push(f);
  }

  refused(f: number): void {
    this.#waiting = this.#waiting.filter((one) => one !== f);
  }

  /** The client turned it off, or on again. */
  setRetries(enabled: boolean): void {
    this.#retries = enabled;
  }

  begins(): Event {
    this.#error = null;
    const event: Event = { kind: 'turn-begin', nested: false };
    if (this.#isOpen) return { ...event, restates: true };
    this.#isOpen = true;
    const prompt = this.#waiting.shift() ?? (this.#isAlone ? 0 : null);
    this.#isAlone = false;
    this.#prompt = prompt;
    this.#isOwn = prompt === null;
    return prompt === null ? { ...event, nested: true, own: true } : { ...event, takes: prompt };
  }

  ends(value: JsonObject): Event {
    const { status, error } = endOf(value);
    const isOver = status !== 'error' || error === null || !this.#retries || !isTransient(error);
    if (isOver || !this.#isOpen) return this.#over(status, error);
    this.#error = error;
    return withText({ kind: 'status', name: 'agent_end' }, error);
  }

  /** pi goes on after the error. */
  goesOn(): void {
    this.#error = null;
  }

  /** pi does not go on. */
  givesUp(error: string | null): Event[] {
    return this.#isOpen ? [this.#over('error', error ?? this.#error)] : [];
  }

  /** Something else came first, so pi does not go on after its error. */
  settles(): Event[] {
    return this.#error === null ? [] : this.givesUp(null);
  }

  /** The process exits. A killed one has ended nothing. */
  exits(code: unknown, isOneShot: boolean, happening: ProcessEvent): void {
    if (isOneShot && this.#isAlone) happening.takes = 0;
    if (!this.#isOpen && happening.takes === undefined) return;
    if (this.#error !== null) happening.ended = 'error';
    else if (isOneShot && typeof code === 'number') happening.ended = code === 0 ? 'finished' : 'error';
  }

  #over(status: string, text: string | null): Event {
    const prompt = this.#prompt;
    const isOwn = this.#isOwn;
    this.#prompt = null;
    this.#isOpen = false;
    this.#isOwn = false;
    this.#error = null;
    if (isOwn) return withText({ kind: 'turn-end' }, text);
    return withText({ kind: 'prompt-answer', prompt, status, code: null }, text);
  }
}
