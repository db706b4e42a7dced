/** ACP: sessions are opened before they are used, and each prompt has its one answer. */

import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import type { Json } from '../../dialect.ts';
import type { RpcLine } from '../../rules/rpc-line.ts';
import { error, info, quoted, type Told, warning, watch, word } from '../../rules/rule.ts';
import { AcpLines } from './lines.ts';

const HEADS = {
  'acp-session-unknown': error.unknown.needsClient(
    'a session is opened before it is used',
    'ACP v1, Session Setup, Session ID; opencode#12133',
  ),
  'acp-session-closed': warning.unknown('a closed session is not used', 'ACP, session/close'),
  'acp-prompt-busy': warning.client(
    'a prompt is sent only after the previous one of its session was answered',
    'ACP v1, Prompt Turn',
  ),
  'acp-stop-reason': warning.agent(
    'a prompt is answered with a stop reason that ACP has',
    'ACP v1, Prompt Turn, Stop Reasons; claude-agent-acp#551',
  ),
  'acp-cancel': warning.agent(
    'a cancelled prompt is answered with the stop reason cancelled',
    'ACP v1, Prompt Turn, Cancellation; claude-agent-acp#688',
  ),
  'acp-cancel-idle': info.client(
    'session/cancel is sent only while a prompt is open',
    'ACP v1, Prompt Turn, Cancellation',
  ),
  'acp-mode-unknown': error.unknown('the mode of a session is one that the agent offered', 'ACP v1, Session Modes'),
};

type Id = keyof typeof HEADS;

interface Session {
  /** Null: not told. */
  modes: string[] | null;
  /** Open ones by their frames, and where they were cancelled. */
  prompts: Map<number, number | null>;
  closedF: number | null;
}

