/** pi: known commands, prompts at the right time, valid answers to dialogs, and calls that were started. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { Recent } from '../../../model/recent.ts';
import { listOf, stringOf } from '../../common/fields.ts';
import type { Json } from '../../dialect.ts';
import { type CheckedSession, error, quoted, type Told, watch, word } from '../../rules/rule.ts';
import { isCommand } from '../words.ts';
import { SOURCE } from './shapes.ts';

const HEADS = {
  'pi-command': error.client('the client sends only commands that pi has', `${SOURCE}, Commands`),
  'pi-busy': error.client(
    'a prompt during a run says with streamingBehavior when pi should read it',
    `${SOURCE}, Prompting`,
  ),
  'pi-dialog-answer': error.client(
    'a dialog is answered with what it asks for: an option, confirmed, a value, or cancelled',
    `${SOURCE}, Extension UI Responses`,
  ),
  'pi-call-unknown': error.agent(
    'a call is updated or ended only after its start, and only once it has not ended',
    `${SOURCE}, tool_execution_start`,
  ),
  'pi-run': error.agent('agent_end ends a run that agent_start began', `${SOURCE}, agent_start, agent_end`),
};

type Id = keyof typeof HEADS;

/** A line of the client that is neither a command nor an answer. */
export function isNoCommand({ frame, value }: ReadFrame): boolean {
  if (frame.from !== 'client' || !isObject(value)) return false;
  const type = stringOf(value.type);
  return type !== 'extension_ui_response' && !isCommand(type);
}

class Runs {
  /** What the client writes is only text. */
  readonly #isOneShot: boolean;
  #begun: number | null = null;
  readonly #calls = new Recent<string, number>();
  readonly #dialogs = new Recent<number, Json>(1000);
  /** Prompts that were sent during a run, with the frame that began it. */
  readonly #early = new Recent<number, number>(1000);

  constructor(session: CheckedSession) {
    this.#isOneShot = session.traits.stdinIsPrompt;
  }

  take(read: ReadFrame): Told<Id>[] {
    const { frame, value, ledger } = read;
    if (frame.form === 'event' || !isObject(value) || ledger.process.isTorn) return [];
    if (frame.from === 'client') return this.#isOneShot ? [] : this.#client(read, value);
    return frame.from === 'agent' ? this.#agent(read, value) : [];
  }

  #client(read: ReadFrame, value: Json): Told<Id>[] {
    const { f } = read.frame;
    const { type } = value;
    if (isNoCommand(read)) return [{ rule: 'pi-command', f, message: `pi has no command ${quoted(type)}` }];
    const isPlain = type === 'prompt' && value.streamingBehavior === undefined;
    if (isPlain && this.#begun !== null) this.#early.set(f, this.#begun);
    const asked = read.pairing?.exchange?.askedF;
    const dialog = type === 'extension_ui_response' && asked !== undefined ? this.#dialogs.get(asked) : undefined;
    const fault = dialog ? misfit(value, dialog) : null;
    return fault === null ? [] : [{ rule: 'pi-dialog-answer', f, frames: [asked!], message: fault }];
  }

  #agent({ frame, message, pairing }: ReadFrame, value: Json): Told<Id>[] {
    const { f } = frame;
    switch (value.type) {
      case 'agent_start':
        this.#begun = f;
        return [];
      case 'agent_end': {
        const isBegun = this.#begun !== null;
        this.#begun = null;
        return isBegun ? [] : [{ rule: 'pi-run', f, message: 'agent_end without an agent_start' }];
      }
      case 'extension_ui_request':
        if (message.envelope === 'request') this.#dialogs.set(f, value);
        return [];
      case 'response':
        return message.envelope === 'error' ? this.#refused(f, pairing?.exchange?.askedF) : [];
      default:
        return this.#call(f, value);
    }
  }

  /** Only pi knows whether the prompt came too early: it may have crossed the end of the run. */
  #refused(f: number, asked: number | undefined): Told<Id>[] {
    const begun = asked === undefined ? undefined : this.#early.get(asked);
    if (begun === undefined) return [];
    const message = `the prompt in f${asked} was refused: the run that began in f${begun} was not over`;
    return [{ rule: 'pi-busy', f: asked!, frames: [begun, f], message }];
  }

  #call(f: number, { type, toolCallId }: Json): Told<Id>[] {
    const call = stringOf(toolCallId);
    if (call === null || typeof type !== 'string' || !type.startsWith('tool_execution_')) return [];
    if (type === 'tool_execution_start') {
      this.#calls.set(call, f);
      return [];
    }
    const isKnown = this.#calls.has(call);
    if (type === 'tool_execution_end') this.#calls.delete(call);
    return isKnown ? [] : [{ rule: 'pi-call-unknown', f, message: `${type} for ${word(call)}, which is not running` }];
  }
}

/** What is wrong with an answer to a dialog; null if nothing is. */
function misfit({ value, confirmed, cancelled }: Json, { method, options }: Json): string | null {
  if (cancelled === true) return null;
  if (method === 'confirm') {
    return typeof confirmed === 'boolean' ? null : `confirm is answered with confirmed ${quoted(confirmed)}`;
  }
  if (typeof value !== 'string') return `${word(method)} is answered with the value ${quoted(value)}`;
  const isOffered = method !== 'select' || listOf(options).includes(value);
  return isOffered ? null : `${quoted(value)} is not one of the options`;
}

export const PI_RUN_RULES = watch(['pi'], HEADS, (session) => new Runs(session));
