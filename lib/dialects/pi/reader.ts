/** Reads the lines of pi. */
import type { Event, ProcessEvent } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { textIn } from '../../model/message.ts';
import { blocksOf, readable, textOfBlocks } from '../common/content.ts';
import { errorText, flag, handshakeEvent, listOf, objectOf, stringOf, withText } from '../common/fields.ts';
import { unknownEvent } from '../common/siblings.ts';
import { flagRole } from '../common/stray.ts';
import type { DialectLine, DialectReader, JsonObject } from '../dialect.ts';
import { PiDialogs } from './dialogs.ts';
import { PiMessages } from './messages.ts';
import { isOneShot } from './mode.ts';
import { PiRuns } from './runs.ts';
import { PiTools } from './tools.ts';
import { DIALOGS, isCommand } from './words.ts';

export class PiReader implements DialectReader {
  readonly #isOneShot: boolean;
  readonly #runs = new PiRuns();
  readonly #messages = new PiMessages();
  readonly #tools = new PiTools();
  readonly #dialogs = new PiDialogs();

  constructor(command: readonly string[]) {
    this.#isOneShot = isOneShot(command);
  }

  read(line: DialectLine): Event[] {
    const isOfClient = line.frame.from === 'client';
    const type = stringOf(line.value.type) ?? '';
    const events = isOfClient ? this.#readClient(line, type) : this.#readAgent(line, type);
    if (isOfClient || type === 'response') events.push(...this.#runs.settles());
    return flagRole(events, line);
  }

  /** `--mode json` takes the whole of stdin as its prompt. */
  readText(frame: Frame, text: string | null): Event[] | null {
    if (frame.from !== 'client' || !this.#isOneShot || text === '') return null;
    if (this.#runs.isBusy) return [withText({ kind: 'control', name: 'stdin' }, text)];
    this.#runs.markClientSpoke();
    this.#runs.prompted(frame.f);
    return [withText({ kind: 'prompt', blocks: text === null ? [] : [{ type: 'text', text }] }, text)];
  }

  readEvent({ event, detail }: Frame, happening: ProcessEvent): void {
    if (event === 'exit') this.#runs.exits(detail.code, this.#isOneShot, happening);
  }

  // The client

  #readClient(line: DialectLine, type: string): Event[] {
    const { value, frame } = line;
    if (this.#isOneShot) return this.readText(frame, textIn(frame))!;
    this.#runs.markClientSpoke();
    switch (type) {
      case 'prompt':
        return [this.#readPrompt(line)];
      case 'steer':
      case 'follow_up':
        return [readSteer(value, false)];
      case 'abort':
        return [{ kind: 'cancel', of: null, done: false }];
      case 'extension_ui_response':
        return [this.#dialogs.answer(line)].map((event) => (line.pairing?.exchange ? event : flag(event, 'orphan')));
      case 'bash':
        return [withText({ kind: 'control', name: type }, stringOf(value.command))];
      case 'set_auto_retry':
        this.#runs.setRetries(value.enabled !== false);
        return [{ kind: 'control', name: type }];
      default:
        return [isCommand(type) ? { kind: 'control', name: type } : unknownEvent(value)];
    }
  }

  #readPrompt({ frame, value, pairing }: DialectLine): Event {
    if (typeof value.streamingBehavior === 'string' && this.#runs.isBusy) return readSteer(value, false);
    const blocks = contentOf(value);
    const event: Event = { kind: 'prompt', blocks, text: textOfBlocks(blocks) };
    if (pairing?.role === 'asks-again') return { ...event, restates: true };
    this.#runs.prompted(frame.f);
    return event;
  }

  // The agent

  #readAgent(line: DialectLine, type: string): Event[] {
    const { value } = line;
    switch (type) {
      case 'response':
        return this.#readResponse(line);
      case 'agent_start':
        return [this.#runs.begins()];
      case 'agent_end':
        this.#tools.clear();
        return [this.#runs.ends(value)];
      case 'turn_start':
        return [{ kind: 'step-begin', n: null }];
      case 'turn_end':
        return [{ kind: 'step-end' }];
      case 'message_start':
        return this.#messages.readStart(objectOf(value.message));
      case 'message_update':
        return [this.#messages.readUpdate(value)];
      case 'message_end':
        return this.#messages.readEnd(objectOf(value.message));
      case 'tool_execution_start':
        return [this.#tools.starts(value)];
      case 'tool_execution_update':
        return [this.#tools.goesOn(value)];
      case 'tool_execution_end':
        return [this.#tools.ends(value)];
      case 'extension_ui_request':
        return [this.#readExtension(line)];
      default:
        return this.#readNotice(type, value);
    }
  }

  #readNotice(type: string, value: JsonObject): Event[] {
    switch (type) {
      case 'session':
        return [
          handshakeEvent({
            agent: { name: 'pi', version: null },
            session: stringOf(value.id),
            cwd: stringOf(value.cwd),
          }),
        ];
      case 'queue_update': {
        const waiting = [...listOf(value.steering), ...listOf(value.followUp)].filter((one) => typeof one === 'string');
        return [{ kind: 'status', name: type, text: waiting.join('\n') }];
      }
      case 'auto_retry_start':
        this.#runs.goesOn();
        return [withText({ kind: 'notice', name: type, retry: true }, stringOf(value.errorMessage))];
      case 'auto_retry_end':
        return this.#readRetryEnd(value);
      case 'compaction_start':
        if (value.reason === 'overflow') this.#runs.goesOn();
        return [withText({ kind: 'compaction', done: false }, stringOf(value.reason))];
      case 'compaction_end':
        return this.#readCompactionEnd(value);
      case 'extension_error':
        return [withText({ kind: 'error', code: null }, errorText(value.error))];
      case 'session_info_changed':
      case 'thinking_level_changed':
        return [withText({ kind: 'status', name: type }, stringOf(value.name) ?? stringOf(value.level))];
      default:
        return [unknownEvent(value)];
    }
  }

  #readRetryEnd({ success, finalError }: JsonObject): Event[] {
    const event = withText({ kind: 'status', name: 'auto_retry_end' } as Event, stringOf(finalError));
    return success === false ? [event, ...this.#runs.givesUp(stringOf(finalError))] : [event];
  }

  #readCompactionEnd({ result, errorMessage, reason, willRetry }: JsonObject): Event[] {
    const text = stringOf(objectOf(result).summary) ?? stringOf(errorMessage);
    const event = withText({ kind: 'compaction', done: true } as Event, text);
    const isOver = reason === 'overflow' && willRetry !== true;
    return isOver ? [event, ...this.#runs.givesUp(stringOf(errorMessage))] : [event];
  }

  #readExtension(line: DialectLine): Event {
    const { value } = line;
    const method = stringOf(value.method);
    if (method !== null && DIALOGS.has(method)) return this.#dialogs.ask(line, value, this.#tools.latest);
    if (method === 'notify') return withText({ kind: 'notice', name: method }, stringOf(value.message));
    const text = stringOf(value.statusText) ?? stringOf(value.title) ?? stringOf(value.text);
    return withText({ kind: 'status', name: method }, text);
  }

  /** Each command is answered; a prompt only to say that it was accepted. */
  #readResponse({ value, pairing }: DialectLine): Event[] {
    const command = stringOf(value.command);
    const exchange = pairing?.exchange ?? null;
    const ok = value.success !== false;
    const why = ok ? null : errorText(value.error);
    // Of a line that pi could not read, or a command that it does not have.
    if (!ok && exchange === null) return [withText({ kind: 'error', code: null }, why)];
    switch (command) {
      case 'prompt':
        if (ok) return [{ kind: 'status', name: command, text: 'accepted' }];
        if (exchange) this.#runs.refused(exchange.askedF);
        return [
          withText({ kind: 'prompt-answer', prompt: exchange?.askedF ?? null, status: 'error', code: null }, why),
        ];
      case 'steer':
      case 'follow_up':
        return [withText({ kind: 'steer', blocks: [], done: ok }, why)];
      case 'abort':
        return [withText({ kind: 'cancel', of: null, done: ok }, why)];
      default:
        return [withText({ kind: 'control', name: command }, why ?? stringOf(objectOf(value.data).output))];
    }
  }
}

function readSteer(value: JsonObject, done: boolean): Event {
  const blocks = contentOf(value);
  return withText({ kind: 'steer', blocks, done }, readable(blocks));
}

function contentOf({ message, images }: JsonObject) {
  return [...blocksOf(message), ...blocksOf(images)];
}
