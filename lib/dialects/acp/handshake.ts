/** The handshake: `initialize`, and opening, loading or resuming a session. */
import type { Event, Handshake } from '../../core/event.ts';
import type { Json, Line } from '../dialect.ts';
import { errorText, objectOf, objectsOf, partyOf, stringOf } from '../fields.ts';

export function readHandshake(method: string, params: Json): Event {
  const about: Handshake = {};
  if (method === 'initialize') {
    Object.assign(about, protocol(params.protocolVersion), party('client', params.clientInfo));
    if (params.clientCapabilities !== undefined) about.capabilities = params.clientCapabilities;
  }
  const [session, cwd] = [stringOf(params.sessionId), stringOf(params.cwd)];
  if (session !== null) about.session = session;
  if (cwd !== null) about.cwd = cwd;
  return { kind: 'handshake', about };
}

/** `asked`: the session that the request named. */
export function readHandshakeAnswer({ message }: Line, asked: string | null): Event {
  if (message.envelope === 'error') return { kind: 'handshake', about: {}, text: errorText(message.body) ?? '' };
  const result = objectOf(message.body);
  const about: Handshake = { ...protocol(result.protocolVersion), ...party('agent', result.agentInfo) };
  if (result.agentCapabilities !== undefined) about.capabilities = result.agentCapabilities;
  const session = stringOf(result.sessionId) ?? asked;
  const mode = modeOf(result);
  const model = stringOf(objectOf(result.models).currentModelId) ?? option(result, 'model');
  if (session !== null) about.session = session;
  if (mode !== null) about.mode = mode;
  if (model !== null) about.model = model;
  return { kind: 'handshake', about };
}

/** The mode of a session, given as a mode or as an option of that name. */
export function modeOf(said: Json): string | null {
  return stringOf(objectOf(said.modes).currentModeId) ?? option(said, 'mode');
}

function option({ configOptions }: Json, name: string): string | null {
  const options = objectsOf(configOptions);
  const found = options.find(({ id }) => id === name) ?? options.find(({ category }) => category === name);
  return found ? stringOf(found.currentValue) : null;
}

function protocol(version: unknown): Handshake {
  return typeof version === 'number' || typeof version === 'string' ? { protocol: String(version) } : {};
}

function party(side: 'client' | 'agent', value: unknown): Handshake {
  const who = partyOf(value);
  return who ? { [side]: who } : {};
}
