/** ACP 2: the agent reports when it works, when it needs the user, and when it is done; and repeats what was inserted. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import { LimitedMap } from '../../../model/limited-map.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import type { RpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, info, NOTHING, quoted, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import { AcpLines } from './lines.ts';

const RULES = {
  'acp-state-running': warning.agent(
    'after a prompt was accepted, the agent reports that it is running',
    'ACP v2, Prompt Lifecycle, Session States',
  ),
  'acp-state-requires-action': warning.agent(
    'requires_action is reported only while the user is asked for something',
    'ACP v2, Prompt Lifecycle, Session States',
  ),
  'acp-state-reason': info.agent(
    'the idle state that ends work has a stop reason',
    'ACP v2, Prompt Lifecycle, Stop Reasons',
  ),
  'acp-state-cancelled': warning.agent(
    'work that was cancelled ends with the stop reason cancelled',
    'ACP v2, Prompt Lifecycle, Cancellation',
  ),
  'acp-state-resumed': error.agent(
    'before the answer to session/resume, the agent reports the state of the session',
    'ACP v2, Session Setup, session/resume',
  ),
  'acp-prompt-repeated': warning.agent(
    'the agent repeats an accepted prompt as a user message with the same id',
    'ACP v2, Prompt Lifecycle, Prompt Accepted',
  ),
  'acp-cancel-offered': error.client(
    'a call or a terminal is cancelled only if it offers that',
    'ACP v2, Tool Calls, Cancelling',
  ),
};

type AcpStateRule = keyof typeof RULES;

/** An agent that has not begun after so many seconds did not report it. */
const SLOW_START = 5;

interface AcceptedPrompt {
  f: number;
  /** When it was accepted, in seconds. */
  t: number;
  messageId: string | null;
}

interface CheckedState {
  state: string;
  /** Where that was reported. */
  f: number;
  /** Where the work that is under way was cancelled. */
  cancelF: number | null;
  /** Accepted prompts since which the agent has not reported that it is running. */
  accepted: AcceptedPrompt[];
  /** Accepted prompts that the agent has not repeated. */
  silent: AcceptedPrompt[];
  repeated: LimitedMap<string, true>;
  /** Requests to the user that are open. */
  asks: Set<number>;
  /** The agent has asked for something since it reported requires_action. */
  hasAsked: boolean;
  /** What calls and terminals offer, by id. */
  cancellable: LimitedMap<string, boolean>;
  /** Of an open session/resume, whether its state was reported. */
  resuming: Map<number, boolean>;
}

class AcpStateRules {
  readonly #lines = new AcpLines(2);
  readonly #sessions = new LimitedMap<string, CheckedState>();

  take(read: ReadFrame): readonly RuleHit<AcpStateRule>[] {
    const line = this.#lines.read(read);
    if (!line) return NOTHING;
    const id = stringOf(line.params.sessionId);
    if (id === null) return NOTHING;
    const session = this.#session(id);
    if (line.is === 'answer') return takeAnswer(line, read.frame.t, session);
    switch (line.method) {
      case 'session/update':
        return takeUpdate(line, objectOf(line.params.update), session);
      case 'session/cancel':
        if (session.state !== 'idle') session.cancelF ??= line.f;
        return NOTHING;
      case 'session/resume':
        session.resuming.set(line.f, false);
        return NOTHING;
      case 'session/request_permission':
      case 'elicitation/create':
        session.asks.add(line.f);
        session.hasAsked = true;
        return NOTHING;
      case 'tool_call/cancel':
        return checkCancel(line, 'tool call', line.params.toolCallId, session);
      case 'terminal/cancel':
        return checkCancel(line, 'terminal', line.params.terminalId, session);
      default:
        return NOTHING;
    }
  }

  end(ledger: Ledger): RuleHit<AcpStateRule>[] {
    // An agent whose client leaves at once has had no time to begin.
    const until = Math.min(ledger.t, ledger.process.clientEof?.t ?? ledger.t);
    return [...this.#sessions.values()].flatMap((session) => [
      ...session.accepted.filter((prompt) => until - prompt.t >= SLOW_START).map(neverRan),
      ...(session.state === 'requires_action' ? checkAction(session.f, session) : []),
    ]);
  }

  #session(id: string): CheckedState {
    const known = this.#sessions.get(id);
    if (known) return known;
    const session: CheckedState = {
      ...{ state: 'idle', f: 0, cancelF: null, accepted: [], silent: [], repeated: new LimitedMap() },
      ...{ asks: new Set(), hasAsked: false, cancellable: new LimitedMap(), resuming: new Map() },
    };
    this.#sessions.set(id, session);
    return session;
  }
}

