/** Rows of the audit for a spreadsheet. Columns are added at the end, never moved. */

import { toJson } from '../../model/message.ts';
import { type CsvCell, csvLine } from '../../model/text/csv.ts';
import type { ListedApproval } from './listed-approval.ts';
import { policyCallOf } from './policy/apply.ts';
import { rowJson } from './row-json.ts';

/** Spreadsheets take a file without it for one in the encoding of the machine. */
export const BYTE_ORDER_MARK = '\ufeff';

const CSV_COLUMNS = [
  ...['session', 'f', 'at', 'turn', 'subagent', 'kind', 'request_id', 'tool', 'tool_call_id', 'action', 'description'],
  ...['arguments', 'executed_arguments', 'decision', 'by', 'mode', 'deny_f', 'feedback', 'wait', 'run', 'answer_f'],
  ...['resolved_f', 'grant_f', 'executed', 'result', 'result_f', 'flags', 'caveats'],
  ...['project', 'client', 'agent', 'command', 'command_line'],
  ...['n', 't', 'options', 'displays', 'option', 'answers', 'resolved', 'resent', 'what_asked', 'what_ran', 'granted'],
  'changed_arguments',
];
const CHAIN_COLUMNS = ['earlier_session', 'earlier_f'];

export function csvHead(chain: boolean): string {
  return `${BYTE_ORDER_MARK}${csvLine(chain ? [...CSV_COLUMNS, ...CHAIN_COLUMNS] : CSV_COLUMNS)}`;
}

export function rowCsv({
  session,
  startedAt,
  cwd,
  client,
  agent,
  command,
  caveats,
  row,
  earlier,
}: ListedApproval): string {
  const value: Record<string, unknown> = {
    ...rowJson(session, startedAt, row),
    ...{ flags: row.flags.join(' '), caveats: caveats.join('; '), project: cwd, client, agent },
    // What was asked about or ran, and how the agent was started.
    ...{ command: policyCallOf(row, cwd).command, command_line: command.join(' ') },
    ...{ earlier_session: earlier?.session, earlier_f: earlier?.f },
  };
  return csvLine(
    (earlier === undefined ? CSV_COLUMNS : [...CSV_COLUMNS, ...CHAIN_COLUMNS]).map((key) => cell(value[key])),
  );
}

export function cell(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' || typeof value === 'number' ? value : toJson(value);
}
