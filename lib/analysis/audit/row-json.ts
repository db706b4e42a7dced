/** A row of the audit as JSON for other programs. Keys are added, never renamed; unknown values are null. */
import { isoMicros } from '../../model/frame.ts';
import { textAsked, whatRan } from './describe-row.ts';
import type { ApprovalRow } from './row.ts';

/** `startedAt` in microseconds. A literal: keys that are added one by one take long, here and when it is serialised. */
export function rowJson(session: string, startedAt: number, row: ApprovalRow): Record<string, unknown> {
  return {
    session,
    f: row.f,
    at: isoMicros(startedAt + row.t * 1e6),
    turn: row.turn,
    subagent: row.subagent,
    kind: row.kind,
    request_id: row.request_id,
    tool: row.tool,
    tool_call_id: row.tool_call_id,
    action: row.action,
    description: row.description,
    options: row.options,
    arguments: row.arguments,
    executed_arguments: row.executed_arguments,
    decision: row.decision,
    by: row.by,
    mode: row.mode,
    deny_f: row.deny_f,
    granted: row.granted,
    wait: row.wait,
    answer_f: row.answer_f,
    resolved_f: row.resolved_f,
    grant_f: row.grant_f,
    executed: row.executed,
    what_asked: textAsked(row),
    what_ran: whatRan(row),
    result: row.result,
    result_f: row.result_f,
    flags: row.flags,
    n: row.n,
    t: row.t,
    run: row.run,
    option: row.option,
    feedback: row.feedback,
    answers: row.answers,
    resolved: row.resolved,
    resent: row.resent,
    displays: row.displays,
    changed_arguments: row.changed_arguments,
  } satisfies Record<
    Exclude<keyof ApprovalRow, 'subject' | 'covers' | 'cwd'> | 'session' | 'at' | 'what_asked' | 'what_ran',
    unknown
  >;
}
