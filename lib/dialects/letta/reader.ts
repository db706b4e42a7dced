/** Reads the lines of letta: turns from its queue, steps from its model's answers. Control lines are read as in stream-json. */
import type { Event, ProcessEvent } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { isOneShot, optionOf, takesJsonInput } from '../common/command-line.ts';
import { blocksOf, readable } from '../common/content.ts';
import {
  errorText,
  handshakeEvent,
  listOf,
  namesOf,
  numberOf,
  objectOf,
  stringOf,
  withText,
} from '../common/fields.ts';
import { unknownEvent } from '../common/siblings.ts';
import type { DialectLine, DialectReader, JsonObject } from '../dialect.ts';
import { StreamCalls as ControlCalls } from '../stream-json/calls.ts';
import { ControlReader } from '../stream-json/control.ts';
import { StreamModes } from '../stream-json/modes.ts';
import { LettaCalls } from './calls.ts';
import { externalAnswer, externalCall } from './external.ts';
import { PromptQueue } from './queue.ts';
import { usageOf } from './usage.ts';

/** Why a call went ahead, if a mode allows it. */
const BY_MODE = /^Permission mode: (\w+)$/;

/** So much of a text is remembered, to see whether a result only repeats it. */
const MAX_REMEMBERED_TEXT = 1 << 20;

/** Other reports of the agent about its queue. */
const STATES = new Set(['queue_blocked', 'queue_cleared', 'queue_item_dropped', 'cancel_ack', 'approval_requested']);

export class LettaReader implements DialectReader {
  readonly #command: readonly string[];
  readonly #control = new ControlReader(new ControlCalls(), new StreamModes());
  readonly #calls = new LettaCalls();
  readonly #queue = new PromptQueue();
  #mode: string | null;
  #agentSpoke = false;
  #clientSpoke = false;
  /** The next of the model's words begins a step. */
  #isFresh = true;
  /** A line of this turn has reported its tokens. */
  #isUsageReported = false;
  /** The agent's text in this turn, since the last call. */
  #turnText = '';

  constructor(command: readonly string[]) {
    this.#command = command;
    this.#mode = command.includes('--yolo') ? 'unrestricted' : optionOf(command, '--permission-mode');
  }

  read(line: DialectLine): Event[] {
    const type = stringOf(line.value.type) ?? '';
    if (line.frame.from === 'client') {
      this.#clientSpoke = true;
      return this.#readClient(type, line) ?? [unknownEvent(line.value)];
    }
    const events = this.#readAgent(type, line) ?? [unknownEvent(line.value)];
    return this.#placeFirst(events);
  }

  /** A run that exits without output has still taken up the prompt on its command line (rule T1). */
  readEvent({ event }: Frame, happening: ProcessEvent): void {
    const isSilent = !this.#agentSpoke && !this.#clientSpoke;
    if (event === 'exit' && isSilent && isOneShot(this.#command)) happening.takes = 0;
  }

  /** Without JSON on stdin, the prompt is on the command line, and the first line takes it up. */
  #placeFirst(events: Event[]): Event[] {
    const [first] = events;
    if (!first) return events;
    if (!this.#agentSpoke && !this.#clientSpoke && this.#command.length > 0 && !takesJsonInput(this.#command)) {
      this.#queue.begin(0);
      first.takes = 0;
    }
    this.#agentSpoke = true;
    return events;
  }

  #readClient(type: string, line: DialectLine): Event[] | null {
    const { value, frame } = line;
    if (type !== 'user') return this.#readControl(type, line);
    const { content } = objectOf(value.message);
    if (content !== undefined) this.#queue.sent(frame.f);
    const blocks = blocksOf(content);
    return [withText({ kind: 'prompt', blocks }, readable(blocks))];
  }

  #readControl(type: string, line: DialectLine): Event[] | null {
    if (type === 'control_request') return [externalCall(line) ?? this.#control.readRequest(line)];
    if (type !== 'control_response') return null;
    const external = externalAnswer(line);
    return external ? [external] : this.#control.readAnswers(line);
  }

