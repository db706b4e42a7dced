/** The client's methods: one event for each request, and one for its answer. */
import type { Event } from '../../model/event.ts';
import type { Message } from '../../model/message.ts';
import { textOfBlocks } from '../common/content.ts';
import { errorText, handshakeEvent, namesOf, objectOf, partyOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { inputBlocks } from './content.ts';

export interface WireMethod {
  readRequest: (params: JsonObject) => Event;
  /** `result` is empty if the answer is an error. `f`: the frame of the request. */
  readAnswer: (result: JsonObject, message: Message, f: number) => Event;
}

/** Since 0.59. `set_yolo_mode` is in the sources, but in no known release. */
export const METHODS: ReadonlyMap<string, WireMethod> = new Map<string, WireMethod>([
  ['initialize', { readRequest: readClientHandshake, readAnswer: readAgentHandshake }],
  ['prompt', { readRequest: ({ user_input }) => readPrompt(user_input), readAnswer: readPromptAnswer }],
  ['cancel', { readRequest: readCancel, readAnswer: (_, { envelope }) => readCancelAnswer(envelope === 'response') }],
  ['steer', { readRequest: readSteer, readAnswer: () => ({ kind: 'steer', blocks: [], done: false }) }],
  ['replay', { readRequest: () => makeReplayEvent(), readAnswer: ({ status }) => makeReplayEvent(stringOf(status)) }],
  ['set_plan_mode', makeModeMethod('plan', 'plan_mode')],
  ['set_yolo_mode', makeModeMethod('yolo', 'yolo_mode')],
]);

/** In 0.46-0.58. */
export const LEGACY_METHODS: ReadonlyMap<string, WireMethod> = new Map<string, WireMethod>([
  ['run', { readRequest: (params) => readPrompt(runInput(params)), readAnswer: readPromptAnswer }],
  ['interrupt', { readRequest: readCancel, readAnswer: ({ status }) => readCancelAnswer(status === 'ok') }],
]);

export function runInput({ input, prompt }: JsonObject): unknown {
  return input ?? prompt;
}

/** The agent rejects or ignores any other input. */
export const isInput = (input: unknown): boolean => typeof input === 'string' || Array.isArray(input);

function readPrompt(input: unknown): Event {
  const blocks = inputBlocks(input);
  return { kind: 'prompt', blocks, text: textOfBlocks(blocks) };
}

function readPromptAnswer({ status }: JsonObject, { envelope, code }: Message, f: number): Event {
  const isError = envelope === 'error';
  return { kind: 'prompt-answer', prompt: f, status: isError ? 'error' : (stringOf(status) ?? ''), code };
}

function readCancel(): Event {
  return { kind: 'cancel', of: null, done: false };
}

function readCancelAnswer(done: boolean): Event {
  return { kind: 'cancel', of: null, done };
}

/** It is done when it takes effect, which has its own event since 1.21.0. */
function readSteer({ user_input }: JsonObject): Event {
  const blocks = inputBlocks(user_input);
  return { kind: 'steer', blocks, done: false, text: textOfBlocks(blocks) };
}

/** A cancelled replay is answered too. */
function makeReplayEvent(status?: string | null): Event {
  return status === undefined ? { kind: 'control', name: 'replay' } : { kind: 'control', name: 'replay', status };
}

function makeModeMethod(mode: string, key: string): WireMethod {
  const modeOf = (on: unknown) => (on === true ? mode : on === false ? 'default' : null);
  return {
    readRequest: ({ enabled }) => ({ kind: 'mode', mode: modeOf(enabled), done: false }),
    readAnswer: (result, { envelope }) => ({ kind: 'mode', mode: modeOf(result[key]), done: envelope === 'response' }),
  };
}

function readClientHandshake({ protocol_version, client, capabilities }: JsonObject): Event {
  const can = capabilities ?? undefined;
  return handshakeEvent({ protocol: stringOf(protocol_version), client: partyOf(client), capabilities: can });
}

function readAgentHandshake({
  protocol_version,
  server,
  slash_commands,
  external_tools,
  capabilities,
}: JsonObject): Event {
  const { accepted, rejected } = objectOf(external_tools);
  return handshakeEvent({
    protocol: stringOf(protocol_version),
    agent: partyOf(server),
    commands: Array.isArray(slash_commands) ? namesOf(slash_commands) : null,
    tools: external_tools == null ? null : { accepted: namesOf(accepted), refused: namesOf(rejected) },
    capabilities: capabilities ?? undefined,
  });
}

/** Adds the text of an error to its event. */
export function withErrorText(event: Event, message: Message): Event {
  return withText(event, message.envelope === 'error' ? errorText(message.body) : null);
}
