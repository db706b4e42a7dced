/** Calls and results, hooks, side questions, subagents. */
import { toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { stringOf } from '../../common/fields.ts';
import { error, NOTHING, type Violation } from '../../rules/rule.ts';
import { checkAgentMessages, noteOf, type WireRule, WireSessionState } from './session-state.ts';
import { REQUESTS } from './shapes.ts';

export const resultRule: WireRule = {
  ...error.agent(
    'every ToolResult belongs to a ToolCall, and every call of a finished turn has one, unless its step was retried',
    'kimi-cli wire/types.py ToolResult; soul/kimisoul.py',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    /** Where the model's output last began: it may have been asked again, and earlier calls then have no result. */
    let lastOutputF = 0;
    return (read): readonly Violation[] => {
      const { f } = read.frame;
      const { calls } = read.ledger;
      const { agentMessage, answered } = state;
      if (
        agentMessage &&
        !agentMessage.isReplayed &&
        agentMessage.speaker === '' &&
        MODEL_OUTPUT.has(agentMessage.type)
      )
        lastOutputF = f;
      if (agentMessage?.type === 'ToolResult' && !agentMessage.isReplayed)
        return checkStrayResult(read, stringOf(agentMessage.payload.tool_call_id));
      if (answered?.status !== 'finished') return NOTHING;
      return calls.cut
        .filter(
          ({ turn, subagent, f: called }) =>
            turn === answered.turn?.record && subagent === null && called > lastOutputF,
        )
        .map((call) => ({ f: call.f, frames: [f], message: 'the turn finished, but the call has no ToolResult' }));
    };
  },
};

/** If only the connection was lost, no StepRetry reports that. */
const MODEL_OUTPUT = new Set(['StepRetry', 'ContentPart']);

function checkStrayResult(read: ReadFrame, id: string | null): readonly Violation[] {
  const { f } = read.frame;
  const note = noteOf(read, 'tool-result');
  if (!note || note.call?.announced) return NOTHING;
  const before = read.ledger.calls.latestAnnounced(id);
  if (!before?.result) return [{ f, message: 'ToolResult without a ToolCall' }];
  return [{ f, frames: [before.f, before.result.f], message: 'a second ToolResult for the same call' }];
}

export const bracketRule: WireRule = {
  dialects: ['wire'],
  ...error.agent(
    'BtwEnd and HookResolved follow their BtwBegin and HookTriggered',
    'kimi-cli wire/types.py BtwBegin, HookTriggered',
  ),
  open: checkAgentMessages(() => {
    const btws = new Set<string>();
    const hooks = new Map<string, number>();
    return ({ type, payload, isRequest }) => {
      if (isRequest) return null;
      if (type === 'BtwBegin') btws.add(stringOf(payload.id) ?? '');
      if (type === 'BtwEnd' && !btws.delete(stringOf(payload.id) ?? '')) return 'BtwEnd without BtwBegin';
      if (type !== 'HookTriggered' && type !== 'HookResolved') return null;
      const key = toJson([payload.event, payload.target ?? '']);
      const open = (hooks.get(key) ?? 0) + (type === 'HookTriggered' ? 1 : -1);
      hooks.set(key, Math.max(open, 0));
      return open < 0 ? `HookResolved for ${toJson(payload.event)}, which was not triggered` : null;
    };
  }),
};

export const subagentRule: WireRule = {
  ...error.agent(
    'a SubagentEvent contains an event, not a request, and names the call that started the subagent',
    'kimi-cli wire-mode.md, SubagentEvent',
  ),
  open: checkAgentMessages(() => ({ type, parents }, { calls }) => {
    if (parents.length === 0) return null;
    if (Object.hasOwn(REQUESTS, type)) return `a SubagentEvent contains the request ${type}`;
    const stray = parents.find((parent) => parent !== null && !calls.latestAnnounced(parent));
    return stray === undefined ? null : `a SubagentEvent names the call ${toJson(stray)}, which does not exist`;
  }),
};
