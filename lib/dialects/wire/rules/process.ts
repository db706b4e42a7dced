/** What a session looks like as a whole: how it ends, and whether it begins with a handshake. */
import { exitOf, isClientLeaving, isStopped } from '../../rules/ending.ts';
import { type Broken, error, NOTHING, warning } from '../../rules/rule.ts';
import { Requests } from './requests.ts';
import { BYPASS, Scene, type WireRule } from './scene.ts';

export const R20: WireRule = {
  ...warning.agent.needsClient(
    'an agent exits with 0 when its stdin is closed; the answer to an open turn is then lost',
    'kimi-cli wire/server.py serve, _shutdown',
  ),
  open(session) {
    const scene = session.share(Scene);
    return {
      take(read) {
        if (!isClientLeaving(read) || !scene.turn) return NOTHING;
        const text = 'the client closed stdin while a turn was open: its answer is lost';
        return [{ f: read.frame.f, frames: [scene.turn.record.f], severity: 'info', fault: 'client', message: text }];
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

export const exitCode: WireRule = {
  ...error.agent.needsClient(
    'an agent that nobody stops does not exit with an error code after a successful turn',
    'kimi-cli cli/__init__.py',
  ),
  open(session) {
    const scene = session.share(Scene);
    const requests = session.share(Requests);
    return {
      take: () => NOTHING,
      end({ process }): readonly Broken[] {
        const exit = exitOf(process);
        // Another rule reports what it left open.
        if (!exit || isStopped(process) || requests.open.size > 0 || (!exit.code && exit.signal === null))
          return NOTHING;
        const how = exit.signal === null ? `with ${exit.code}` : `by ${exit.signal}`;
        const { answered = null, status } = scene.last?.record ?? {};
        const before = answered ? `the last turn was ${status}` : 'no turn was open';
        const frames = answered ? [answered.f] : [];
        const fault = exit.signal === null ? 'agent' : 'unknown';
        return [{ f: exit.f, frames, fault, message: `the agent exited ${how}, although ${before}` }];
      },
    };
  },
};

/** Since 1.25, approvals are sent only after the handshake; until the first, such an agent looks like 1.24. */
const NEEDS_HELLO = 124;

export const handshake: WireRule = {
  dialects: ['wire'],
  ...error.agent.needsClient(
    'the client sends `initialize`: without it, an agent since 1.25 sends no approvals and waits forever',
    'kimi-cli wire/server.py _root_hub_loop',
  ),
  open(session) {
    const scene = session.share(Scene);
    const isBypassed = session.command.some((word) => BYPASS.has(word));
    return {
      take: () => NOTHING,
      end({ calls }) {
        if (isBypassed || scene.helloF !== null || scene.release < NEEDS_HELLO) return NOTHING;
        const waits = calls.running.find(({ writes, turn }) => writes && turn?.is_seen && !turn.answered);
        if (!waits) return NOTHING;
        const text = 'the turn waits for an approval that this agent sends only after initialize';
        return [{ f: waits.f, frames: [waits.turn!.f], message: text }];
      },
    };
  },
};
