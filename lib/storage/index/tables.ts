/**
 * The columns of the index's tables. The schema, the inserts and the selects are made from them, so that none of these
 * depends on a position. Frames have a column for each fact in the table of facts.
 */
import { FACT_LIST, type StoredType } from '../../analysis/facts/table.ts';
import type { Summary } from '../../session/summary.ts';
import { TAPE } from '../store/home.ts';

export interface IndexColumn {
  name: string;
  sql: string;
  note: string;
}

const COLUMN_TYPES: Record<StoredType, string> = {
  integer: 'INTEGER',
  real: 'REAL',
  text: 'TEXT',
  id: 'TEXT',
  words: 'TEXT',
  'more-words': 'TEXT',
};

export const FRAME_COLUMNS: readonly IndexColumn[] = [
  ...FACT_LIST.map(([name, { stored, needed, note }]) =>
    column(name, `${COLUMN_TYPES[stored]}${needed ? ' NOT NULL' : ''}`, note),
  ),
  column('session', 'INTEGER NOT NULL', 'sessions.key'),
  column('offset', 'INTEGER NOT NULL', 'of its line in the tape'),
];

/** `value`: SQL for the key of the summary; null for columns that are not in the summary. */
export interface SessionColumn extends IndexColumn {
  key: keyof Summary | null;
  value: string;
}

export const SESSION_COLUMNS: readonly SessionColumn[] = [
  ownColumn('key', 'INTEGER PRIMARY KEY', 'the id as a number, in order of time'),
  summaryColumn('session', 'TEXT NOT NULL UNIQUE'),
  summaryColumn('name', 'TEXT'),
  summaryColumn('tags', 'TEXT NOT NULL', 'a JSON object', 'json(tags)'),
  summaryColumn('source', 'TEXT NOT NULL', 'record, import, replay'),
  summaryColumn('dialect', 'TEXT'),
  summaryColumn('protocol', 'TEXT'),
  summaryColumn('client', 'TEXT'),
  summaryColumn('agent', 'TEXT'),
  summaryColumn('agent_version', 'TEXT'),
  summaryColumn('command', 'TEXT NOT NULL', 'a JSON array', 'json(command)'),
  summaryColumn('cwd', 'TEXT NOT NULL'),
  summaryColumn('user', 'TEXT'),
  summaryColumn('host', 'TEXT'),
  summaryColumn('started', 'TEXT NOT NULL', 'ISO 8601, UTC'),
  summaryColumn('ended', 'TEXT'),
  summaryColumn('duration', 'REAL', 'seconds'),
  summaryColumn('frames', 'INTEGER NOT NULL'),
  summaryColumn('bytes', 'INTEGER NOT NULL'),
  summaryColumn('turns', 'INTEGER'),
  summaryColumn('tools', 'INTEGER'),
  summaryColumn('approvals', 'INTEGER'),
  summaryColumn('errors', 'INTEGER'),
  summaryColumn('state', 'TEXT NOT NULL', 'running, ended, killed, incomplete'),
  {
    ...column('exit_code', 'INTEGER'),
    key: 'exit',
    value: "iif(coalesce(exit_code, exit_signal) IS NULL, NULL, json_object('code', exit_code, 'signal', exit_signal))",
  },
  ownColumn('exit_signal', 'TEXT'),
  summaryColumn('gaps', 'INTEGER NOT NULL'),
  summaryColumn('probe', 'INTEGER NOT NULL', '1: only shook hands', "json(iif(probe, 'true', 'false'))"),
  {
    ...column('tape_elsewhere', 'TEXT', 'where record --tape put it'),
    key: 'tape',
    value: `coalesce(tape_elsewhere, @folder || session || '/${TAPE}')`,
  },
  summaryColumn('digest', 'TEXT'),
  summaryColumn('conversations', 'TEXT NOT NULL', 'a JSON array', 'json(conversations)'),
  {
    ...column('agent_lines', 'INTEGER NOT NULL', 'lines from the agent'),
    key: 'read',
    value:
      "json_object('lines', agent_lines, 'understood', understood, 'enough', json(iif(enough_understood, 'true', 'false')))",
  },
  ownColumn('understood', 'INTEGER NOT NULL', 'of these lines'),
  ownColumn('enough_understood', 'INTEGER NOT NULL', '0: calls and approvals may be missing'),
  ownColumn('heard', 'INTEGER NOT NULL', '0: what its client said is not on the tape'),
  ownColumn('bypass', 'TEXT', 'when nobody had to be asked: a JSON array of {from, to, mode, frees}'),
  // What these rows were made from, to notice when they are out of date, and their counts, to notice when some are
  // missing.
  ownColumn('settled', 'INTEGER NOT NULL', '1: made of the whole tape, and it will not grow any more'),
  ownColumn('indexed', 'INTEGER NOT NULL', 'bytes of the tape'),
  ownColumn('in_order', 'INTEGER NOT NULL', '0: its frames are not numbered in order, so only its tape is searched'),
  ownColumn('frame_rows', 'INTEGER NOT NULL', 'rows of frames'),
  ownColumn('text_rows', 'INTEGER NOT NULL', 'rows of texts'),
  ownColumn('index_rows', 'TEXT', 'frames in each of its indexes: a JSON array; null before it is settled'),
  ownColumn('audit_sum', 'INTEGER', 'CRC-32 of its rows of approvals, of heard and bypass; null before it is settled'),
  ownColumn('folder_changed', 'REAL NOT NULL', "milliseconds, of the session's folder"),
  ownColumn('names_changed', 'REAL', 'of meta.json, if there is one'),
];

