/** Reads lines of stream-json and keeps track of turns. Control lines and agent output have their own files. */
import type { Event } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { isObject } from '../../model/message.ts';
import { optionOf, promptOf, takesJsonInput } from '../common/command-line.ts';
import { blocksOf, readable } from '../common/content.ts';
import { streamEnvelope } from '../common/control-channel.ts';
import { errorText, objectOf, objectsOf, stringOf, withText } from '../common/fields.ts';
import { SiblingReader, unknownEvent } from '../common/siblings.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';
import { AgentOutput } from './agent-output.ts';
import { bySubagent, StreamCalls } from './calls.ts';
import { ControlReader } from './control.ts';
import { StreamModes } from './modes.ts';
import { StreamPrompts, textsOf } from './prompts.ts';
import { SystemReader } from './system.ts';
import { ResultUsage } from './usage.ts';

export class StreamJsonReader extends SiblingReader {
  readonly #calls = new StreamCalls();
  readonly #modes = new StreamModes();
  readonly #control = new ControlReader(this.#calls, this.#modes);
  readonly #output = new AgentOutput(this.#calls);
  readonly #system = new SystemReader(this.#calls, this.#modes);
  readonly #results = new ResultUsage();
  readonly #prompts = new StreamPrompts();
  /** A turn has ended. */
  #isAnswered = false;
  /** The open turn is one that the agent began itself. */
  #isOwn = false;

  override read(line: DialectLine): Event[] | null {
    const { type } = line.value;
    if (typeof type !== 'string') return null;
    const events = line.frame.from === 'client' ? this.#readClient(type, line) : this.#readAgent(type, line);
    if (line.frame.from === 'client') this.clientSpoke = true;
    else if (events && !this.agentSpoke) this.#takeCommandLinePrompt(events, line.value);
    return events;
  }

  override queuePrompt(f: number): void {
    this.clientSpoke = true;
    this.#prompts.add(f, []);
  }

  /** `--output-format json`: everything on one line at the end. */
  override readArray(frame: Frame, values: unknown[]): Event[] | null {
    const speaker = frame as DialectLine['frame'];
    if (frame.from !== 'agent' || !values.every((value) => isObject(value) && typeof value.type === 'string'))
      return null;
    const events = (values as JsonObject[]).flatMap((value) => {
      const line = { frame: speaker, value, message: streamEnvelope(value), pairing: null };
      return this.read(line) ?? [unknownEvent(value)];
    });
    return events.length === 0 ? null : events;
  }

  /** If the prompt is on the command line (or piped in as text), the turn begins with the agent's first line. */
  #takeCommandLinePrompt(events: Event[], value: JsonObject): void {
    this.agentSpoke = true;
    const { command } = this;
    if (this.clientSpoke || takesJsonInput(command)) return;
    const first = events[0]!;
    // Claude's `--output-format json` is the result alone, so its text and the calls that it refused are all there is.
    const isLone = first.kind === 'prompt-answer' && optionOf(command, '--output-format') === 'json';
    if (promptOf(command) === null && !isLone && (first.kind !== 'turn-begin' || first.nested)) return;
    if (isLone && first.text) events.unshift({ kind: 'text', text: first.text, step: true });
    if (isLone) events.unshift(...this.#output.readDenied(objectsOf(value.permission_denials)));
    events[0]!.takes = 0;
    this.#prompts.open = 0;
  }

