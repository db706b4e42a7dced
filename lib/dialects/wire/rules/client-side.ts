/** Questions, external tools and hooks are only for clients that asked for them; replayed requests need no answer. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import type { Ask } from '../../../model/ledger/records.ts';
import { toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { numberOf, objectOf } from '../../common/fields.ts';
import { type CheckedSession, error, NOTHING, type Violation, warning } from '../../rules/rule.ts';
import { findUnanswered, judgeAnswer, openAsks } from './answers.ts';
import { AskTracker, WireHandshake } from './ask-tracker.ts';
import { type WireRule, WireSessionState } from './session-state.ts';

export const questionRule: WireRule = {
  dialects: ['wire'],
  ...error.agent.needsClient(
    'the agent asks questions only of clients that declared supports_question; an invalid answer counts as a dismissal',
    'kimi-cli wire-mode.md, QuestionRequest',
  ),
  open(session) {
    const { tracker, handshake } = shareObservers(session);
    return {
      take(read) {
        const { newAsk, answer } = tracker;
        if (newAsk?.kind === 'question' && !handshake.supportsQuestion)
          return [{ f: newAsk.f, message: 'a question for a client that did not declare supports_question' }];
        return answer?.ask?.kind === 'question' ? blameClient(judgeAnswer(read, tracker, 'a dismissal')) : NOTHING;
      },
      end: (ledger) => blameClient(findUnanswered(tracker, openAsks(ledger, 'question'), ledger)),
    };
  },
};

export const externalCallRule: WireRule = {
  dialects: ['wire'],
  ...error.client.needsClient(
    'the agent calls only accepted external tools, with the id of a ToolCall, and the client answers',
    'kimi-cli wire-mode.md, ToolCallRequest',
  ),
  open(session) {
    const { state, tracker, handshake } = shareObservers(session);
    const waiting = new Set<Ask>();
    return {
      take(read) {
        const { newAsk, answer } = tracker;
        if (newAsk?.kind === 'client-call') {
          waiting.add(newAsk);
          if (handshake.accepted.has(newAsk.tool)) return NOTHING;
          const text = `ToolCallRequest for ${toJson(newAsk.tool)}, which was not accepted`;
          return [{ f: newAsk.f, fault: 'agent', message: text }];
        }
        // An error is how a tool fails.
        if (answer?.ask?.kind === 'client-call')
          return answer.isError && answer.fault === null ? NOTHING : judgeAnswer(read, tracker, 'an error of the tool');
        const ended = takeEnded(waiting, state);
        return ended.length === 0 ? NOTHING : ended.flatMap((ask) => checkAfterTurn(ask, tracker, read.ledger));
      },
      end: (ledger) => findUnanswered(tracker, openAsks(ledger, 'client-call'), ledger),
    };
  },
};

/** In some versions the request comes before its call: it is judged when the turn is over. */
function checkAfterTurn(ask: Ask, tracker: AskTracker, { calls }: Ledger): readonly Violation[] {
  const { f, call_id } = ask;
  const found: Violation[] = [];
  if (!calls.latestAnnounced(call_id)) found.push({ f, fault: 'agent', message: 'ToolCallRequest without a ToolCall' });
  if (isUnanswered(ask, tracker)) found.push({ f, message: 'ToolCallRequest was never answered' });
  return found;
}

/** A client that has cancelled the turn need not answer its requests. */
function isUnanswered(ask: Ask, tracker: AskTracker): boolean {
  return !tracker.firstTo(ask) && ask.turn!.cancelled_f === null;
}

