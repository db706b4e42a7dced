/**
 * Two dialects that are easily confused (rule F5). A line that only the sibling of the session's dialect knows gets the
 * sibling's kind and the flag `foreign`. It never starts a turn or decides anything, because the other side does not
 * understand it.
 */
import type { Event, ProcessEvent } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import type { DialectLine, DialectReader, JsonObject, SessionInfo } from '../dialect.ts';
import { isOneShot } from './command-line.ts';
import { flag, stringOf } from './fields.ts';

/** One of the two, which may have its prompt on the command line. */
export abstract class SiblingReader {
  protected readonly command: readonly string[];
  protected clientSpoke = false;
  protected agentSpoke = false;

  constructor({ command }: SessionInfo) {
    this.command = command;
  }

  /** Null if the line does not belong to this dialect. */
  abstract read(line: DialectLine): Event[] | null;

  /** A prompt that only the sibling could read waits like any other. */
  abstract queuePrompt(f: number): void;

  readArray(_frame: Frame, _values: unknown[]): Event[] | null {
    return null;
  }

  /** A run that exits without output has still taken up the prompt on its command line (rule T1). */
  readEvent({ event }: Frame, happening: ProcessEvent): void {
    const isSilent = !this.agentSpoke && !this.clientSpoke;
    if (event === 'exit' && isSilent && isOneShot(this.command)) happening.takes = 0;
  }
}

export class SiblingDialects implements DialectReader {
  readonly #own: SiblingReader;
  readonly #open: () => SiblingReader;
  #other: SiblingReader | null = null;

  constructor(own: SiblingReader, other: () => SiblingReader) {
    this.#own = own;
    this.#open = other;
  }

  read(line: DialectLine): Event[] {
    return this.#own.read(line) ?? this.#readForeign(line) ?? [unknownEvent(line.value)];
  }

  readArray(frame: Frame, values: unknown[]): Event[] | null {
    return this.#own.readArray(frame, values);
  }

  readEvent(frame: Frame, event: ProcessEvent): void {
    this.#own.readEvent(frame, event);
  }

  #readForeign(line: DialectLine): Event[] | null {
    this.#other ??= this.#open();
    const events = this.#other.read(line);
    for (const event of events ?? []) {
      delete event.takes;
      flag(event, 'foreign');
      if (event.kind === 'prompt') this.#own.queuePrompt(line.frame.f);
      if (event.kind === 'approval-answer') {
        event.decision = null;
        flag(event, 'bad-shape');
      }
    }
    return events;
  }
}

/** An unknown message stays visible; anything else is noise. */
export function unknownEvent(value: JsonObject): Event {
  const name = stringOf(value.type) ?? stringOf(value.method);
  return name === null ? { kind: 'noise', name: null, flags: ['invalid'] } : { kind: 'other', name };
}