  #readClient(type: string, line: DialectLine): Event[] | null {
    if (type !== 'user') return this.#readControl(type, line);
    const promptEvent = readPrompt(line.value);
    this.#prompts.add(line.frame.f, textsOf(line.value));
    return [promptEvent];
  }

  #readControl(type: string, line: DialectLine): Event[] | null {
    const { value, frame } = line;
    switch (type) {
      case 'control_request':
        if (!isObject(value.request) && typeof value.subtype === 'string') return null;
        return [this.#control.readRequest(line)];
      case 'control_response':
        if ('request_id' in value && !('request_id' in objectOf(value.response))) return null;
        this.#takeContinuation(line);
        return this.#control.readAnswers(line);
      case 'control_cancel_request':
        return [{ kind: 'cancel', of: stringOf(value.request_id), done: frame.from === 'agent' }];
      case 'keep_alive':
        return [{ kind: 'control', name: type }];
      default:
        return null;
    }
  }

  /** The agent will continue an interrupted turn: that is a new turn, and the request is its prompt. */
  #takeContinuation({ message, pairing }: DialectLine): void {
    const exchange = pairing?.exchange;
    if (exchange?.method !== 'continue_last_turn' || pairing?.role !== 'answers') return;
    const { response } = objectOf(message.body);
    if (objectOf(response).accepted === true) this.#prompts.add(exchange.askedF, []);
  }

  #readAgent(type: string, line: DialectLine): Event[] | null {
    const { value } = line;
    switch (type) {
      case 'stream_event':
        return this.#output.readPiece(value);
      case 'assistant':
        return this.#output.readAssistant(value);
      case 'user':
        return this.#readEcho(value) ?? this.#output.readUser(value);
      case 'system':
        return value.subtype === 'init' ? this.#beginTurn(value) : this.#system.read(value);
      case 'result':
        return this.#readResult(value);
      case 'tool_progress': {
        const call = stringOf(value.tool_use_id);
        return [
          bySubagent({ kind: 'progress', call, tool: stringOf(value.tool_name) }, stringOf(value.parent_tool_use_id)),
        ];
      }
      case 'rate_limit_event':
      case 'auth_status':
        return [{ kind: 'status', name: type }];
      default:
        return this.#readControl(type, line);
    }
  }

  /** The agent introduces itself whenever it takes up a prompt, the oldest waiting one (rule T1). */
  #beginTurn(value: JsonObject): Event[] {
    const events = this.#system.read(value);
    const taken = this.#prompts.take();
    if (taken !== null) events[0]!.takes = taken;
    if ('qwen_code_version' in value) this.#output.cachedIsInput = true;
    if ('claude_code_version' in value) {
      this.#output.cachedIsInput = false;
      // Claude goes on by itself when something that it left in the background ends.
      if (this.#prompts.open === null && this.#isAnswered) events[0] = { kind: 'turn-begin', nested: true, own: true };
    }
    this.#isOwn = events[0]!.kind === 'turn-begin' && events[0]!.own === true;
    this.#output.begin();
    return events;
  }

  /** With `--replay-user-messages`, the prompts of the open turn, which may be several of the client's. */
  #readEcho(value: JsonObject): Event[] | null {
    if (value.isReplay !== true || typeof value.parent_tool_use_id === 'string') return null;
    const joined = this.#prompts.takeRepeated(textsOf(value));
    if (!joined) return null;
    const begun = withText({ kind: 'turn-begin', nested: false, restates: true }, textsOf(value).join('\n'));
    return [begun, ...joined.map((f): Event => ({ kind: 'turn-begin', nested: false, restates: true, joins: f }))];
  }

  #readResult(value: JsonObject): Event[] {
    const used = this.#results.read(value, this.#output.cachedIsInput);
    const text = resultText(value, this.#output.latest);
    this.#isAnswered = true;
    if (this.#isOwn) {
      this.#isOwn = false;
      return [withText({ kind: 'turn-end' }, text), used];
    }
    const { subtype, is_error, permission_denials } = value;
    const status = is_error === true && subtype === 'success' ? 'error' : (stringOf(subtype) ?? '');
    const answer: Event = { kind: 'prompt-answer', prompt: this.#prompts.end(), status, code: null };
    const denials = objectsOf(permission_denials);
    const denied = denials.map(({ tool_use_id }) => stringOf(tool_use_id)).filter((call) => call !== null);
    if (denied.length > 0) answer.denied = denied;
    return [withText(answer, text), used];
  }
}

function readPrompt(value: JsonObject): Event {
  const blocks = blocksOf(objectOf(value.message).content);
  return withText({ kind: 'prompt', blocks }, readable(blocks));
}

/** A result usually repeats the agent's last text; only new text is kept. */
function resultText({ result, error, errors }: JsonObject, latest: string | null): string | null {
  const failure =
    errorText(error) ?? (Array.isArray(errors) ? errors.filter((e) => typeof e === 'string').join('\n') : null);
  return failure ?? (result === latest ? null : stringOf(result));
}
