/**
 * What the one-shot JSON outputs have in common: the prompt is on the command line or is the whole of stdin, as plain
 * text; only the agent speaks JSON; and it never asks its client. The agent's first line takes up the prompt (rule T1). If
 * no line ends the turn, the exit of the process does.
 */
import type { Event, ProcessEvent } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { type Message, NO_MESSAGE, textIn } from '../../model/message.ts';
import type { DialectLine, DialectReader, FirstLines, JsonObject } from '../dialect.ts';
import { stringOf, withText } from './fields.ts';
import { unknownEvent } from './siblings.ts';

/** Reads a line of the agent; null if the dialect does not know it. */
export type ReadAgentLine = (value: JsonObject) => Event[] | null;
/** The same for a line that is not a JSON object. */
type ReadAgentText = (text: string) => Event[] | null;

/** A step begins with one of these after the prompt or a result, where the agent does not mark it (rule S3). */
const STEP_STARTERS: ReadonlySet<string> = new Set(['text', 'thinking', 'tool-call']);

export class OneShotReader implements DialectReader {
  readonly #readLine: ReadAgentLine;
  readonly #marksSteps: boolean;
  readonly #readPlainText: ReadAgentText;
  /** The frame of the prompt; 0 is the command line. */
  #prompt = 0;
  #clientSpoke = false;
  #isOpen = false;
  #isOver = false;
  #stepIsOver = true;

  /** `marksSteps`: the agent itself says where a step begins. */
  constructor(readLine: ReadAgentLine, marksSteps = false, readPlainText: ReadAgentText = () => null) {
    this.#readLine = readLine;
    this.#marksSteps = marksSteps;
    this.#readPlainText = readPlainText;
  }

  read({ frame, value }: DialectLine): Event[] {
    if (frame.from === 'client') return this.readText(frame, textIn(frame))!;
    return this.#placeInTurn(this.#readLine(value) ?? [unknownEvent(value)]);
  }

  /** Text from the client is the prompt, and all of it is one. */
  readText(frame: Frame, text: string | null): Event[] | null {
    if (frame.from === 'agent' && text !== null) {
      const events = this.#readPlainText(text);
      return events && this.#placeInTurn(events);
    }
    if (frame.from !== 'client' || text === '') return null;
    if (this.#clientSpoke || this.#isOpen) return [withText({ kind: 'control', name: 'stdin' }, text)];
    this.#clientSpoke = true;
    this.#prompt = frame.f;
    return [withText({ kind: 'prompt', blocks: text === null ? [] : [{ type: 'text', text }] }, text)];
  }

  /** A run that exits without output has still taken up its prompt. A killed process has not answered it. */
  readEvent({ event, detail }: Frame, happening: ProcessEvent): void {
    if (event !== 'exit' || this.#isOver) return;
    if (!this.#isOpen) happening.takes = this.#prompt;
    if (typeof detail.code === 'number') happening.ended = detail.code === 0 ? 'finished' : 'error';
  }

  #placeInTurn(events: Event[]): Event[] {
    if (events.length === 0) return events;
    if (!this.#isOpen) {
      events[0]!.takes = this.#prompt;
      this.#isOpen = true;
    }
    for (const event of events) {
      if (!this.#marksSteps && this.#stepIsOver && STEP_STARTERS.has(event.kind)) {
        event.step = true;
        this.#stepIsOver = false;
      }
      if (event.kind === 'tool-result') this.#stepIsOver = true;
      if (event.kind !== 'prompt-answer') continue;
      event.prompt = this.#prompt;
      this.#isOver = true;
    }
    return events;
  }
}

/** The end of the turn, with an error if there is one. The reader knows which prompt it answers. */
export function endTurn(status: string, text: string | null = null): Event {
  return withText({ kind: 'prompt-answer', prompt: null, status, code: null }, text);
}

/** The agent repeats the prompt. */
export function repeatPrompt(text: string | null): Event {
  return withText({ kind: 'status', name: 'prompt', restates: true }, text);
}

/** Lines whose envelope is only a `type`. */
export function typedEnvelope(value: JsonObject): Message {
  const type = stringOf(value.type);
  return { ...NO_MESSAGE, envelope: type === null ? 'none' : 'notification', type, body: value };
}

/**
 * By the lines: certain if one line of the agent is unlike any other dialect and half of them are known. By the command
 * line only as long as the agent has sent nothing.
 */
export function recogniseByLines(
  { lines }: FirstLines,
  byCommand: boolean,
  isOurs: (value: JsonObject) => boolean,
): number {
  const agentLines = lines.filter(({ from }) => from === 'agent');
  if (agentLines.length === 0) return byCommand ? 0.8 : 0;
  return agentLines.filter(({ value }) => isOurs(value)).length * 2 >= agentLines.length ? 0.95 : 0;
}
