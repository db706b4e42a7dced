/**
 * Reads lines of the RFC, which does not mark turns. A prompt is taken up by the first line with its `prompt_id` or,
 * while no turn is open, by the first line that shows work (a model answer, a thought, a tool, a question). Heartbeats,
 * hints and notices may come at any time and take up nothing.
 */
import type { Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { promptOf, takesJsonInput } from '../common/command-line.ts';
import { errorText, flag, numberOf, objectOf, stringOf, withText } from '../common/fields.ts';
import { SiblingReader } from '../common/siblings.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';
import { CompletionReader } from './completion.ts';
import * as control from './control.ts';
import { readDisplay } from './display.ts';
import { readChatRequest, readMessages } from './prompt.ts';

interface RfcPrompt {
  f: number;
  id: string | null;
}

export class RfcReader extends SiblingReader {
  readonly #completions = new CompletionReader();
  readonly #waiting: RfcPrompt[] = [];
  #open: RfcPrompt | null = null;
  /** The prompt answered last. */
  #answered: RfcPrompt | null = null;

  override read(line: DialectLine): Event[] | null {
    return line.frame.from === 'client' ? this.#readClient(line) : this.#readAgent(line);
  }

  override queuePrompt(f: number): void {
    this.clientSpoke = true;
    this.#waiting.push({ f, id: null });
  }

  #readClient(line: DialectLine): Event[] | null {
    const event = this.#readClientEvent(line);
    if (!event) return null;
    this.clientSpoke = true;
    if (event.kind === 'prompt') this.#waiting.push({ f: line.frame.f, id: stringOf(line.value.prompt_id) });
    return [event];
  }

  #readClientEvent(line: DialectLine): Event | null {
    const { value } = line;
    if (value.type !== undefined) return REQUESTS.get(value.type)?.(value) ?? control.read(line);
    if (isObject(value.input)) return readChatRequest(value, value.input);
    return Array.isArray(value.messages) ? readMessages(value.messages) : null;
  }

  #readAgent(line: DialectLine): Event[] | null {
    const { value } = line;
    const taken = this.#findTaken(value);
    const events = this.#readAgentEvents(line);
    if (!events) return null;
    const first = events[0]!;
    if (!this.agentSpoke && this.#isOneShot(value)) {
      first.takes = 0;
      this.#open = { f: 0, id: null };
    } else if (taken && showsWork(value, first)) {
      first.takes = taken.f;
      this.#waiting.splice(this.#waiting.indexOf(taken), 1);
      // A command that is answered at once does not end the open turn.
      if (first.kind !== 'prompt-answer') this.#open = taken;
    }
    this.agentSpoke = true;
    // A cancelled turn has ended without an answer.
    if (first.kind === 'cancel' && first.done && value.type === 'result/cancel') this.#open = null;
    for (const event of events)
      if (event.kind === 'prompt-answer') this.#takeAnswer(event, taken ?? this.#findAnswered(value));
    return events;
  }

  /** The waiting prompt that this line may take up. */
  #findTaken({ prompt_id }: JsonObject): RfcPrompt | null {
    if (typeof prompt_id === 'string') return this.#waiting.find(({ id }) => id === prompt_id) ?? null;
    return this.#open ? null : (this.#waiting[0] ?? null);
  }

  #isOneShot({ object }: JsonObject): boolean {
    const { command } = this;
    if (this.clientSpoke || takesJsonInput(command)) return false;
    return promptOf(command) !== null || typeof object === 'string';
  }

  #readAgentEvents(line: DialectLine): Event[] | null {
    const { value } = line;
    if (typeof value.object === 'string') return this.#readCompletion(value);
    if (value.type === undefined && isObject(value.error) && !('id' in value)) {
      return [withText({ kind: 'error', code: numberOf(value.error.code) }, errorText(value.error))];
    }
    const event = RESULTS.get(value.type)?.(value) ?? control.read(line);
    return event && [event];
  }

  #readCompletion(value: JsonObject): Event[] | null {
    if (value.object === 'chat.completion') return this.#completions.readWhole(value);
    return value.object === 'chat.completion.chunk' ? this.#completions.readChunk(value) : null;
  }

  /** The prompt that an answer belongs to, if it takes up none: the open one, or else the last one again. */
  #findAnswered({ prompt_id }: JsonObject): RfcPrompt | null {
    const known = [this.#open, this.#answered];
    if (typeof prompt_id !== 'string') return known.find((prompt) => prompt !== null) ?? null;
    return known.find((prompt) => prompt?.id === prompt_id) ?? null;
  }

  #takeAnswer(event: Event & { kind: 'prompt-answer' }, prompt: RfcPrompt | null): void {
    if (!prompt) return;
    event.prompt = prompt.f;
    if (prompt === this.#answered) flag(event, 'dup');
    if (prompt === this.#open) this.#open = null;
    this.#answered = prompt;
  }
}

