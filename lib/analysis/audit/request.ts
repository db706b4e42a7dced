/** The part of a row that describes a request, and the arguments of a call. */
import { MAX_ARGS_CHARS } from '../../model/ledger/calls.ts';
import type { Ask, Call } from '../../model/ledger/records.ts';
import { parseJson } from '../../model/message.ts';
import { type ApprovalRow, makeRow } from './row.ts';

export function rowOf(ask: Ask): ApprovalRow {
  const { call } = ask;
  const row = makeRow(ask.kind, ask.f, ask.n, ask.t);
  row.turn = ask.turn?.n ?? null;
  row.subagent = ask.subagent ?? call?.subagent ?? null;
  row.request_id = ask.id ?? ask.request;
  row.tool_call_id = ask.call_id ?? call?.id ?? null;
  row.tool = call?.tool ?? ask.tool;
  row.action = ask.action;
  row.subject = (call ?? ask).subject;
  row.description = ask.description;
  row.options = ask.options;
  row.displays = ask.displays;
  row.arguments = ask.arguments ?? null;
  row.resent = [...ask.resent];
  if (ask.kind === 'client-call') row.description = ask.text;
  return row;
}

/** The arguments as a value; as text if they are not JSON; null if there are none, or too many to keep. */
export function argumentsOf({ args }: Call): unknown {
  if (args === null || args === '' || args.length > MAX_ARGS_CHARS) return null;
  const value = parseJson(args);
  return value === undefined ? args : value;
}
