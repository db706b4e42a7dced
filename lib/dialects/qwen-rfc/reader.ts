/**
 * Reads lines of the RFC, which does not mark turns. A prompt is taken up by the first line with its `prompt_id` or,
 * while no turn is open, by the first line that shows work (a model answer, a thought, a tool, a question). Heartbeats,
 * hints and notices may come at any time and take up nothing.
 */
import type { Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { promptOf, takesJsonInput } from '../common/command-line.ts';
import { errorText, flag, numberOf, objectOf, say, stringOf } from '../common/fields.ts';
import { Sibling } from '../common/siblings.ts';
import type { Json, Line } from '../dialect.ts';
import { Completions } from './completion.ts';
import * as control from './control.ts';
import { display } from './display.ts';
import { chatRequest, messages } from './prompt.ts';

interface Prompt {
  f: number;
  id: string | null;
}

export class RfcReader extends Sibling {
  readonly #completions = new Completions();
  readonly #waiting: Prompt[] = [];
  #open: Prompt | null = null;
  /** The prompt answered last. */
  #answered: Prompt | null = null;

  override read(line: Line): Event[] | null {
    return line.frame.from === 'client' ? this.#client(line) : this.#agent(line);
  }

  override waits(f: number): void {
    this.clientSpoke = true;
    this.#waiting.push({ f, id: null });
  }

  #client(line: Line): Event[] | null {
    const event = this.#clientEvent(line);
    if (!event) return null;
    this.clientSpoke = true;
    if (event.kind === 'prompt') this.#waiting.push({ f: line.frame.f, id: stringOf(line.value.prompt_id) });
    return [event];
  }

  #clientEvent(line: Line): Event | null {
    const { value } = line;
    if (value.type !== undefined) return REQUESTS.get(value.type)?.(value) ?? control.read(line);
    if (isObject(value.input)) return chatRequest(value, value.input);
    return Array.isArray(value.messages) ? messages(value.messages) : null;
  }

  #agent(line: Line): Event[] | null {
    const { value } = line;
    const taken = this.#taken(value);
    const events = this.#agentEvents(line);
    if (!events) return null;
    const first = events[0]!;
    if (!this.agentSpoke && this.#isOneShot(value)) {
      first.takes = 0;
      this.#open = { f: 0, id: null };
    } else if (taken && works(value, first)) {
      first.takes = taken.f;
      this.#waiting.splice(this.#waiting.indexOf(taken), 1);
      // A command that is answered at once does not end the open turn.
      if (first.kind !== 'prompt-answer') this.#open = taken;
    }
    this.agentSpoke = true;
    // A cancelled turn has ended without an answer.
    if (first.kind === 'cancel' && first.done && value.type === 'result/cancel') this.#open = null;
    for (const event of events) if (event.kind === 'prompt-answer') this.#answer(event, taken ?? this.#meant(value));
    return events;
  }

  /** The waiting prompt that this line may take up. */
  #taken({ prompt_id }: Json): Prompt | null {
    if (typeof prompt_id === 'string') return this.#waiting.find(({ id }) => id === prompt_id) ?? null;
    return this.#open ? null : (this.#waiting[0] ?? null);
  }

  #isOneShot({ object }: Json): boolean {
    const { command } = this;
    if (this.clientSpoke || takesJsonInput(command)) return false;
    return promptOf(command) !== null || typeof object === 'string';
  }

  #agentEvents(line: Line): Event[] | null {
    const { value } = line;
    if (typeof value.object === 'string') return this.#completion(value);
    if (value.type === undefined && isObject(value.error) && !('id' in value)) {
      return [say({ kind: 'error', code: numberOf(value.error.code) }, errorText(value.error))];
    }
    const event = RESULTS.get(value.type)?.(value) ?? control.read(line);
    return event && [event];
  }

  #completion(value: Json): Event[] | null {
    if (value.object === 'chat.completion') return this.#completions.whole(value);
    return value.object === 'chat.completion.chunk' ? this.#completions.chunk(value) : null;
  }

  /** The prompt that an answer belongs to, if it takes up none: the open one, or else the last one again. */
  #meant({ prompt_id }: Json): Prompt | null {
    const known = [this.#open, this.#answered];
    if (typeof prompt_id !== 'string') return known.find((prompt) => prompt !== null) ?? null;
    return known.find((prompt) => prompt?.id === prompt_id) ?? null;
  }

  #answer(event: Event & { kind: 'prompt-answer' }, prompt: Prompt | null): void {
    if (!prompt) return;
    event.prompt = prompt.f;
    if (prompt === this.#answered) flag(event, 'dup');
    if (prompt === this.#open) this.#open = null;
    this.#answered = prompt;
  }
}

function command({ result }: Json): Event {
  const { type, level, content } = objectOf(result);
  const status = level === 'error' ? 'error' : (stringOf(type) ?? 'message');
  return say({ kind: 'prompt-answer', prompt: null, status, code: null }, stringOf(content));
}

/** The line shows work on a prompt, not just a sign of life. */
function works({ prompt_id }: Json, { kind }: Event): boolean {
  if (kind === 'control' || kind === 'cancel' || kind === 'error') return false;
  if (typeof prompt_id === 'string') return true;
  return kind !== 'log' && kind !== 'notice' && kind !== 'compaction';
}

type Read = (value: Json) => Event;

const asked: Read = ({ type, text }) => say({ kind: 'control', name: stringOf(type) }, stringOf(text));
const done: Read = ({ type, message }) => say({ kind: 'control', name: stringOf(type) }, stringOf(message));

/** Lines of the client, by type. */
const REQUESTS: ReadonlyMap<unknown, Read> = new Map<unknown, Read>([
  ['heartbeat_request', asked],
  ['command_hint_request', asked],
  ['command_hint_cancel', asked],
  ['control/cancel', ({ reason }) => say({ kind: 'cancel', of: null, done: false }, stringOf(reason))],
]);

/** Lines of the agent, by type. */
const RESULTS: ReadonlyMap<unknown, Read> = new Map<unknown, Read>([
  ['result/heartbeat', done],
  ['result/command_hint', done],
  ['result/command', command],
  ['result/cancel', cancelled],
  ['x-qwen-thought', thought],
  ['x-qwen-terminal', ({ channel, text, content }) => log(channel, stringOf(text) ?? stringOf(content))],
  ['x-qwen-tool-display', display],
  ['x-qwen-session-event', sessionEvent],
]);

function cancelled({ status, reason, message }: Json): Event {
  return say({ kind: 'cancel', of: null, done: status !== 'noop' }, stringOf(reason) ?? stringOf(message));
}

function thought({ subject, description }: Json): Event {
  return { kind: 'thinking', text: [stringOf(subject), stringOf(description)].filter((word) => word).join(': ') };
}

function log(channel: unknown, text: string | null): Event {
  return say({ kind: 'log', name: stringOf(channel) }, text);
}

/** Event names have several spellings: `ChatCompressed`, `USER_CANCELLED`, `user_cancelled`. */
function sessionEvent({ event, message }: Json): Event {
  const name = stringOf(event) ?? '';
  const plain = name.replaceAll('_', '').toLowerCase();
  const text = stringOf(message);
  if (plain === 'chatcompressed') return say({ kind: 'compaction', done: true }, text);
  if (plain === 'usercancelled') return say({ kind: 'cancel', of: null, done: true }, text);
  return say({ kind: 'notice', name }, text);
}