function readCommand({ result }: JsonObject): Event {
  const { type, level, content } = objectOf(result);
  const status = level === 'error' ? 'error' : (stringOf(type) ?? 'message');
  return withText({ kind: 'prompt-answer', prompt: null, status, code: null }, stringOf(content));
}

/** The line shows work on a prompt, not just a sign of life. */
function showsWork({ prompt_id }: JsonObject, { kind }: Event): boolean {
  if (kind === 'control' || kind === 'cancel' || kind === 'error') return false;
  if (typeof prompt_id === 'string') return true;
  return kind !== 'log' && kind !== 'notice' && kind !== 'compaction';
}

type ReadRfcLine = (value: JsonObject) => Event;

const readRequest: ReadRfcLine = ({ type, text }) =>
  withText({ kind: 'control', name: stringOf(type) }, stringOf(text));
const readResult: ReadRfcLine = ({ type, message }) =>
  withText({ kind: 'control', name: stringOf(type) }, stringOf(message));

/** Lines of the client, by type. */
const REQUESTS: ReadonlyMap<unknown, ReadRfcLine> = new Map<unknown, ReadRfcLine>([
  ['heartbeat_request', readRequest],
  ['command_hint_request', readRequest],
  ['command_hint_cancel', readRequest],
  ['control/cancel', ({ reason }) => withText({ kind: 'cancel', of: null, done: false }, stringOf(reason))],
]);

/** Lines of the agent, by type. */
const RESULTS: ReadonlyMap<unknown, ReadRfcLine> = new Map<unknown, ReadRfcLine>([
  ['result/heartbeat', readResult],
  ['result/command_hint', readResult],
  ['result/command', readCommand],
  ['result/cancel', readCancelled],
  ['x-qwen-thought', readThought],
  ['x-qwen-terminal', ({ channel, text, content }) => readLog(channel, stringOf(text) ?? stringOf(content))],
  ['x-qwen-tool-display', readDisplay],
  ['x-qwen-session-event', readSessionEvent],
]);

function readCancelled({ status, reason, message }: JsonObject): Event {
  return withText({ kind: 'cancel', of: null, done: status !== 'noop' }, stringOf(reason) ?? stringOf(message));
}

function readThought({ subject, description }: JsonObject): Event {
  return { kind: 'thinking', text: [stringOf(subject), stringOf(description)].filter((word) => word).join(': ') };
}

function readLog(channel: unknown, text: string | null): Event {
  return withText({ kind: 'log', name: stringOf(channel) }, text);
}

/** Event names have several spellings: `ChatCompressed`, `USER_CANCELLED`, `user_cancelled`. */
function readSessionEvent({ event, message }: JsonObject): Event {
  const name = stringOf(event) ?? '';
  const plain = name.replaceAll('_', '').toLowerCase();
  const text = stringOf(message);
  if (plain === 'chatcompressed') return withText({ kind: 'compaction', done: true }, text);
  if (plain === 'usercancelled') return withText({ kind: 'cancel', of: null, done: true }, text);
  return withText({ kind: 'notice', name }, text);
}
