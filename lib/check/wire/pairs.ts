/** R24, R29, R30: calls and results, hooks, side questions, subagents. */
import { toJson } from '../../core/message.ts';
import { stringOf } from '../../dialects/fields.ts';
import type { Broken, Rule } from '../rule.ts';
import { Calls } from './calls.ts';
import { Scene } from './scene.ts';
import { REQUESTS } from './shapes.ts';

const BOTH = ['wire', 'wire-legacy'];

export const R24: Rule = {
  id: 'R24',
  dialects: BOTH,
  severity: 'error',
  fault: 'agent',
  title: 'a ToolResult is of a ToolCall, and each call of a finished turn has one, unless its step was tried again',
  ref: 'kimi-cli wire/types.py ToolResult; soul/kimisoul.py',
  open(session) {
    const scene = session.share(Scene);
    const calls = session.share(Calls);
    return {
      take({ frame: { f } }): Broken[] {
        const { result } = calls;
        if (result && !result.call) return [{ f, message: 'a ToolResult for a call that nobody made' }];
        if (result && !result.isFirst)
          return [
            { f, frames: [result.call!.f, result.call!.resultF!], message: 'a second ToolResult for the same call' },
          ];
        const { answered } = scene;
        if (answered?.status !== 'finished') return [];
        return [...calls.without(answered)]
          .filter(({ isDropped, speaker }) => !isDropped && speaker === '')
          .map((call) => ({ f: call.f, frames: [f], message: 'the turn is finished, but the call has no ToolResult' }));
      },
    };
  },
};

export const R29: Rule = {
  id: 'R29',
  dialects: ['wire'],
  severity: 'error',
  fault: 'agent',
  title: 'BtwEnd and HookResolved follow their BtwBegin and HookTriggered',
  ref: 'kimi-cli wire/types.py BtwBegin, HookTriggered',
  open(session) {
    const scene = session.share(Scene);
    const btws = new Set<string>();
    const hooks = new Map<string, number>();
    return {
      take({ frame: { f } }) {
        const { said } = scene;
        if (!said || said.isReplayed || said.isRequest) return [];
        const { type, payload } = said;
        if (type === 'BtwBegin') btws.add(stringOf(payload.id) ?? '');
        if (type === 'BtwEnd' && !btws.delete(stringOf(payload.id) ?? ''))
          return [{ f, message: 'BtwEnd without its BtwBegin' }];
        if (type !== 'HookTriggered' && type !== 'HookResolved') return [];
        const key = toJson([payload.event, payload.target ?? '']);
        const open = (hooks.get(key) ?? 0) + (type === 'HookTriggered' ? 1 : -1);
        hooks.set(key, Math.max(open, 0));
        return open < 0 ? [{ f, message: `HookResolved for ${toJson(payload.event)}, which was not triggered` }] : [];
      },
    };
  },
};

export const R30: Rule = {
  id: 'R30',
  dialects: BOTH,
  severity: 'error',
  fault: 'agent',
  title: 'a SubagentEvent holds an event, no request, and names the call that started the subagent',
  ref: 'kimi-cli wire-mode.md, SubagentEvent',
  open(session) {
    const scene = session.share(Scene);
    const calls = session.share(Calls);
    return {
      take({ frame: { f } }) {
        const { said } = scene;
        if (!said || said.isReplayed || said.parents.length === 0) return [];
        if (Object.hasOwn(REQUESTS, said.type))
          return [{ f, message: `a SubagentEvent holds the request ${said.type}` }];
        const stray = said.parents.find((parent) => parent !== null && !calls.isKnown(parent));
        return stray === undefined ? [] : [{ f, message: `a SubagentEvent of ${toJson(stray)}, which is no call` }];
      },
    };
  },
};
