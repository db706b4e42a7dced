/**
 * How old an agent is at least, by what it says: the version that it names lags behind what it does. A release is its number
 * as one: 1.28 is 128, 0.59 is 59.
 */
import { isObject } from '../../core/message.ts';

type Sign = { type: string; key?: string; since: number };

/** Of events and requests; `key`: a field of the payload, which Python writes even where it is null. */
const SIGNS: readonly Sign[] = [
  { type: 'TurnBegin', since: 59 },
  { type: 'ApprovalRequest', key: 'display', since: 68 },
  { type: 'ApprovalResponse', since: 80 },
  { type: 'ToolCallRequest', since: 80 },
  { type: 'TurnEnd', since: 106 },
  { type: 'QuestionRequest', since: 114 },
  { type: 'MCPLoadingBegin', since: 117 },
  { type: 'StatusUpdate', key: 'context_tokens', since: 117 },
  { type: 'StatusUpdate', key: 'plan_mode', since: 120 },
  { type: 'SteerInput', since: 121 },
  { type: 'Notification', since: 123 },
  { type: 'StatusUpdate', key: 'mcp_status', since: 124 },
  { type: 'ApprovalRequest', key: 'source_kind', since: 125 },
  { type: 'ApprovalResponse', key: 'feedback', since: 125 },
  { type: 'SubagentEvent', key: 'agent_id', since: 125 },
  { type: 'PlanDisplay', since: 127 },
  { type: 'HookTriggered', since: 128 },
  { type: 'HookRequest', since: 128 },
  { type: 'BtwBegin', since: 131 },
  { type: 'StepRetry', since: 142 },
];

const BY_TYPE = new Map<string, Sign[]>();
for (const sign of SIGNS) BY_TYPE.set(sign.type, [...(BY_TYPE.get(sign.type) ?? []), sign]);

export function releaseBySaid(type: string, payload: Record<string, unknown>): number {
  let since = 0;
  for (const sign of BY_TYPE.get(type) ?? [])
    if (sign.since > since && (sign.key === undefined || Object.hasOwn(payload, sign.key))) since = sign.since;
  return since;
}

/** By what it answers to `initialize`. */
export function releaseByHello(result: unknown): number {
  if (!isObject(result)) return 0;
  if (Object.hasOwn(result, 'hooks')) return 128;
  return Object.hasOwn(result, 'capabilities') ? 114 : 80;
}
