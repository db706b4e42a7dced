/**
 * kimi-cli's own record of a session, `wire.jsonl` (0.59 and later): lines of `{"timestamp": …, "message": {"type",
 * "payload"}}`, after a header since 0.85. Each message was the `params` of a JSON-RPC line of the agent, and that line is
 * rebuilt; old names are kept. Subagents whose events were not sent to the client have separate files. They are added in
 * the form of the events that kimi sends for other subagents.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject, parseJson } from '../../../model/message.ts';
import { textOfValue } from '../../../model/text/text.ts';
import { LARGER_FILE_BYTES, readSmallFile } from '../small-file.ts';
import { type JsonLine, jsonLines, unreadEvent } from './json-lines.ts';
import {
  type ForeignRecord,
  type ImportEntry,
  type ImportFindings,
  type ImportFormat,
  inOrderOfTime,
  microsFrom,
} from './source.ts';

const REQUEST_TYPES = new Set(['ApprovalRequest', 'ToolCallRequest', 'QuestionRequest', 'HookRequest']);

export const kimiCli: ImportFormat = {
  name: 'kimi-cli',
  recognise: (first) => {
    const record = first.find((value) => !isHeader(value));
    if (record) return messageOf(record) !== null;
    return first.some((value) => isHeader(value) && value.created_at === undefined);
  },
  open: (path) => ({ format: 'kimi-cli', path, rebuilt: true, read: (findings) => read(path, findings) }),
};

interface KimiWireMessage {
  type: string;
  payload: ForeignRecord;
}

export function isHeader({ type, protocol_version }: ForeignRecord): boolean {
  return type === 'metadata' && typeof protocol_version === 'string';
}

function messageOf({ timestamp, message }: ForeignRecord): KimiWireMessage | null {
  if (typeof timestamp !== 'number' || !isObject(message)) return null;
  return typeof message.type === 'string' && isObject(message.payload) ? (message as unknown as KimiWireMessage) : null;
}

function* read(path: string, findings: ImportFindings): Generator<ImportEntry> {
  findings.dialect = 'wire';
  findings.cwd = workDirOf(path) ?? '';
  findings.metadata.agent_session = basename(dirname(path));
  for (const note of UNKNOWN_NOTES) findings.notes.add(note);
  const background = backgroundRuns(path);
  const seen = { approval: false };
  const root = records(path, findings, null, seen);
  const others = background.map((agent) => records(agent.path, findings, agent, seen));
  if (others.length > 0) {
    findings.metadata.unsent_subagents = background.map(({ id }) => id);
    findings.notes.add(
      `events of ${others.length} background subagents come from separate files; kimi does not send them to the client`,
    );
  }
  for (const [entry] of inOrderOfTime([root, ...others])) yield entry;
  if (!seen.approval) findings.notes.add(NO_APPROVALS_NOTE);
}

const NO_APPROVALS_NOTE =
  'the file has no approvals, which proves nothing: kimi-cli 1.25 and later does not save them there';

const UNKNOWN_NOTES = [
  "kimi's own file does not contain the client's side, its answers, request ids, stderr or the exit",
  'lines are rebuilt from what kimi saved; streamed text is merged, and times are those of saving',
];

/** The records of one file. */
function* records(
  path: string,
  findings: ImportFindings,
  agent: Subagent | null,
  seen: { approval: boolean },
): Generator<ImportEntry> {
  const file = agent ? `subagents/${agent.id}/wire.jsonl` : undefined;
  let inside = agent === null;
  for (const record of jsonLines(path)) {
    const { value } = record;
    if (value && isHeader(value)) {
      if (!agent) findings.metadata.protocol = value.protocol_version;
      continue;
    }
    const message = value && messageOf(value);
    if (!message) {
      yield unreadEvent(findings, record, file);
      continue;
    }
    if (message.type === 'ApprovalRequest') seen.approval = true;
    if (agent && message.type === 'TurnBegin') inside = agent.isUnsent(message);
    if (inside) yield rebuiltLine(record, message, agent);
  }
}

