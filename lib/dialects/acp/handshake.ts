/** Who is there and what they can do: `initialize`, and the sessions that are opened, loaded or resumed. */
import type { Event, Handshake } from '../../core/event.ts';
import type { Json, Line } from '../dialect.ts';
import { asObject, asObjects, asText, errorText } from '../loose.ts';

export function readHandshake(method: string, params: Json): Event {
  const about: Handshake = {};
  if (method === 'initialize') {
    Object.assign(about, protocol(params.protocolVersion), party('client', params.clientInfo));
    if (params.clientCapabilities !== undefined) about.capabilities = params.clientCapabilities;
  }
  const [session, cwd] = [asText(params.sessionId), asText(params.cwd)];
  if (session !== null) about.session = session;
  if (cwd !== null) about.cwd = cwd;
  return { kind: 'handshake', about };
}

/** `asked`: the session that the request named. */
export function readHandshakeAnswer({ message }: Line, asked: string | null): Event {
  if (message.envelope === 'error') return { kind: 'handshake', about: {}, text: errorText(message.body) };
  const result = asObject(message.body);
  const about: Handshake = { ...protocol(result.protocolVersion), ...party('agent', result.agentInfo) };
  if (result.agentCapabilities !== undefined) about.capabilities = result.agentCapabilities;
  const session = asText(result.sessionId) ?? asked;
  const mode = modeOf(result);
  const model = asText(asObject(result.models).currentModelId) ?? option(result, 'model');
  if (session !== null) about.session = session;
  if (mode !== null) about.mode = mode;
  if (model !== null) about.model = model;
  return { kind: 'handshake', about };
}

/** The mode that a session is in, told as a mode or as an option of that name. */
export function modeOf(said: Json): string | null {
  return asText(asObject(said.modes).currentModeId) ?? option(said, 'mode');
}

function option({ configOptions }: Json, name: string): string | null {
  const options = asObjects(configOptions);
  const found = options.find(({ id }) => id === name) ?? options.find(({ category }) => category === name);
  return found ? asText(found.currentValue) : null;
}

function protocol(version: unknown): Handshake {
  return typeof version === 'number' || typeof version === 'string' ? { protocol: String(version) } : {};
}

function party(side: 'client' | 'agent', value: unknown): Handshake {
  const info = asObject(value);
  const name = asText(info.name);
  return name === null ? {} : { [side]: { name, version: asText(info.version) } };
}