function takeAnswer(
  { f, ok, method, result, askedF }: RpcLine,
  t: number,
  session: CheckedState,
): readonly RuleHit<AcpStateRule>[] {
  session.asks.delete(askedF);
  if (method === 'session/resume') {
    const isReported = session.resuming.get(askedF) ?? true;
    session.resuming.delete(askedF);
    if (!ok || isReported) return NOTHING;
    const message = 'the session was resumed without a report of its state';
    return [{ rule: 'acp-state-resumed', f, frames: [askedF], message }];
  }
  if (method !== 'session/prompt' || !ok) return NOTHING;
  const prompt = { f: askedF, t, messageId: stringOf(result.messageId) };
  if (session.state === 'idle') session.accepted.push(prompt);
  if (prompt.messageId !== null && !session.repeated.has(prompt.messageId)) session.silent.push(prompt);
  return NOTHING;
}

function takeUpdate(
  { f, replayed }: RpcLine,
  update: JsonObject,
  session: CheckedState,
): readonly RuleHit<AcpStateRule>[] {
  switch (update.sessionUpdate) {
    case 'user_message':
    case 'user_message_chunk': {
      const id = stringOf(update.messageId) ?? '';
      session.repeated.set(id, true);
      session.silent = session.silent.filter(({ messageId }) => messageId !== id);
      return NOTHING;
    }
    case 'tool_call_update':
      return learnCapabilities(update.toolCallId, update, session);
    case 'terminal_update':
      return learnCapabilities(update.terminalId, update, session);
    case 'state_update':
      return replayed ? NOTHING : changeState(f, update, session);
    default:
      return NOTHING;
  }
}

function changeState(f: number, { state, stopReason }: JsonObject, session: CheckedState): RuleHit<AcpStateRule>[] {
  const before = session.state;
  for (const asked of session.resuming.keys()) session.resuming.set(asked, true);
  if (typeof state !== 'string' || state === before) return [];
  const hits = before === 'requires_action' ? checkAction(session.f, session) : [];
  session.state = state;
  session.f = f;
  if (state === 'requires_action') session.hasAsked = session.asks.size > 0;
  if (state !== 'idle') session.accepted = [];
  if (state !== 'idle') return hits;
  const { cancelF } = session;
  session.cancelF = null;
  for (const { f: promptF, messageId } of session.silent.splice(0)) {
    const message = `the work ended, but the agent never sent the user message ${textOrJson(messageId)}`;
    hits.push({ rule: 'acp-prompt-repeated', f: promptF, frames: [f], message });
  }
  const reason = stringOf(stopReason);
  if (reason === null) hits.push({ rule: 'acp-state-reason', f, message: 'the agent went idle without a stop reason' });
  if (cancelF !== null && reason !== 'cancelled') {
    const message = `the work was cancelled in f${cancelF}, but ended with ${quoted(stopReason)}`;
    hits.push({ rule: 'acp-state-cancelled', f, frames: [cancelF], message });
  }
  return hits;
}

function neverRan({ f }: AcceptedPrompt): RuleHit<AcpStateRule> {
  const message = 'the prompt was accepted, but the agent never reported that it was running';
  return { rule: 'acp-state-running', f, message, timed: true };
}

/** The state was requires_action until now. */
function checkAction(f: number, { hasAsked }: CheckedState): RuleHit<AcpStateRule>[] {
  if (hasAsked) return [];
  return [{ rule: 'acp-state-requires-action', f, message: 'requires_action was reported, but nobody was asked' }];
}

function learnCapabilities(id: unknown, { capabilities }: JsonObject, { cancellable }: CheckedState): readonly never[] {
  if (typeof id === 'string' && capabilities !== undefined)
    cancellable.set(id, objectOf(capabilities).cancel !== undefined);
  return NOTHING;
}

function checkCancel(
  { f }: RpcLine,
  what: string,
  id: unknown,
  { cancellable }: CheckedState,
): RuleHit<AcpStateRule>[] {
  if (typeof id !== 'string' || cancellable.get(id)) return [];
  return [{ rule: 'acp-cancel-offered', f, message: `the ${what} ${textOrJson(id)} does not offer to be cancelled` }];
}

export const ACP_STATE_RULES = defineRules(['acp'], RULES, () => new AcpStateRules());