function rebuiltLine(record: JsonLine, message: KimiWireMessage, agent: Subagent | null): ImportEntry {
  const { type, payload } = message;
  const asks = agent === null && REQUEST_TYPES.has(type) && typeof payload.id === 'string';
  const head = asks ? `"method":"request","id":${JSON.stringify(payload.id)}` : '"method":"event"';
  const params = agent ? JSON.stringify(agent.wrap(message)) : verbatimMessage(record);
  const raw = Buffer.from(`{"jsonrpc":"2.0",${head},"params":${params}}`);
  const at = microsFrom(record.value!.timestamp, 1e6);
  return { is: 'line', at, begunAt: null, from: 'agent', raw, eol: '\n' };
}

/** The message verbatim, if the line has the form that kimi writes. */
function verbatimMessage({ line, value }: JsonLine): string {
  const text = line.toString('utf8').trim();
  const head = /^\{"timestamp": ?[-+.\deE]+, ?"message": ?/.exec(text)?.[0];
  const slice = head && text.slice(head.length, -1);
  return slice && parseJson(slice) !== undefined ? slice : JSON.stringify(value!.message);
}

interface Subagent {
  id: string;
  path: string;
  /** A run that is not in the file of the main agent. */
  isUnsent(turn: KimiWireMessage): boolean;
  wrap(message: KimiWireMessage): KimiWireMessage;
}

/** Subagents with runs that are only in their own files. Foreground runs are in the main agent's file as well. */
function backgroundRuns(path: string): Subagent[] {
  const folder = join(dirname(path), 'subagents');
  const ids = existsSync(folder) ? readdirSync(folder).sort() : [];
  const files = ids.map((id) => ({ id, path: join(folder, id, 'wire.jsonl') })).filter((file) => existsSync(file.path));
  if (files.length === 0) return [];
  const sent = turnsSent(path);
  return files
    .map((file): Subagent => {
      const meta = readJson(join(dirname(file.path), 'meta.json'));
      const subagent_type = typeof meta?.subagent_type === 'string' ? meta.subagent_type : null;
      const isUnsent = (turn: KimiWireMessage) => !sent.has(turnKey(file.id, turn));
      const wrap = (event: KimiWireMessage): KimiWireMessage => ({
        type: 'SubagentEvent',
        payload: { parent_tool_call_id: null, agent_id: file.id, subagent_type, event },
      });
      return { ...file, isUnsent, wrap };
    })
    .filter(hasUnsent);
}

function turnsSent(path: string): Set<string> {
  const sent = new Set<string>();
  for (const { value } of jsonLines(path)) {
    let message = value && messageOf(value);
    // Subagents may have subagents.
    while (message?.type === 'SubagentEvent' && isObject(message.payload.event)) {
      const { agent_id } = message.payload;
      message = message.payload.event as unknown as KimiWireMessage;
      if (message.type === 'TurnBegin') sent.add(turnKey(textOfValue(agent_id), message));
    }
  }
  return sent;
}

function hasUnsent(agent: Subagent): boolean {
  for (const { value } of jsonLines(agent.path)) {
    const message = value && messageOf(value);
    if (message?.type === 'TurnBegin' && agent.isUnsent(message)) return true;
  }
  return false;
}

function turnKey(agent: string, { payload }: KimiWireMessage): string {
  return JSON.stringify([agent, payload?.user_input]);
}

/** kimi names the folder of a working directory after a digest of its path, and lists the paths in kimi.json. */
function workDirOf(path: string): string | null {
  const bucket = dirname(dirname(path));
  const dirs = readJson(join(dirname(dirname(bucket)), 'kimi.json'))?.work_dirs;
  for (const dir of Array.isArray(dirs) ? dirs : []) {
    const work = isObject(dir) && typeof dir.path === 'string' ? dir.path : null;
    if (work !== null && basename(bucket).endsWith(createHash('md5').update(work).digest('hex'))) return work;
  }
  return null;
}

export function readJson(path: string): ForeignRecord | null {
  try {
    const value = parseJson(readSmallFile(path, LARGER_FILE_BYTES));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
