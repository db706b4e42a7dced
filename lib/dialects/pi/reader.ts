/** Reads the lines of pi. */
import type { Event, Happening } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { textIn } from '../../model/message.ts';
import { blocksOf, readable, textOfBlocks } from '../common/content.ts';
import { errorText, flag, hello, listOf, objectOf, say, stringOf } from '../common/fields.ts';
import { unknown } from '../common/siblings.ts';
import { flagRole } from '../common/stray.ts';
import type { Json, Line, Reader } from '../dialect.ts';
import { Dialogs } from './dialogs.ts';
import { Messages } from './messages.ts';
import { isOneShot } from './mode.ts';
import { Runs } from './runs.ts';
import { Tools } from './tools.ts';
import { DIALOGS, isCommand } from './words.ts';

export class PiReader implements Reader {
  readonly #isOneShot: boolean;
  readonly #runs = new Runs();
  readonly #messages = new Messages();
  readonly #tools = new Tools();
  readonly #dialogs = new Dialogs();

  constructor(command: readonly string[]) {
    this.#isOneShot = isOneShot(command);
  }

  read(line: Line): Event[] {
    const isOfClient = line.frame.from === 'client';
    const type = stringOf(line.value.type) ?? '';
    const events = isOfClient ? this.#client(line, type) : this.#agent(line, type);
    if (isOfClient || type === 'response') events.push(...this.#runs.settles());
    return flagRole(events, line);
  }

  /** `--mode json` takes the whole of stdin as its prompt. */
  readText(frame: Frame, text: string | null): Event[] | null {
    if (frame.from !== 'client' || !this.#isOneShot || text === '') return null;
    if (this.#runs.isBusy) return [say({ kind: 'control', name: 'stdin' }, text)];
    this.#runs.hears();
    this.#runs.prompted(frame.f);
    return [say({ kind: 'prompt', blocks: text === null ? [] : [{ type: 'text', text }] }, text)];
  }

  happens({ event, detail }: Frame, happening: Happening): void {
    if (event === 'exit') this.#runs.exits(detail.code, this.#isOneShot, happening);
  }

  // The client

  #client(line: Line, type: string): Event[] {
    const { value, frame } = line;
    if (this.#isOneShot) return this.readText(frame, textIn(frame))!;
    this.#runs.hears();
    switch (type) {
      case 'prompt':
        return [this.#prompt(line)];
      case 'steer':
      case 'follow_up':
        return [steer(value, false)];
      case 'abort':
        return [{ kind: 'cancel', of: null, done: false }];
      case 'extension_ui_response':
        return [this.#dialogs.answer(line)].map((event) => (line.pairing?.exchange ? event : flag(event, 'orphan')));
      case 'bash':
        return [say({ kind: 'control', name: type }, stringOf(value.command))];
      case 'set_auto_retry':
        this.#runs.retries(value.enabled !== false);
        return [{ kind: 'control', name: type }];
      default:
        return [isCommand(type) ? { kind: 'control', name: type } : unknown(value)];
    }
  }

  #prompt({ frame, value, pairing }: Line): Event {
    if (typeof value.streamingBehavior === 'string' && this.#runs.isBusy) return steer(value, false);
    const blocks = contentOf(value);
    const event: Event = { kind: 'prompt', blocks, text: textOfBlocks(blocks) };
    if (pairing?.role === 'asks-again') return { ...event, restates: true };
    this.#runs.prompted(frame.f);
    return event;
  }

  // The agent

  #agent(line: Line, type: string): Event[] {
    const { value } = line;
    switch (type) {
      case 'response':
        return this.#response(line);
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
        return this.#messages.begins(objectOf(value.message));
      case 'message_update':
        return [this.#messages.update(value)];
      case 'message_end':
        return this.#messages.ends(objectOf(value.message));
      case 'tool_execution_start':
        return [this.#tools.starts(value)];
      case 'tool_execution_update':
        return [this.#tools.goesOn(value)];
      case 'tool_execution_end':
        return [this.#tools.ends(value)];
      case 'extension_ui_request':
        return [this.#extension(line)];
      default:
        return this.#told(type, value);
    }
  }

  #told(type: string, value: Json): Event[] {
    switch (type) {
      case 'session':
        return [hello({ agent: { name: 'pi', version: null }, session: stringOf(value.id), cwd: stringOf(value.cwd) })];
      case 'queue_update': {
        const waiting = [...listOf(value.steering), ...listOf(value.followUp)].filter((one) => typeof one === 'string');
        return [{ kind: 'status', name: type, text: waiting.join('\n') }];
      }
      case 'auto_retry_start':
        this.#runs.goesOn();
        return [say({ kind: 'notice', name: type, retry: true }, stringOf(value.errorMessage))];
      case 'auto_retry_end':
        return this.#retried(value);
      case 'compaction_start':
        if (value.reason === 'overflow') this.#runs.goesOn();
        return [say({ kind: 'compaction', done: false }, stringOf(value.reason))];
      case 'compaction_end':
        return this.#compacted(value);
      case 'extension_error':
        return [say({ kind: 'error', code: null }, errorText(value.error))];
      case 'session_info_changed':
      case 'thinking_level_changed':
        return [say({ kind: 'status', name: type }, stringOf(value.name) ?? stringOf(value.level))];
      default:
        return [unknown(value)];
    }
  }

  #retried({ success, finalError }: Json): Event[] {
    const event = say({ kind: 'status', name: 'auto_retry_end' } as Event, stringOf(finalError));
    return success === false ? [event, ...this.#runs.givesUp(stringOf(finalError))] : [event];
  }

  #compacted({ result, errorMessage, reason, willRetry }: Json): Event[] {
    const text = stringOf(objectOf(result).summary) ?? stringOf(errorMessage);
    const event = say({ kind: 'compaction', done: true } as Event, text);
    const isOver = reason === 'overflow' && willRetry !== true;
    return isOver ? [event, ...this.#runs.givesUp(stringOf(errorMessage))] : [event];
  }

  #extension(line: Line): Event {
    const { value } = line;
    const method = stringOf(value.method);
    if (method !== null && DIALOGS.has(method)) return this.#dialogs.ask(line, value, this.#tools.latest);
    if (method === 'notify') return say({ kind: 'notice', name: method }, stringOf(value.message));
    const text = stringOf(value.statusText) ?? stringOf(value.title) ?? stringOf(value.text);
    return say({ kind: 'status', name: method }, text);
  }

  /** Each command is answered; a prompt only to say that it was accepted. */
  #response({ value, pairing }: Line): Event[] {
    const command = stringOf(value.command);
    const exchange = pairing?.exchange ?? null;
    const ok = value.success !== false;
    const why = ok ? null : errorText(value.error);
    // Of a line that pi could not read, or a command that it does not have.
    if (!ok && exchange === null) return [say({ kind: 'error', code: null }, why)];
    switch (command) {
      case 'prompt':
        if (ok) return [{ kind: 'status', name: command, text: 'accepted' }];
        if (exchange) this.#runs.refused(exchange.askedF);
        return [say({ kind: 'prompt-answer', prompt: exchange?.askedF ?? null, status: 'error', code: null }, why)];
      case 'steer':
      case 'follow_up':
        return [say({ kind: 'steer', blocks: [], done: ok }, why)];
      case 'abort':
        return [say({ kind: 'cancel', of: null, done: ok }, why)];
      default:
        return [say({ kind: 'control', name: command }, why ?? stringOf(objectOf(value.data).output))];
    }
  }
}

function steer(value: Json, done: boolean): Event {
  const blocks = contentOf(value);
  return say({ kind: 'steer', blocks, done }, readable(blocks));
}

function contentOf({ message, images }: Json) {
  return [...blocksOf(message), ...blocksOf(images)];
}
