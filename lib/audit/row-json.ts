/** A row of the audit as JSON for other programs. Keys are added, never renamed; unknown values are null. */
import { isoMicros } from '../core/frame.ts';
import type { ApprovalRow } from './row.ts';

/** In their order, after `session`, `f` and `at`. */
const KEYS = [
  ...(['turn', 'subagent', 'kind', 'request_id', 'tool', 'tool_call_id', 'action', 'description'] as const),
  ...(['options', 'arguments', 'executed_arguments', 'decision', 'by', 'mode', 'deny_f', 'wait'] as const),
  ...([
    'answer_f',
    'resolved_f',
    'grant_f',
    'executed',
    'result',
    'result_f',
    'flags',
    'n',
    't',
    'run',
    'option',
    'feedback',
  ] as const),
  ...(['answers', 'resolved', 'resent', 'displays'] as const),
];

/** `startedAt` in microseconds. */
export function rowJson(session: string, startedAt: number, row: ApprovalRow): Record<string, unknown> {
  const json: Record<string, unknown> = { session, f: row.f, at: isoMicros(startedAt + row.t * 1e6) };
  for (const key of KEYS) json[key] = row[key];
  return json;
}