const OPENS = new Set(['session/new', 'session/load', 'session/resume', 'session/fork']);
/** Of the client, about a session that must be open. */
const USES = new Set([
  ...['session/prompt', 'session/cancel', 'session/set_mode', 'session/set_model'],
  ...['session/set_config_option', 'session/fork'],
]);
const STOP_REASONS = new Set(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled']);

class Sessions {
  readonly #lines = new AcpLines();
  readonly #sessions = new Map<string, Session>();
  /** Asked for, and not answered. */
  readonly #opening = new Map<number, string | null>();
  readonly #told = new Set<string>();

  take(read: ReadFrame): Told<Id>[] {
    const line = this.#lines.read(read);
    if (!line) return [];
    if (line.is === 'answer') return line.from === 'agent' ? this.#answers(line) : [];
    const id = stringOf(line.params.sessionId);
    if (line.from === 'client' && OPENS.has(line.method))
      this.#opening.set(line.f, line.method === 'session/fork' ? null : id);
    const told = this.#known(line, id);
    const session = id === null ? undefined : this.#sessions.get(id);
    if (session) told.push(...(line.from === 'client' ? asks(line, session) : tells(line, session)));
    return told;
  }

  #answers({ f, ok, method, params, result, askedF }: RpcLine): Told<Id>[] {
    const asked = stringOf(params.sessionId);
    if (OPENS.has(method)) {
      this.#opening.delete(askedF);
      const id = stringOf(result.sessionId) ?? (method === 'session/fork' ? null : asked);
      if (ok && id !== null) this.#open(id, result);
      return [];
    }
    const session = asked === null ? undefined : this.#sessions.get(asked);
    if (method === 'session/close' && ok && session) session.closedF = f;
    return method === 'session/prompt' && session?.prompts.has(askedF) ? ended(f, ok, result, session, askedF) : [];
  }

  #open(id: string, { modes }: Json): void {
    const { availableModes } = objectOf(modes);
    const names = Array.isArray(availableModes)
      ? listOf(availableModes).map((mode) => stringOf(objectOf(mode).id) ?? '')
      : null;
    const known = this.#sessions.get(id);
    this.#sessions.set(id, { prompts: known?.prompts ?? new Map(), closedF: null, modes: names });
  }

  #known({ f, from, method, is }: RpcLine, id: string | null): Told<Id>[] {
    if (id === null || (from === 'client' && !USES.has(method))) return [];
    const session = this.#sessions.get(id);
    if (session) {
      if (session.closedF === null || !this.#first(`closed ${from} ${id}`)) return [];
      const message = `${word(method)} for the session ${word(id)}, which was closed in f${session.closedF}`;
      return [{ rule: 'acp-session-closed', f, fault: from, frames: [session.closedF], message }];
    }
    const opening = [...this.#opening].find(([, asked]) => asked === null || asked === id);
    if (opening) {
      // History that is loaded comes before the answer, by design; so do hasty words about a new session, not by design.
      if (opening[1] === id || !this.#first(`early ${id}`)) return [];
      const message = `${word(method)} for the session ${word(id)} before the agent confirmed that it is open`;
      return [{ rule: 'acp-session-unknown', f, fault: from, severity: 'info', frames: [opening[0]], message }];
    }
    if (is === 'notification' && !this.#first(`unknown ${from} ${id}`)) return [];
    const message = `${word(method)} for the session ${word(id)}, which was never opened`;
    return [{ rule: 'acp-session-unknown', f, fault: from, message }];
  }

  #first(what: string): boolean {
    if (this.#told.has(what)) return false;
    this.#told.add(what);
    return true;
  }
}

function asks({ f, method, params, is }: RpcLine, session: Session): Told<Id>[] {
  const { prompts } = session;
  switch (method) {
    case 'session/prompt': {
      if (is !== 'request') return [];
      // A client may go on as soon as it has cancelled.
      const busy = [...prompts].find(([, cancelF]) => cancelF === null)?.[0];
      prompts.set(f, null);
      if (busy === undefined) return [];
      const message = `a prompt while the one in f${busy} is not answered yet`;
      return [{ rule: 'acp-prompt-busy', f, frames: [busy], message }];
    }
    case 'session/cancel':
      for (const [prompt, cancelF] of prompts) prompts.set(prompt, cancelF ?? f);
      return prompts.size > 0 ? [] : [{ rule: 'acp-cancel-idle', f, message: 'session/cancel, but no prompt is open' }];
    case 'session/set_mode':
      return mode(f, params.modeId, session, 'client');
    default:
      return [];
  }
}

function tells({ f, method, params, replayed }: RpcLine, session: Session): Told<Id>[] {
  const update = objectOf(params.update);
  if (method !== 'session/update' || update.sessionUpdate !== 'current_mode_update' || replayed) return [];
  return mode(f, update.currentModeId ?? update.modeId, session, 'agent');
}

function mode(f: number, id: unknown, { modes }: Session, fault: 'client' | 'agent'): Told<Id>[] {
  if (!modes || typeof id !== 'string' || modes.includes(id)) return [];
  const message = `the mode ${quoted(id)} is not one of ${word(modes.join(', '))}`;
  return [{ rule: 'acp-mode-unknown', f, fault, message }];
}

function ended(f: number, ok: boolean, { stopReason }: Json, { prompts }: Session, asked: number): Told<Id>[] {
  const cancelF = prompts.get(asked) ?? null;
  prompts.delete(asked);
  const told: Told<Id>[] = [];
  if (ok && typeof stopReason === 'string' && !STOP_REASONS.has(stopReason)) {
    told.push({
      rule: 'acp-stop-reason',
      f,
      frames: [asked],
      message: `the stop reason is ${quoted(stopReason)}, which ACP does not have`,
    });
  }
  if (cancelF === null || stopReason === 'cancelled') return told;
  const late = `the prompt was cancelled in f${cancelF}, but was answered with ${quoted(stopReason)}`;
  const message = ok ? late : 'the prompt was cancelled, but was answered with an error';
  // Without an error, it may have ended by itself just before it heard of it.
  told.push({ rule: 'acp-cancel', f, frames: [asked, cancelF], severity: ok ? 'warning' : 'error', message });
  return told;
}

export const ACP_SESSION_RULES = watch(['acp'], HEADS, () => new Sessions());
