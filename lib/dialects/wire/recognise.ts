/**
 * Whether a session is Wire, and of which age. What the agent says decides; then what the client says (it may have tried
 * the other one first); then the command. Version numbers are not asked: they lag behind what they name.
 */
import { isObject } from '../../core/message.ts';
import type { FirstLook } from '../dialect.ts';
import { EVENTS, LEGACY_EVENTS, SUBAGENT_TYPES } from './events.ts';
import { LEGACY_APPROVAL, REQUESTS } from './requests.ts';

const CERTAIN = 1;
const SPOKEN = 0.9;
const STARTED = 0.6;
const STARTED_MAYBE = 0.3;

interface Signs {
  agent: boolean;
  client: boolean;
}

export function sureOfWire(first: FirstLook): number {
  const signs = signsOf(first, isWireType, isWireMethod);
  const others = signsOf(first, isLegacyType, isLegacyMethod);
  if (signs.agent || others.agent) return signs.agent ? CERTAIN : 0;
  if (signs.client || others.client) return signs.client && !others.client ? SPOKEN : signs.client ? STARTED_MAYBE : 0;
  return startsWire(first.command) || startsAgentRs(first.command) ? STARTED : 0;
}

export function sureOfLegacy(first: FirstLook): number {
  const signs = signsOf(first, isLegacyType, isLegacyMethod);
  if (signs.agent) return CERTAIN;
  if (signsOf(first, isWireType, isWireMethod).agent) return 0;
  // A client that runs has been told that it cannot prompt.
  if (signs.client) return SPOKEN;
  const { command } = first;
  if (command.some((word, index) => word === '--ui' && command[index + 1] === 'wire')) return STARTED;
  return startsWire(command) ? STARTED_MAYBE : 0;
}

function signsOf(
  { lines }: FirstLook,
  isType: (type: unknown) => boolean,
  isMethod: (method: unknown, params: Record<string, unknown>) => boolean,
): Signs {
  const signs = { agent: false, client: false };
  for (const { from, value } of lines) {
    const params = isObject(value.params) ? value.params : {};
    if (from === 'client') signs.client ||= isMethod(value.method, params);
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

/** Others have an `initialize` and a `prompt` too, with other parameters. */
function isWireMethod(method: unknown, params: Record<string, unknown>): boolean {
  if (method === 'initialize') return typeof params.protocol_version === 'string';
  return (method === 'prompt' || method === 'steer') && 'user_input' in params;
}

function isLegacyMethod(method: unknown, params: Record<string, unknown>): boolean {
  return method === 'run' && (typeof params.input === 'string' || typeof params.prompt === 'string');
}

function startsWire(command: readonly string[]): boolean {
  return command.includes('--wire');
}

/** kimi-agent-rs speaks nothing else. */
function startsAgentRs([program]: readonly string[]): boolean {
  const name = program?.split(/[\\/]/).at(-1);
  return name === 'kimi-agent' || name === 'kimi-agent.exe';
}
