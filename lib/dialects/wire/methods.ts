/** The client's methods: one event for each request, and one for its answer. */
import type { Event } from '../../model/event.ts';
import type { Message } from '../../model/message.ts';
import { textOfBlocks } from '../common/content.ts';
import { errorText, hello, namesOf, objectOf, partyOf, say, stringOf } from '../common/fields.ts';
import type { Json } from '../dialect.ts';
import { inputBlocks } from './content.ts';

export interface Method {
  asked: (params: Json) => Event;
  /** `result` is empty if the answer is an error. `f`: the frame of the request. */
  answered: (result: Json, message: Message, f: number) => Event;
}

/** Since 0.59. `set_yolo_mode` is in the sources, but in no known release. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', { asked: clientHello, answered: agentHello }],
  ['prompt', { asked: ({ user_input }) => prompt(user_input), answered: promptAnswer }],
  ['cancel', { asked: cancel, answered: (_, { envelope }) => cancelAnswer(envelope === 'response') }],
  ['steer', { asked: steer, answered: () => ({ kind: 'steer', blocks: [], done: false }) }],
  ['replay', { asked: () => replay(), answered: ({ status }) => replay(stringOf(status)) }],
  ['set_plan_mode', modeMethod('plan', 'plan_mode')],
  ['set_yolo_mode', modeMethod('yolo', 'yolo_mode')],
]);

/** In 0.46-0.58. */
export const LEGACY_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['run', { asked: (params) => prompt(runInput(params)), answered: promptAnswer }],
  ['interrupt', { asked: cancel, answered: ({ status }) => cancelAnswer(status === 'ok') }],
]);

export function runInput({ input, prompt }: Json): unknown {
  return input ?? prompt;
}

/** The agent rejects or ignores any other input. */
export const isInput = (input: unknown): boolean => typeof input === 'string' || Array.isArray(input);

function prompt(input: unknown): Event {
  const blocks = inputBlocks(input);
  return { kind: 'prompt', blocks, text: textOfBlocks(blocks) };
}

function promptAnswer({ status }: Json, { envelope, code }: Message, f: number): Event {
  const isError = envelope === 'error';
  return { kind: 'prompt-answer', prompt: f, status: isError ? 'error' : (stringOf(status) ?? ''), code };
}

function cancel(): Event {
  return { kind: 'cancel', of: null, done: false };
}

function cancelAnswer(done: boolean): Event {
  return { kind: 'cancel', of: null, done };
}

/** It is done when it takes effect, which has its own event since 1.21.0. */
function steer({ user_input }: Json): Event {
  const blocks = inputBlocks(user_input);
  return { kind: 'steer', blocks, done: false, text: textOfBlocks(blocks) };
}

/** A cancelled replay is answered too. */
function replay(status?: string | null): Event {
  return status === undefined ? { kind: 'control', name: 'replay' } : { kind: 'control', name: 'replay', status };
}

function modeMethod(mode: string, key: string): Method {
  const modeOf = (on: unknown) => (on === true ? mode : on === false ? 'default' : null);
  return {
    asked: ({ enabled }) => ({ kind: 'mode', mode: modeOf(enabled), done: false }),
    answered: (result, { envelope }) => ({ kind: 'mode', mode: modeOf(result[key]), done: envelope === 'response' }),
  };
}

function clientHello({ protocol_version, client, capabilities }: Json): Event {
  const can = capabilities ?? undefined;
  return hello({ protocol: stringOf(protocol_version), client: partyOf(client), capabilities: can });
}

function agentHello({ protocol_version, server, slash_commands, external_tools, capabilities }: Json): Event {
  const { accepted, rejected } = objectOf(external_tools);
  return hello({
    protocol: stringOf(protocol_version),
    agent: partyOf(server),
    commands: Array.isArray(slash_commands) ? namesOf(slash_commands) : null,
    tools: external_tools == null ? null : { accepted: namesOf(accepted), refused: namesOf(rejected) },
    capabilities: capabilities ?? undefined,
  });
}

/** Adds the text of an error to its event. */
export function answered(event: Event, message: Message): Event {
  return say(event, message.envelope === 'error' ? errorText(message.body) : null);
}