  #readAgent(type: string, line: DialectLine): Event[] | null {
    const { value } = line;
    switch (type) {
      case 'message':
        return this.#readMessage(value);
      case 'stream_event':
        return this.#readMessage(objectOf(value.event));
      case 'queue_item_enqueued':
        this.#queue.enqueued(stringOf(value.item_id) ?? '', value.source === 'user');
        return [{ kind: 'status', name: type }];
      case 'queue_batch_dequeued':
        return this.#beginTurn(namesOf(value.item_ids));
      case 'auto_approval':
        return this.#readApproved(value);
      case 'approval_received':
        return [withText({ kind: 'status', name: type }, stringOf(value.decision))];
      case 'tool_execution_started':
      case 'tool_execution_finished':
        return [{ kind: 'progress', call: stringOf(value.tool_call_id) }];
      case 'system':
        return value.subtype === 'init'
          ? [readIntroduction(value)]
          : [{ kind: 'status', name: stringOf(value.subtype) }];
      case 'result':
        return this.#readResult(value);
      case 'error':
        return [withText({ kind: 'error', code: null }, stringOf(value.message) ?? errorText(value.api_error))];
      case 'retry':
        return [readRetry(value)];
      case 'recovery':
        return [withText({ kind: 'notice', name: stringOf(value.recovery_type) }, stringOf(value.message))];
      default:
        return STATES.has(type)
          ? [withText({ kind: 'status', name: type }, stringOf(value.reason))]
          : this.#readControl(type, line);
    }
  }

  /** A message of Letta's API. Texts come in pieces. */
  #readMessage(message: JsonObject): Event[] | null {
    switch (message.message_type) {
      case 'assistant_message': {
        const text = readable(blocksOf(message.content)) ?? '';
        if (this.#turnText.length < MAX_REMEMBERED_TEXT) this.#turnText += text;
        return this.#readAnswerPart(() => [{ kind: 'text', text, delta: true }]);
      }
      case 'reasoning_message':
        return this.#readAnswerPart(() => [{ kind: 'thinking', text: stringOf(message.reasoning) ?? '', delta: true }]);
      case 'hidden_reasoning_message':
        return this.#readAnswerPart(() => [
          { kind: 'thinking', text: stringOf(message.hidden_reasoning) ?? '', delta: true },
        ]);
      case 'approval_request_message':
        return this.#readAnswerPart(() => this.#calls.announced(message));
      case 'tool_call_message':
        return this.#takeUpPrompt(this.#calls.announced(message));
      case 'tool_return_message':
        this.#isFresh = true;
        return [this.#calls.returned(message)];
      case 'usage_statistics':
        this.#isUsageReported = true;
        return [usageOf(message)];
      case 'stop_reason':
        this.#calls.answered();
        this.#isFresh = true;
        return [withText({ kind: 'status', name: 'stop_reason' }, stringOf(message.stop_reason))];
      case 'error_message':
        return [withText({ kind: 'error', code: null }, errorText(message))];
      case 'ping':
        return [{ kind: 'control', name: 'ping' }];
      case 'approval_response_message':
      case 'user_message':
      case 'system_message':
      case 'summary_message':
      case 'event_message':
        return [{ kind: 'status', name: message.message_type }];
      default:
        return null;
    }
  }

  /** The model speaks: where that is a new answer, what it asked for before has run. */
  #readAnswerPart(read: () => Event[]): Event[] {
    const ran = this.#isFresh ? this.#calls.wentOn() : [];
    return this.#takeUpPrompt([...read(), ...ran]);
  }

  #takeUpPrompt(events: Event[]): Event[] {
    const [first] = events;
    if (!first) return [{ kind: 'status', name: null }];
    if (first.kind === 'tool-call') this.#turnText = '';
    const taken = this.#queue.oldest();
    if (taken !== null) first.takes = taken;
    if (this.#isFresh && !first.restates) first.step = true;
    this.#isFresh &&= first.restates === true;
    return events;
  }

  #beginTurn(items: readonly string[]): Event[] {
    const [first, ...others] = this.#queue.dequeued(items);
    this.#reset();
    // What ended in the background, or a time that has come, makes the agent begin a turn by itself.
    if (first === undefined) return [{ kind: 'turn-begin', nested: true, own: true }];
    const joined = others.map((f): Event => ({ kind: 'turn-begin', nested: false, restates: true, joins: f }));
    return [{ kind: 'turn-begin', nested: false, takes: first }, ...joined];
  }

  #reset(): void {
    this.#calls.clear();
    this.#isFresh = true;
    this.#isUsageReported = false;
    this.#turnText = '';
  }

  /** The call may go ahead, by a mode, by a rule, or because the client allowed it. */
  #readApproved({ tool_call, reason }: JsonObject): Event[] {
    const mode = BY_MODE.exec(stringOf(reason) ?? '')?.[1] ?? null;
    const events = [this.#calls.approved(objectOf(tool_call), mode)];
    if (mode === null || mode === this.#mode) return events;
    this.#mode = mode;
    return [...events, { kind: 'mode', mode, done: true }];
  }

  #readResult(value: JsonObject): Event[] {
    const taken = this.#queue.oldest();
    const { open, isOwn } = this.#queue;
    const result = stringOf(value.result);
    const failure = value.subtype === 'error' ? stringOf(value.stop_reason) : null;
    const text = result !== null && result !== '' && result !== this.#turnText ? result : failure;
    const used: Event[] = this.#isUsageReported || !value.usage ? [] : [usageOf(objectOf(value.usage))];
    this.#queue.end();
    this.#reset();
    if (isOwn) return [...used, withText({ kind: 'turn-end' }, text)];
    const answer: Event = { kind: 'prompt-answer', prompt: open, status: stringOf(value.subtype) ?? '', code: null };
    const events = [...used, withText(answer, text)];
    if (taken !== null) events[0]!.takes = taken;
    return events;
  }
}

function readIntroduction(value: JsonObject): Event {
  return handshakeEvent({
    agent: { name: 'letta-code', version: null },
    model: stringOf(value.model),
    session: stringOf(value.session_id),
    cwd: stringOf(value.cwd),
    mode: stringOf(value.permission_mode) || null,
    commands: listOf(value.slash_commands).length > 0 ? namesOf(value.slash_commands) : null,
    capabilities: { tools: namesOf(value.tools), mcp_servers: namesOf(value.mcp_servers) },
  });
}

/** The model could not be asked; the agent asks again. */
function readRetry({ reason, attempt, max_attempts, delay_ms }: JsonObject): Event {
  const wait = numberOf(delay_ms);
  const again = wait === null ? '' : `, again in ${(wait / 1000).toFixed(1)} s`;
  const text = `attempt ${numberOf(attempt) ?? '?'} of ${numberOf(max_attempts) ?? '?'} failed: ${stringOf(reason) ?? '?'}${again}`;
  return withText({ kind: 'notice', name: 'retry', retry: true }, text);
}
