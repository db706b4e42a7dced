/** ACP: sessions are opened before they are used, and each prompt has its one answer. */

import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import type { RpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, info, quoted, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import { AcpLines } from './lines.ts';

const RULES = {
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

type AcpSessionRule = keyof typeof RULES;

interface CheckedAcpSession {
  /** Null: not reported. */
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

class AcpSessionRules {
  readonly #lines = new AcpLines(1, 2);
  readonly #sessions = new Map<string, CheckedAcpSession>();
  /** Asked for, and not answered. */
  readonly #opening = new Map<number, string | null>();
  readonly #reported = new Set<string>();

  take(read: ReadFrame): RuleHit<AcpSessionRule>[] {
    const line = this.#lines.read(read);
    if (!line) return [];
    if (line.is === 'answer') return line.from === 'agent' ? this.#takeAnswer(line) : [];
    const id = stringOf(line.params.sessionId);
    if (line.from === 'client' && OPENS.has(line.method))
      this.#opening.set(line.f, line.method === 'session/fork' ? null : id);
    const hits = this.#checkKnown(line, id);
    const session = id === null ? undefined : this.#sessions.get(id);
    if (session && this.#lines.version === 1)
      hits.push(...(line.from === 'client' ? checkRequest(line, session) : checkNotification(line, session)));
    return hits;
  }

  #takeAnswer({ f, ok, method, params, result, askedF }: RpcLine): RuleHit<AcpSessionRule>[] {
    const sessionId = stringOf(params.sessionId);
    if (OPENS.has(method)) {
      this.#opening.delete(askedF);
      const id = stringOf(result.sessionId) ?? (method === 'session/fork' ? null : sessionId);
      if (ok && id !== null) this.#open(id, result);
      return [];
    }
    const session = sessionId === null ? undefined : this.#sessions.get(sessionId);
    if (method === 'session/close' && ok && session) session.closedF = f;
    // Prompts of ACP 2 are only answered when they are inserted, and have rules of their own.
    return method === 'session/prompt' && session?.prompts.has(askedF)
      ? checkPromptAnswer(f, ok, result, session, askedF)
      : [];
  }

  #open(id: string, { modes }: JsonObject): void {
    const { availableModes } = objectOf(modes);
    const names = Array.isArray(availableModes)
      ? listOf(availableModes).map((mode) => stringOf(objectOf(mode).id) ?? '')
      : null;
    const known = this.#sessions.get(id);
    this.#sessions.set(id, { prompts: known?.prompts ?? new Map(), closedF: null, modes: names });
  }

  #checkKnown({ f, from, method, is }: RpcLine, id: string | null): RuleHit<AcpSessionRule>[] {
    if (id === null || (from === 'client' && !USES.has(method))) return [];
    const session = this.#sessions.get(id);
    if (session) {
      if (session.closedF === null || !this.#isFirst(`closed ${from} ${id}`)) return [];
      const message = `${textOrJson(method)} for the session ${textOrJson(id)}, which was closed in f${session.closedF}`;
      return [{ rule: 'acp-session-closed', f, fault: from, frames: [session.closedF], message }];
    }
    const opening = [...this.#opening].find(([, openingId]) => openingId === null || openingId === id);
    if (opening) {
      // History that is loaded comes before the answer, by design; so do hasty words about a new session, not by design.
      if (opening[1] === id || !this.#isFirst(`early ${id}`)) return [];
      const message = `${textOrJson(method)} for the session ${textOrJson(id)} before the agent confirmed that it is open`;
      return [{ rule: 'acp-session-unknown', f, fault: from, severity: 'info', frames: [opening[0]], message }];
    }
    if (is === 'notification' && !this.#isFirst(`unknown ${from} ${id}`)) return [];
    const message = `${textOrJson(method)} for the session ${textOrJson(id)}, which was never opened`;
    return [{ rule: 'acp-session-unknown', f, fault: from, message }];
  }

  #isFirst(what: string): boolean {
    if (this.#reported.has(what)) return false;
    this.#reported.add(what);
    return true;
  }
}

function checkRequest({ f, method, params, is }: RpcLine, session: CheckedAcpSession): RuleHit<AcpSessionRule>[] {
  const { prompts } = session;
  switch (method) {
    case 'session/prompt': {
      if (is !== 'request') return [];
      // A client may go on as soon as it has cancelled.
      const busy = [...prompts].find(([, cancelF]) => cancelF === null)?.[0];
      prompts.set(f, null);
      if (busy === undefined) return [];
      const message = `a prompt before the one in f${busy} was answered`;
      return [{ rule: 'acp-prompt-busy', f, frames: [busy], message }];
    }
    case 'session/cancel':
      for (const [prompt, cancelF] of prompts) prompts.set(prompt, cancelF ?? f);
      return prompts.size > 0 ? [] : [{ rule: 'acp-cancel-idle', f, message: 'session/cancel, but no prompt is open' }];
    case 'session/set_mode':
      return checkMode(f, params.modeId, session, 'client');
    default:
      return [];
  }
}

function checkNotification(
  { f, method, params, replayed }: RpcLine,
  session: CheckedAcpSession,
): RuleHit<AcpSessionRule>[] {
  const update = objectOf(params.update);
  if (method !== 'session/update' || update.sessionUpdate !== 'current_mode_update' || replayed) return [];
  return checkMode(f, update.currentModeId ?? update.modeId, session, 'agent');
}

function checkMode(
  f: number,
  id: unknown,
  { modes }: CheckedAcpSession,
  fault: 'client' | 'agent',
): RuleHit<AcpSessionRule>[] {
  if (!modes || typeof id !== 'string' || modes.includes(id)) return [];
  const message = `the mode ${quoted(id)} is not one of ${textOrJson(modes.join(', '))}`;
  return [{ rule: 'acp-mode-unknown', f, fault, message }];
}

function checkPromptAnswer(
  f: number,
  ok: boolean,
  { stopReason }: JsonObject,
  { prompts }: CheckedAcpSession,
  promptF: number,
): RuleHit<AcpSessionRule>[] {
  const cancelF = prompts.get(promptF) ?? null;
  prompts.delete(promptF);
  const hits: RuleHit<AcpSessionRule>[] = [];
  if (ok && typeof stopReason === 'string' && !STOP_REASONS.has(stopReason)) {
    hits.push({
      rule: 'acp-stop-reason',
      f,
      frames: [promptF],
      message: `the stop reason is ${quoted(stopReason)}, which ACP does not have`,
    });
  }
  if (cancelF === null || stopReason === 'cancelled') return hits;
  const late = `the prompt was cancelled in f${cancelF}, but was answered with ${quoted(stopReason)}`;
  const message = ok ? late : 'the prompt was cancelled, but was answered with an error';
  // Without an error, the turn may have ended just before the cancel arrived.
  hits.push({ rule: 'acp-cancel', f, frames: [promptF, cancelF], severity: ok ? 'warning' : 'error', message });
  return hits;
}

export const ACP_SESSION_RULES = defineRules(['acp'], RULES, () => new AcpSessionRules());
