/** The handshake: `initialize`, and opening, loading or resuming a session. */
import type { Event } from '../../model/event.ts';
import { errorText, handshakeEvent, objectOf, objectsOf, partyOf, stringOf } from '../common/fields.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';

export function readHandshake(method: string, params: JsonObject): Event {
  // ACP 2 has shorter names, the same for both sides.
  const { protocolVersion, clientInfo, clientCapabilities, info, capabilities }: JsonObject =
    method === 'initialize' ? params : {};
  return handshakeEvent({
    protocol: protocol(protocolVersion),
    client: partyOf(clientInfo) ?? partyOf(info),
    capabilities: clientCapabilities ?? capabilities,
    session: stringOf(params.sessionId),
    cwd: stringOf(params.cwd),
  });
}

/** `sessionId`: the session that the request named. */
export function readHandshakeAnswer({ message }: DialectLine, sessionId: string | null): Event {
  if (message.envelope === 'error') return { kind: 'handshake', about: {}, text: errorText(message.body) ?? '' };
  const result = objectOf(message.body);
  return handshakeEvent({
    protocol: protocol(result.protocolVersion),
    agent: partyOf(result.agentInfo) ?? partyOf(result.info),
    capabilities: result.agentCapabilities ?? result.capabilities,
    session: stringOf(result.sessionId) ?? sessionId,
    mode: modeOf(result),
    model: stringOf(objectOf(result.models).currentModelId) ?? option(result, 'model'),
  });
}

/** An option of Copilot, besides that of the mode: no approval is needed while it is on. */
export const ALLOW_ALL = 'allow_all';
export const isOn = (value: unknown): boolean => value === 'on' || value === true;

/** The mode of a session, given as a mode or as an option of that name. */
export function modeOf(result: JsonObject): string | null {
  if (objectsOf(result.configOptions).some(({ id, currentValue }) => id === ALLOW_ALL && isOn(currentValue)))
    return ALLOW_ALL;
  return modeName(objectOf(result.modes).currentModeId) ?? modeName(option(result, 'mode'));
}

/** Copilot names its modes by where ACP describes them: only the last part is a name. */
export function modeName(value: unknown): string | null {
  const name = stringOf(value);
  return name?.startsWith('https://') ? name.slice(name.indexOf('#') + 1) : name;
}

function option({ configOptions }: JsonObject, name: string): string | null {
  const options = objectsOf(configOptions);
  const found = options.find(({ id }) => id === name) ?? options.find(({ category }) => category === name);
  return found ? stringOf(found.currentValue) : null;
}

function protocol(version: unknown): string | null {
  return typeof version === 'number' ? String(version) : stringOf(version);
}
