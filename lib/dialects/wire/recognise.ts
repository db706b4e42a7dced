/**
 * Whether a session is Wire, and which generation. The agent's lines decide, then the client's (it may have tried the
 * other generation first), then the command. Version numbers are ignored, because they lag behind.
 */
import { isObject } from '../../model/message.ts';
import type { FirstLines, JsonObject } from '../dialect.ts';
import { EVENTS, LEGACY_EVENTS, SUBAGENT_TYPES } from './events.ts';
import { LEGACY_METHODS, METHODS } from './methods.ts';
import { LEGACY_APPROVAL, REQUESTS } from './requests.ts';

const CERTAIN = 1;
const BY_CLIENT_LINES = 0.9;
const BY_COMMAND = 0.6;
const BY_UI_OPTION = 0.7;
const UNLIKELY = 0.3;

type TypeTest = (value: unknown) => boolean;

/** Whether each side has said something specific to the dialect. */
interface SideSigns {
  agent: boolean;
  client: boolean;
}

export function recogniseWire(first: FirstLines): number {
  const ours = wireSigns(first);
  const others = legacySigns(first);
  if (ours.agent || others.agent) return ours.agent ? CERTAIN : 0;
  // A client that sends `run` has learned that `prompt` does not work.
  if (others.client) return ours.client ? UNLIKELY : 0;
  if (ours.client) return BY_CLIENT_LINES;
  return isStarted(first) ? BY_COMMAND : 0;
}

export function recogniseLegacyWire(first: FirstLines): number {
  const ours = legacySigns(first);
  if (ours.agent) return CERTAIN;
  if (wireSigns(first).agent) return 0;
  if (ours.client) return BY_CLIENT_LINES;
  if (isStartedByUi(first)) return BY_UI_OPTION;
  return isStarted(first) ? UNLIKELY : 0;
}

const wireSigns = (first: FirstLines) => signsOf(first, isWireType, METHODS, isWireParams);
const legacySigns = (first: FirstLines) => signsOf(first, isLegacyType, LEGACY_METHODS, isLegacyParams);

/** Other protocols have the same method names, so the parameters must match too, unless the command says it is Wire. */
function signsOf(
  first: FirstLines,
  isType: TypeTest,
  methods: ReadonlyMap<unknown, unknown>,
  isParams: (params: JsonObject) => boolean,
): SideSigns {
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

function isWireParams({ protocol_version, user_input }: JsonObject): boolean {
  return typeof protocol_version === 'string' || user_input !== undefined;
}

function isLegacyParams({ input, prompt }: JsonObject): boolean {
  return typeof input === 'string' || typeof prompt === 'string';
}

function isStarted(first: FirstLines): boolean {
  return first.command.includes('--wire') || isStartedByUi(first) || isAgentRs(first);
}

/** In 0.46-0.51. */
function isStartedByUi({ command }: FirstLines): boolean {
  return command.some((word, index) => word === '--ui' && command[index + 1] === 'wire');
}

/** kimi-agent-rs speaks nothing else. */
function isAgentRs({ command: [program] }: FirstLines): boolean {
  return program !== undefined && /(?:^|[\\/])kimi-agent(?:\.exe)?$/.test(program);
}
