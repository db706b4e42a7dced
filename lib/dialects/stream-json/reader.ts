/** Reads lines of stream-json and keeps track of turns. Control lines and agent output have their own files. */
import type { Event } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { isObject } from '../../model/message.ts';
import { optionOf, promptOf, takesJsonInput } from '../common/command-line.ts';
import { blocksOf, readable } from '../common/content.ts';
import { streamEnvelope } from '../common/control-channel.ts';
import { errorText, objectOf, objectsOf, say, stringOf } from '../common/fields.ts';
import { Sibling, unknown } from '../common/siblings.ts';
import type { Json, Line } from '../dialect.ts';
import { by, Calls } from './calls.ts';
import { Control } from './control.ts';
import { Modes } from './modes.ts';
import { Prompts, textsOf } from './prompts.ts';
import { Speech } from './speech.ts';
import { System } from './system.ts';
import { Results } from './usage.ts';

export class StreamJsonReader extends Sibling {
  readonly #calls = new Calls();
  readonly #modes = new Modes();
  readonly #control = new Control(this.#calls, this.#modes);
  readonly #speech = new Speech(this.#calls);
  readonly #system = new System(this.#calls, this.#modes);
  readonly #results = new Results();
  readonly #prompts = new Prompts();
  /** A turn has ended. */
  #isAnswered = false;
  /** The open turn is one that the agent began itself. */
  #isOwn = false;

  override read(line: Line): Event[] | null {
    const { type } = line.value;
    if (typeof type !== 'string') return null;
    const events = line.frame.from === 'client' ? this.#client(type, line) : this.#agent(type, line);
    if (line.frame.from === 'client') this.clientSpoke = true;
    else if (events && !this.agentSpoke) this.#firstOfAgent(events, line.value);
    return events;
  }

  override waits(f: number): void {
    this.clientSpoke = true;
    this.#prompts.waits(f, []);
  }

  /** `--output-format json`: everything on one line at the end. */
  override readArray(frame: Frame, values: unknown[]): Event[] | null {
    const speaker = frame as Line['frame'];
    if (frame.from !== 'agent' || !values.every((value) => isObject(value) && typeof value.type === 'string'))
      return null;
    const events = (values as Json[]).flatMap((value) => {
      const line = { frame: speaker, value, message: streamEnvelope(value), pairing: null };
      return this.read(line) ?? [unknown(value)];
    });
    return events.length === 0 ? null : events;
  }

  /** If the prompt is on the command line (or piped in as text), the turn begins with the agent's first line. */
  #firstOfAgent(events: Event[], value: Json): void {
    this.agentSpoke = true;
    const { command } = this;
    if (this.clientSpoke || takesJsonInput(command)) return;
    const first = events[0]!;
    // Claude's `--output-format json` is the result alone, so its text and the calls that it refused are all there is.
    const isLone = first.kind === 'prompt-answer' && optionOf(command, '--output-format') === 'json';
    if (promptOf(command) === null && !isLone && (first.kind !== 'turn-begin' || first.nested)) return;
    if (isLone && first.text) events.unshift({ kind: 'text', text: first.text, step: true });
    if (isLone) events.unshift(...this.#speech.denied(objectsOf(value.permission_denials)));
    events[0]!.takes = 0;
    this.#prompts.open = 0;
  }

