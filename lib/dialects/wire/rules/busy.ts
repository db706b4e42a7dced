/** Requests that the client may send only while a turn runs, or only while none does. */

import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf } from '../../common/fields.ts';
import { error, NOTHING, type Violation } from '../../rules/rule.ts';
import { wasStopped } from '../../rules/session-end.ts';
import { CROSSING_SECONDS } from './answers.ts';
import { OpenWireRequests } from './requests.ts';
import { type WireRule, WireSessionState } from './session-state.ts';

const BUSY_OR_IDLE = -32000;

export const initializeRule: WireRule = {
  dialects: ['wire'],
  ...error.client(
    'initialize is sent while no turn is open, and each hook is subscribed once',
    'kimi-cli wire/server.py _handle_initialize',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    let subscribed: number | null = null;
    return (read) => {
      const refused = refusalOf(read, 'initialize');
      if (refused !== null)
        return [
          {
            f: refused,
            frames: surroundingFrames(read, state),
            message: 'initialize was refused, because a turn was open',
          },
        ];
      const { frame, message } = read;
      if (frame.from !== 'client' || message.method !== 'initialize') return NOTHING;
      if (listOf(objectOf(message.body).hooks).length === 0) return NOTHING;
      const before = subscribed;
      subscribed ??= frame.f;
      if (before === null) return NOTHING;
      const text = 'hooks are subscribed again: the agent now asks twice';
      return [{ f: frame.f, frames: [before], severity: 'warning', message: text }];
    };
  },
};

export const promptBusyRule: WireRule = {
  ...error.client('only one prompt or replay is open at a time', 'kimi-cli wire-mode.md, prompt'),
  open(session) {
    const state = session.share(WireSessionState);
    return (read) => {
      const refused = refusalOf(read, 'prompt', 'replay', 'run');
      if (refused === null) return NOTHING;
      const { method } = read.pairing!.exchange!;
      return [
        {
          f: refused,
          frames: surroundingFrames(read, state),
          message: `${method} was refused, because a turn was open`,
        },
      ];
    };
  },
};

export const steerRule: WireRule = {
  dialects: ['wire'],
  ...error.client('steer is sent only during a turn: during a replay it is discarded', 'kimi-cli wire-mode.md, steer'),
  open(session) {
    const state = session.share(WireSessionState);
    let replay: number | null = null;
    return (read) => {
      const { frame, message, pairing } = read;
      if (frame.from === 'client' && message.method === 'replay' && !state.turn) replay ??= frame.f;
      if (pairing?.role === 'answers' && pairing.exchange!.askedF === replay) replay = null;
      if (frame.from !== 'client' || message.method !== 'steer' || replay === null)
        return checkIdleRefusal(read, state, 'steer');
      const text = 'steer during a replay is discarded';
      return [{ f: frame.f, frames: [replay], severity: 'warning', message: text }];
    };
  },
};

export const cancelRule: WireRule = {
  dialects: ['wire'],
  ...error.client.needsClient(
    'cancel is sent only while a turn or a replay runs, and no turn ends as cancelled without it',
    'kimi-cli wire-mode.md, cancel',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    const requests = session.share(OpenWireRequests);
    return {
      take(read) {
        const { answered } = state;
        if (answered?.status !== 'cancelled' || answered.turn?.record.cancelled_f || wasStopped(read.ledger.process))
          return checkIdleRefusal(read, state, 'cancel');
        const text = 'the turn ended as cancelled, but nobody cancelled it';
        return [{ f: read.frame.f, frames: [answered.f], fault: 'agent', message: text }];
      },
      end() {
        if (state.release >= 73) return NOTHING;
        return [...requests.open.values()]
          .filter(({ method, hasParams }) => method === 'cancel' && hasParams)
          .map(({ f }) => ({
            ...{ f, severity: 'warning' },
            message: 'cancel was not answered: agents from 0.59 to 0.72 refuse it if it has params',
          }));
      },
    };
  },
};

/** The frame that asked, if this one refuses it because of what is or is not running. */
function refusalOf({ frame, message, pairing }: ReadFrame, ...methods: string[]): number | null {
  if (frame.from !== 'agent' || message.code !== BUSY_OR_IDLE || pairing?.role !== 'answers') return null;
  return methods.includes(pairing.exchange!.method) ? pairing.exchange!.askedF : null;
}

const surroundingFrames = ({ frame }: ReadFrame, { turn }: WireSessionState) =>
  turn ? [turn.record.f, frame.f] : [frame.f];

/** A client may cancel or steer just when the turn ends: that is not a mistake. */
function checkIdleRefusal(read: ReadFrame, { last }: WireSessionState, method: string): readonly Violation[] {
  const refused = refusalOf(read, method);
  if (refused === null) return NOTHING;
  const ended = last?.record.answered;
  if (ended && read.pairing!.exchange!.askedT - ended.t < CROSSING_SECONDS) return NOTHING;
  const broken = { f: refused, frames: [read.frame.f], message: `${method} was refused, because nothing was running` };
  return [ended ? { ...broken, timed: true } : broken];
}
