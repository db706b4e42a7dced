/**
 * The columns of the index's tables. The schema, the inserts and the selects are made from them, so that none of these
 * depends on a position. Frames have a column for each fact in the table of facts.
 */
import { FACT_LIST, type Stored } from '../../analysis/facts/table.ts';
import type { Summary } from '../../session/summary.ts';
import { TAPE } from '../store/home.ts';

export interface Column {
  name: string;
  sql: string;
  note: string;
}

const TYPES: Record<Stored, string> = {
  integer: 'INTEGER',
  real: 'REAL',
  text: 'TEXT',
  id: 'TEXT',
  words: 'TEXT',
  'more-words': 'TEXT',
};

export const FRAME_COLUMNS: readonly Column[] = [
  ...FACT_LIST.map(([name, { stored, needed, note }]) =>
    column(name, `${TYPES[stored]}${needed ? ' NOT NULL' : ''}`, note),
  ),
  column('session', 'INTEGER NOT NULL', 'sessions.key'),
  column('offset', 'INTEGER NOT NULL', 'of its line in the tape'),
];

/** `value`: SQL for the key of the summary; null for columns that are not in the summary. */
export interface SessionColumn extends Column {
  key: keyof Summary | null;
  value: string;
}

export const SESSION_COLUMNS: readonly SessionColumn[] = [
  own('key', 'INTEGER PRIMARY KEY', 'the id as a number, in order of time'),
  told('session', 'TEXT NOT NULL UNIQUE'),
  told('name', 'TEXT'),
  told('tags', 'TEXT NOT NULL', 'a JSON object', 'json(tags)'),
  told('source', 'TEXT NOT NULL', 'record, import, replay'),
  told('dialect', 'TEXT'),
  told('protocol', 'TEXT'),
  told('client', 'TEXT'),
  told('agent', 'TEXT'),
  told('agent_version', 'TEXT'),
  told('command', 'TEXT NOT NULL', 'a JSON array', 'json(command)'),
  told('cwd', 'TEXT NOT NULL'),
  told('user', 'TEXT'),
  told('host', 'TEXT'),
  told('started', 'TEXT NOT NULL', 'ISO 8601, UTC'),
  told('ended', 'TEXT'),
  told('duration', 'REAL', 'seconds'),
  told('frames', 'INTEGER NOT NULL'),
  told('bytes', 'INTEGER NOT NULL'),
  told('turns', 'INTEGER'),
  told('tools', 'INTEGER'),
  told('approvals', 'INTEGER'),
  told('errors', 'INTEGER'),
  told('state', 'TEXT NOT NULL', 'running, ended, killed, incomplete'),
  {
    ...column('exit_code', 'INTEGER'),
    key: 'exit',
    value: "iif(coalesce(exit_code, exit_signal) IS NULL, NULL, json_object('code', exit_code, 'signal', exit_signal))",
  },
  own('exit_signal', 'TEXT'),
  told('gaps', 'INTEGER NOT NULL'),
  told('probe', 'INTEGER NOT NULL', '1: only shook hands', "json(iif(probe, 'true', 'false'))"),
  {
    ...column('tape_elsewhere', 'TEXT', 'where record --tape put it'),
    key: 'tape',
    value: `coalesce(tape_elsewhere, @folder || session || '/${TAPE}')`,
  },
  told('digest', 'TEXT'),
  told('conversations', 'TEXT NOT NULL', 'a JSON array', 'json(conversations)'),
  {
    ...column('agent_lines', 'INTEGER NOT NULL', 'lines from the agent'),
    key: 'read',
    value:
      "json_object('lines', agent_lines, 'understood', understood, 'enough', json(iif(enough_understood, 'true', 'false')))",
  },
  own('understood', 'INTEGER NOT NULL', 'of these lines'),
  own('enough_understood', 'INTEGER NOT NULL', '0: calls and approvals may be missing'),
  own('heard', 'INTEGER NOT NULL', '0: what its client said is not on the tape'),
  own('bypass', 'TEXT', 'when nobody had to be asked: a JSON array of {from, to, mode, frees}'),
  // What these rows were made from, to notice when they are out of date, and their counts, to notice when some are
  // missing.
  own('settled', 'INTEGER NOT NULL', '1: made of the whole tape, and it will not grow any more'),
  own('indexed', 'INTEGER NOT NULL', 'bytes of the tape'),
  own('in_order', 'INTEGER NOT NULL', '0: its frames are not numbered in order, so only its tape is searched'),
  own('frame_rows', 'INTEGER NOT NULL', 'rows of frames'),
  own('text_rows', 'INTEGER NOT NULL', 'rows of texts'),
  own('index_rows', 'TEXT', 'frames in each of its indexes: a JSON array; null before it is settled'),
  own('audit_sum', 'INTEGER', 'CRC-32 of its rows of approvals, of heard and bypass; null before it is settled'),
  own('folder_changed', 'REAL NOT NULL', "milliseconds, of the session's folder"),
  own('names_changed', 'REAL', 'of meta.json, if there is one'),
];

export const APPROVAL_COLUMNS: readonly Column[] = [
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

function column(name: string, sql: string, note = ''): Column {
  return { name, sql, note };
}

function told(key: keyof Summary, sql: string, note = '', value: string = key): SessionColumn {
  return { ...column(key, sql, note), key, value };
}

function own(name: string, sql: string, note = ''): SessionColumn {
  return { ...column(name, sql, note), key: null, value: name };
}

export function quoted(name: string): string {
  return `"${name}"`;
}

/** The column definitions for CREATE TABLE. */
export function defined(columns: readonly Column[]): string {
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