  #client(type: string, line: Line): Event[] | null {
    if (type !== 'user') return this.#both(type, line);
    const asked = prompt(line.value);
    this.#prompts.waits(line.frame.f, textsOf(line.value));
    return [asked];
  }

  #both(type: string, line: Line): Event[] | null {
    const { value, frame } = line;
    switch (type) {
      case 'control_request':
        if (!isObject(value.request) && typeof value.subtype === 'string') return null;
        return [this.#control.asks(line)];
      case 'control_response':
        if ('request_id' in value && !('request_id' in objectOf(value.response))) return null;
        this.#goesOn(line);
        return this.#control.answers(line);
      case 'control_cancel_request':
        return [{ kind: 'cancel', of: stringOf(value.request_id), done: frame.from === 'agent' }];
      case 'keep_alive':
        return [{ kind: 'control', name: type }];
      default:
        return null;
    }
  }

  /** The agent will continue an interrupted turn: that is a new turn, and the request is its prompt. */
  #goesOn({ message, pairing }: Line): void {
    const exchange = pairing?.exchange;
    if (exchange?.method !== 'continue_last_turn' || pairing?.role !== 'answers') return;
    const { response } = objectOf(message.body);
    if (objectOf(response).accepted === true) this.#prompts.waits(exchange.askedF, []);
  }

  #agent(type: string, line: Line): Event[] | null {
    const { value } = line;
    switch (type) {
      case 'stream_event':
        return this.#speech.piece(value);
      case 'assistant':
        return this.#speech.assistant(value);
      case 'user':
        return this.#echo(value) ?? this.#speech.user(value);
      case 'system':
        return value.subtype === 'init' ? this.#begins(value) : this.#system.read(value);
      case 'result':
        return this.#result(value);
      case 'tool_progress': {
        const call = stringOf(value.tool_use_id);
        return [by({ kind: 'progress', call, tool: stringOf(value.tool_name) }, stringOf(value.parent_tool_use_id))];
      }
      case 'rate_limit_event':
      case 'auth_status':
        return [{ kind: 'status', name: type }];
      default:
        return this.#both(type, line);
    }
  }

  /** The agent introduces itself whenever it takes up a prompt, the oldest waiting one (rule T1). */
  #begins(value: Json): Event[] {
    const events = this.#system.read(value);
    const taken = this.#prompts.take();
    if (taken !== null) events[0]!.takes = taken;
    if ('qwen_code_version' in value) this.#speech.cachedIsInput = true;
    if ('claude_code_version' in value) {
      this.#speech.cachedIsInput = false;
      // Claude goes on by itself when something that it left in the background ends.
      if (this.#prompts.open === null && this.#isAnswered) events[0] = { kind: 'turn-begin', nested: true, own: true };
    }
    this.#isOwn = events[0]!.kind === 'turn-begin' && events[0]!.own === true;
    this.#speech.begin();
    return events;
  }

  /** With `--replay-user-messages`, the prompts of the open turn, which may be several of the client's. */
  #echo(value: Json): Event[] | null {
    if (value.isReplay !== true || typeof value.parent_tool_use_id === 'string') return null;
    const joined = this.#prompts.repeats(textsOf(value));
    if (!joined) return null;
    const begun = say({ kind: 'turn-begin', nested: false, restates: true }, textsOf(value).join('\n'));
    return [begun, ...joined.map((f): Event => ({ kind: 'turn-begin', nested: false, restates: true, joins: f }))];
  }

  #result(value: Json): Event[] {
    const used = this.#results.read(value, this.#speech.cachedIsInput);
    const text = resultText(value, this.#speech.latest);
    this.#isAnswered = true;
    if (this.#isOwn) {
      this.#isOwn = false;
      return [say({ kind: 'turn-end' }, text), used];
    }
    const { subtype, is_error, permission_denials } = value;
    const status = is_error === true && subtype === 'success' ? 'error' : (stringOf(subtype) ?? '');
    const answer: Event = { kind: 'prompt-answer', prompt: this.#prompts.end(), status, code: null };
    const denials = objectsOf(permission_denials);
    const denied = denials.map(({ tool_use_id }) => stringOf(tool_use_id)).filter((call) => call !== null);
    if (denied.length > 0) answer.denied = denied;
    return [say(answer, text), used];
  }
}

function prompt(value: Json): Event {
  const blocks = blocksOf(objectOf(value.message).content);
  return say({ kind: 'prompt', blocks }, readable(blocks));
}

/** A result usually repeats the agent's last text; only new text is kept. */
function resultText({ result, error, errors }: Json, latest: string | null): string | null {
  const failure =
    errorText(error) ?? (Array.isArray(errors) ? errors.filter((e) => typeof e === 'string').join('\n') : null);
  return failure ?? (result === latest ? null : stringOf(result));
}
