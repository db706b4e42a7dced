/**
 * Whether a session is Wire, and which generation. The agent's lines decide, then the client's (it may have tried the
 * other generation first), then the command. Version numbers are ignored, because they lag behind.
 */
import { isObject } from '../../model/message.ts';
import type { FirstLook, Json } from '../dialect.ts';
import { EVENTS, LEGACY_EVENTS, SUBAGENT_TYPES } from './events.ts';
import { LEGACY_METHODS, METHODS } from './methods.ts';
import { LEGACY_APPROVAL, REQUESTS } from './requests.ts';

const CERTAIN = 1;
const SPOKEN = 0.9;
const STARTED = 0.6;
const STARTED_BY_UI = 0.7;
const STARTED_MAYBE = 0.3;

type Has = (value: unknown) => boolean;

/** Whether each side has said something specific to the dialect. */
interface Signs {
  agent: boolean;
  client: boolean;
}

export function sureOfWire(first: FirstLook): number {
  const ours = wireSigns(first);
  const others = legacySigns(first);
  if (ours.agent || others.agent) return ours.agent ? CERTAIN : 0;
  // A client that sends `run` has learned that `prompt` does not work.
  if (others.client) return ours.client ? STARTED_MAYBE : 0;
  if (ours.client) return SPOKEN;
  return isStarted(first) ? STARTED : 0;
}

export function sureOfLegacy(first: FirstLook): number {
  const ours = legacySigns(first);
  if (ours.agent) return CERTAIN;
  if (wireSigns(first).agent) return 0;
  if (ours.client) return SPOKEN;
  if (isStartedByUi(first)) return STARTED_BY_UI;
  return isStarted(first) ? STARTED_MAYBE : 0;
}

const wireSigns = (first: FirstLook) => signsOf(first, isWireType, METHODS, isWireParams);
const legacySigns = (first: FirstLook) => signsOf(first, isLegacyType, LEGACY_METHODS, isLegacyParams);

/** Other protocols have the same method names, so the parameters must match too, unless the command says it is Wire. */
function signsOf(
  first: FirstLook,
  isType: Has,
  methods: ReadonlyMap<unknown, unknown>,
  isParams: (params: Json) => boolean,
): Signs {
  const signs = { agent: false, client: false };
  const isCertain = isStarted(first);
  for (const { from, value } of first.lines) {
    const params = isObject(value.params) ? value.params : {};
    if (from === 'client') signs.client ||= methods.has(value.method) && (isCertain || isParams(params));
    else signs.agent ||= (value.method === 'event' || value.method === 'request') && isType(params.type);
  }
  return signs;
}

function isWireType(type: unknown): boolean {
  return EVENTS.has(type) || type === 'SubagentEvent' || (REQUESTS.has(type) && type !== LEGACY_APPROVAL);
}

function isLegacyType(type: unknown): boolean {
  return !isWireType(type) && (LEGACY_EVENTS.has(type) || SUBAGENT_TYPES.has(type) || REQUESTS.has(type));
}

function isWireParams({ protocol_version, user_input }: Json): boolean {
  return typeof protocol_version === 'string' || user_input !== undefined;
}

function isLegacyParams({ input, prompt }: Json): boolean {
  return typeof input === 'string' || typeof prompt === 'string';
}

function isStarted(first: FirstLook): boolean {
  return first.command.includes('--wire') || isStartedByUi(first) || isAgentRs(first);
}

/** In 0.46-0.51. */
function isStartedByUi({ command }: FirstLook): boolean {
  return command.some((word, index) => word === '--ui' && command[index + 1] === 'wire');
}

/** kimi-agent-rs speaks nothing else. */
function isAgentRs({ command: [program] }: FirstLook): boolean {
  return program !== undefined && /(?:^|[\\/])kimi-agent(?:\.exe)?$/.test(program);
}