export const APPROVAL_COLUMNS: readonly IndexColumn[] = [
  column('session', 'INTEGER NOT NULL'),
  column('f', 'INTEGER NOT NULL', 'the request, or the call that nobody was asked about'),
  column('n', 'INTEGER NOT NULL', 'which of those that the frame is about'),
  column('kind', 'TEXT NOT NULL', 'approval, question, client-call, hook'),
  column('turn', 'INTEGER'),
  column('subagent', 'TEXT'),
  column('tool', 'TEXT'),
  column('action', 'TEXT'),
  column('description', 'TEXT'),
  column('decision', 'TEXT NOT NULL'),
  column('by', 'TEXT NOT NULL'),
  column('mode', 'TEXT', 'that was on'),
  column('deny_f', 'INTEGER', 'the request that was denied, if the same action ran later'),
  column('wait', 'REAL', 'seconds'),
  column('executed', 'TEXT NOT NULL', 'yes, no, partly, unknown'),
  column('result', 'TEXT', 'ok, error'),
  column('flags', 'TEXT NOT NULL'),
  column('row', 'TEXT NOT NULL', 'all of it, as JSON'),
];

function column(name: string, sql: string, note = ''): IndexColumn {
  return { name, sql, note };
}

function summaryColumn(key: keyof Summary, sql: string, note = '', value: string = key): SessionColumn {
  return { ...column(key, sql, note), key, value };
}

function ownColumn(name: string, sql: string, note = ''): SessionColumn {
  return { ...column(name, sql, note), key: null, value: name };
}

export function quoted(name: string): string {
  return `"${name}"`;
}

/** The column definitions for CREATE TABLE. */
export function columnDefinitions(columns: readonly IndexColumn[]): string {
  return columns
    .map(({ name, sql, note }) => {
      const definition = `  ${quoted(name)} ${sql},`;
      return note === '' ? definition : `${definition.padEnd(36)} -- ${note}`;
    })
    .join('\n');
}

export function insertInto(table: string, columns: readonly { name: string }[], verb = 'INSERT'): string {
  return `${verb} INTO ${table} (${columns.map(({ name }) => quoted(name))}) VALUES (${columns.map(() => '?')})`;
}
