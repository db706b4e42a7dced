/** What a session looks like as a whole: how it ends, and whether it begins with a handshake. */

import { error, NOTHING, type Violation, warning } from '../../rules/rule.ts';
import { exitOf, isClientClosingStdin, wasStopped } from '../../rules/session-end.ts';
import { OpenWireRequests } from './requests.ts';
import { BYPASS, type WireRule, WireSessionState } from './session-state.ts';

export const earlyEofRule: WireRule = {
  ...warning.agent.needsClient(
    'an agent exits with 0 when its stdin is closed; the answer to an open turn is then lost',
    'kimi-cli wire/server.py serve, _shutdown',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    return {
      take(read) {
        if (!isClientClosingStdin(read) || !state.turn) return NOTHING;
        const text = 'the client closed stdin while a turn was open: its answer is lost';
        return [{ f: read.frame.f, frames: [state.turn.record.f], severity: 'info', fault: 'client', message: text }];
      },
      end({ process }) {
        const { clientEof, firstSignal } = process;
        const exit = exitOf(process);
        if (!exit?.code || !clientEof || firstSignal) return NOTHING;
        const message = `the agent exited with ${exit.code} when its stdin was closed`;
        return [{ f: exit.f, frames: [clientEof.f], message }];
      },
    };
  },
};

export const exitFailureRule: WireRule = {
  ...error.agent.needsClient(
    'an agent that nobody stops does not exit with an error code after a successful turn',
    'kimi-cli cli/__init__.py',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    const requests = session.share(OpenWireRequests);
    return {
      take: () => NOTHING,
      end({ process }): readonly Violation[] {
        const exit = exitOf(process);
        // Another rule reports what it left open.
        if (!exit || wasStopped(process) || requests.open.size > 0 || (!exit.code && exit.signal === null))
          return NOTHING;
        const how = exit.signal === null ? `with ${exit.code}` : `by ${exit.signal}`;
        const { answered = null, status } = state.last?.record ?? {};
        const before = answered ? `the last turn was ${status}` : 'no turn was open';
        const frames = answered ? [answered.f] : [];
        const fault = exit.signal === null ? 'agent' : 'unknown';
        return [{ f: exit.f, frames, fault, message: `the agent exited ${how}, although ${before}` }];
      },
    };
  },
};

/** Since 1.25, approvals are sent only after the handshake; until the first, such an agent looks like 1.24. */
const HANDSHAKE_RELEASE = 124;

export const handshakeRule: WireRule = {
  dialects: ['wire'],
  ...error.agent.needsClient(
    'the client sends `initialize`: without it, an agent since 1.25 sends no approvals and waits forever',
    'kimi-cli wire/server.py _root_hub_loop',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    const isBypassed = session.command.some((word) => BYPASS.has(word));
    return {
      take: () => NOTHING,
      end({ calls }) {
        if (isBypassed || state.helloF !== null || state.release < HANDSHAKE_RELEASE) return NOTHING;
        const waits = calls.running.find(({ writes, turn }) => writes && turn?.is_seen && !turn.answered);
        if (!waits) return NOTHING;
        const text = 'the turn waits for an approval that this agent sends only after initialize';
        return [{ f: waits.f, frames: [waits.turn!.f], message: text }];
      },
    };
  },
};