export const hookRule: WireRule = {
  dialects: ['wire'],
  ...error.client.needsClient(
    'the agent sends hooks only to subscribers, with the id of the subscription; without a valid answer in time, a hook counts as an allow',
    'kimi-cli wire-mode.md, HookRequest; hooks/config.py',
  ),
  open(session) {
    const { state, tracker, handshake } = shareObservers(session);
    const waiting = new Set<Ask>();
    return {
      take(read) {
        if (handshake.hookEvents) return findUnknownHooks(read, handshake);
        const { newAsk, answer } = tracker;
        if (newAsk?.kind === 'hook') {
          waiting.add(newAsk);
          if (handshake.hooks.has(state.agentMessage!.payload.subscription_id)) return NOTHING;
          return [{ f: newAsk.f, fault: 'agent', message: 'HookRequest for a subscription that does not exist' }];
        }
        if (answer?.ask?.kind === 'hook') return judgeAnswer(read, tracker, 'an allow');
        const ended = takeEnded(waiting, state);
        if (ended.length === 0) return NOTHING;
        return ended
          .filter((ask) => isUnanswered(ask, tracker))
          .map(({ f }) => ({
            f,
            severity: 'warning',
            message: 'HookRequest was not answered in time, which counts as an allow',
          }));
      },
      end: (ledger) => findUnanswered(tracker, [...waiting], ledger),
    };
  },
};

function findUnknownHooks({ frame, pairing }: ReadFrame, { hooks, hookEvents }: WireHandshake): readonly Violation[] {
  return [...hooks.values()]
    .filter((event) => !hookEvents!.includes(event))
    .map((event) => ({
      ...{ f: pairing!.exchange!.askedF, frames: [frame.f], severity: 'warning' },
      message: `the hook for ${toJson(event)} is ignored: the agent has no such event`,
    }));
}

export const unknownAnswerRule: WireRule = {
  ...error.client.needsClient('the client answers only what the agent asked', 'kimi-cli wire/server.py'),
  open(session) {
    const { tracker } = shareObservers(session);
    return ({ frame: { f } }) => {
      const { answer } = tracker;
      return answer?.role === 'orphan'
        ? [{ f, message: 'the client answers a request that the agent never sent' }]
        : NOTHING;
    };
  },
};

export const replayRule: WireRule = {
  dialects: ['wire'],
  ...warning.client.needsClient(
    'the client does not answer replayed requests, and a replay reports how many messages it sent',
    'kimi-cli wire-mode.md, replay',
  ),
  open(session) {
    const { state, tracker } = shareObservers(session);
    let sent = { events: 0, requests: 0, loose: 0 };
    return ({ frame, message, pairing }) => {
      const { agentMessage } = state;
      const { answer } = tracker;
      if (answer?.replayed) {
        const { f, type } = answer.replayed;
        return [{ f: frame.f, frames: [f], message: `the client answered a replayed ${type}` }];
      }
      if (agentMessage?.isReplayed) {
        if (agentMessage.isRequest) sent.requests += 1;
        else sent.events += 1;
        if (UNORDERED_EVENTS.has(agentMessage.type)) sent.loose += 1;
      }
      if (pairing?.role !== 'answers' || pairing.exchange!.method !== 'replay') return NOTHING;
      const { events, requests, loose } = sent;
      sent = { events: 0, requests: 0, loose: 0 };
      const reported = objectOf(message.envelope === 'response' ? message.body : null);
      const missing = (numberOf(reported.events) ?? 0) - events;
      if (reported.status !== 'finished' || (missing <= 0 && -missing <= loose && reported.requests === requests))
        return NOTHING;
      const claim = `${toJson(reported.events)} events and ${toJson(reported.requests)} requests`;
      const text = `the replay reports ${claim}, but sent ${events} and ${requests}`;
      return [{ f: frame.f, frames: [pairing.exchange!.askedF], severity: 'error', fault: 'agent', message: text }];
    };
  },
};

/** Events that may come at any time, and so between those that are replayed. */
const UNORDERED_EVENTS = new Set(['StatusUpdate', 'Notification', 'ApprovalResponse', 'HookTriggered', 'HookResolved']);

/** Takes out those whose turn ends with this frame. */
function takeEnded(waiting: Set<Ask>, { answered }: WireSessionState): readonly Ask[] {
  const ended = answered?.turn?.record;
  if (!ended || waiting.size === 0) return NOTHING;
  const found = [...waiting].filter(({ turn }) => turn === ended);
  for (const ask of found) waiting.delete(ask);
  return found;
}

function shareObservers(session: CheckedSession) {
  return {
    state: session.share(WireSessionState),
    tracker: session.share(AskTracker),
    handshake: session.share(WireHandshake),
  };
}

function blameClient(broken: readonly Violation[]): readonly Violation[] {
  return broken.map((one) => ({ fault: 'client', ...one }));
}
