/**
 * A session of ACP 2. A prompt is answered when it is inserted into the conversation, which neither begins nor ends work.
 * `state_update` does: `running` or `requires_action` begins it, for the oldest waiting prompt or by the agent itself, and
 * `idle` ends it. A prompt that is inserted while the agent works is part of that work.
 */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { errorText, numberOf, objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { AcpConversation, type PromptAnswer } from './conversation.ts';
import { AcpMessages } from './messages.ts';
import { AcpTerminals } from './terminals-v2.ts';

const MAX_MESSAGES = 1000;

type ForegroundState = 'idle' | 'running' | 'requires_action';

export class AcpConversationV2 extends AcpConversation {
  readonly messages = new AcpMessages();
  readonly terminals = new AcpTerminals();
  #state: ForegroundState = 'idle';
  /** Prompts that the agent has neither taken up nor refused, in order. */
  readonly #waiting: number[] = [];
  /** Prompts that the agent has not repeated as messages, and those that it has, by message. */
  readonly #notRepeated: number[] = [];
  readonly #repeated = new LimitedMap<string, number>(MAX_MESSAGES);
  /** The prompt that the agent works on; null if it began by itself, or is idle. */
  #current: number | null = null;
  /** The prompt whose turn ended last, if the agent has said nothing in the session since. */
  #ended: number | null = null;

  get prompt(): number | undefined {
    return this.#current ?? this.#waiting[0];
  }

  protected get isBusy(): boolean {
    return this.#state !== 'idle';
  }

  asks(f: number): void {
    this.#waiting.push(f);
    // Some agents never repeat a prompt.
    if (this.#notRepeated.push(f) > MAX_MESSAGES) this.#notRepeated.shift();
  }

  /** The agent repeats what was inserted, by the id of the message. Returns the prompt; undefined if it is not the client's. */
  repeats(messageId: unknown): number | undefined {
    const id = stringOf(messageId) ?? '';
    const known = this.#repeated.get(id) ?? this.#notRepeated.shift();
    if (known !== undefined) this.#repeated.set(id, known);
    return known;
  }

  /** Updates take up nothing: they may come from work in the background. */
  speaks(): undefined {
    this.#ended = null;
  }

  speaksLate(): number | null {
    const ended = this.#ended;
    this.#ended = null;
    return ended;
  }

  answers(f: number, { ok, code, text }: PromptAnswer): Event {
    if (!ok) {
      remove(this.#waiting, f);
      remove(this.#notRepeated, f);
      if (this.#current === f) this.#current = null;
      return { kind: 'prompt-answer', prompt: f, status: 'error', code, text };
    }
    // While the agent works on a prompt, another becomes part of that work.
    if (this.#current !== null && remove(this.#waiting, f)) return { kind: 'turn-begin', nested: false, joins: f };
    return { kind: 'status', name: 'session/prompt', text: 'accepted' };
  }

  /** The same state again is a snapshot, and begins or ends nothing. */
  changesTo(update: JsonObject): Event {
    const name = stringOf(update.state);
    if (name !== 'idle' && name !== 'running' && name !== 'requires_action')
      return { kind: 'other', name: 'state_update' };
    const before = this.#state;
    this.#state = name;
    const isSnapshot = (name === 'idle') === (before === 'idle');
    const event = isSnapshot ? stateEvent(name) : name === 'idle' ? this.#end(update) : this.#begin(name);
    return { ...event, needsClient: name === 'requires_action' };
  }

  #begin(name: ForegroundState): Event {
    this.beginTurn();
    this.#ended = null;
    this.#current = this.#waiting.shift() ?? null;
    const event: Event = { kind: 'turn-begin', nested: false, text: name };
    return this.#current === null ? { ...event, nested: true, own: true } : { ...event, takes: this.#current };
  }

  #end({ stopReason, error }: JsonObject): Event {
    const prompt = this.#current;
    this.#current = null;
    this.#ended = prompt;
    const status = stringOf(stopReason) ?? '';
    const text = status === 'error' ? errorText(error) : null;
    if (prompt === null) return withText({ kind: 'turn-end' }, text ?? status);
    return withText({ kind: 'prompt-answer', prompt, status, code: numberOf(objectOf(error).code) }, text);
  }
}

/** False if it is not in the list. */
function remove(list: number[], f: number): boolean {
  const at = list.indexOf(f);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

const stateEvent = (name: ForegroundState): Event => ({ kind: 'status', name: 'state_update', text: name });
