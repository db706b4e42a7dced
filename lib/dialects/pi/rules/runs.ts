/** pi: known commands, prompts at the right time, valid answers to dialogs, and calls that were started. */

import { LimitedMap } from '../../../model/limited-map.ts';
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import { type CheckedSession, defineRules, error, quoted, type RuleHit, textOrJson } from '../../rules/rule.ts';
import { isCommand } from '../words.ts';
import { SOURCE } from './shapes.ts';

const RULES = {
  'pi-command': error.client('the client sends only commands that pi has', `${SOURCE}, Commands`),
  'pi-busy': error.client(
    'a prompt sent during a run says in streamingBehavior when pi should read it',
    `${SOURCE}, Prompting`,
  ),
  'pi-dialog-answer': error.client(
    'a dialog is answered with what it asks for: an option, confirmed, a value, or cancelled',
    `${SOURCE}, Extension UI Responses`,
  ),
  'pi-call-unknown': error.agent(
    'a call is updated or ended only after it started and before it ended',
    `${SOURCE}, tool_execution_start`,
  ),
  'pi-run': error.agent('agent_end ends a run that agent_start began', `${SOURCE}, agent_start, agent_end`),
};

type PiRule = keyof typeof RULES;

/** A line of the client that is neither a command nor an answer. */
export function isUnknownCommand({ frame, value }: ReadFrame): boolean {
  if (frame.from !== 'client' || !isObject(value)) return false;
  const type = stringOf(value.type);
  return type !== 'extension_ui_response' && !isCommand(type);
}

class PiRules {
  /** What the client writes is only text. */
  readonly #isOneShot: boolean;
  #begun: number | null = null;
  readonly #calls = new LimitedMap<string, number>();
  readonly #dialogs = new LimitedMap<number, JsonObject>(1000);
  /** Prompts that were sent during a run, with the frame that began it. */
  readonly #early = new LimitedMap<number, number>(1000);

  constructor(session: CheckedSession) {
    this.#isOneShot = session.traits.stdinIsPrompt;
  }

  take(read: ReadFrame): RuleHit<PiRule>[] {
    const { frame, value, ledger } = read;
    if (frame.form === 'event' || !isObject(value) || ledger.process.hasHoles) return [];
    if (frame.from === 'client') return this.#isOneShot ? [] : this.#checkClient(read, value);
    return frame.from === 'agent' ? this.#checkAgent(read, value) : [];
  }

  #checkClient(read: ReadFrame, value: JsonObject): RuleHit<PiRule>[] {
    const { f } = read.frame;
    const { type } = value;
    if (isUnknownCommand(read)) return [{ rule: 'pi-command', f, message: `pi has no command ${quoted(type)}` }];
    const isPlain = type === 'prompt' && value.streamingBehavior === undefined;
    if (isPlain && this.#begun !== null) this.#early.set(f, this.#begun);
    const dialogF = read.pairing?.exchange?.askedF;
    const dialog = type === 'extension_ui_response' && dialogF !== undefined ? this.#dialogs.get(dialogF) : undefined;
    const fault = dialog ? findMismatch(value, dialog) : null;
    return fault === null ? [] : [{ rule: 'pi-dialog-answer', f, frames: [dialogF!], message: fault }];
  }

  #checkAgent({ frame, message, pairing }: ReadFrame, value: JsonObject): RuleHit<PiRule>[] {
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
        return message.envelope === 'error' ? this.#checkRefused(f, pairing?.exchange?.askedF) : [];
      default:
        return this.#checkCall(f, value);
    }
  }

  /** Only pi knows whether the prompt came too early: it may have crossed the end of the run. */
  #checkRefused(f: number, promptF: number | undefined): RuleHit<PiRule>[] {
    const begun = promptF === undefined ? undefined : this.#early.get(promptF);
    if (begun === undefined) return [];
    const message = `the prompt in f${promptF} was refused: the run that began in f${begun} was not over`;
    return [{ rule: 'pi-busy', f: promptF!, frames: [begun, f], message }];
  }

  #checkCall(f: number, { type, toolCallId }: JsonObject): RuleHit<PiRule>[] {
    const call = stringOf(toolCallId);
    if (call === null || typeof type !== 'string' || !type.startsWith('tool_execution_')) return [];
    if (type === 'tool_execution_start') {
      this.#calls.set(call, f);
      return [];
    }
    const isKnown = this.#calls.has(call);
    if (type === 'tool_execution_end') this.#calls.delete(call);
    return isKnown
      ? []
      : [{ rule: 'pi-call-unknown', f, message: `${type} for ${textOrJson(call)}, which is not running` }];
  }
}

/** What is wrong with an answer to a dialog; null if nothing is. */
function findMismatch({ value, confirmed, cancelled }: JsonObject, { method, options }: JsonObject): string | null {
  if (cancelled === true) return null;
  if (method === 'confirm') {
    return typeof confirmed === 'boolean' ? null : `confirm is answered with confirmed ${quoted(confirmed)}`;
  }
  if (typeof value !== 'string') return `${textOrJson(method)} is answered with the value ${quoted(value)}`;
  const isOffered = method !== 'select' || listOf(options).includes(value);
  return isOffered ? null : `${quoted(value)} is not one of the options`;
}

export const PI_RUN_RULES = defineRules(['pi'], RULES, (session) => new PiRules(session));
