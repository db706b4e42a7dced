/**
 * kimi-code's own record of a session: `agents/main/wire.jsonl` and one more file for every subagent, in a journal of
 * its own record types (`turn.prompt`, `context.append_loop_event`, …). These records are not traffic: they are kept
 * verbatim, as lines of the agent. If there are several files, an event names the file that the next lines are from.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { jsonLines, unreadEvent } from './json-lines.ts';
import { isHeader, readJson } from './kimi-cli.ts';
import {
  type ForeignRecord,
  type ImportEntry,
  type ImportFindings,
  type ImportFormat,
  inOrderOfTime,
  microsFrom,
} from './source.ts';

export const kimiCode: ImportFormat = {
  name: 'kimi-code',
  recognise: (first) => {
    const [head] = first;
    const record = first.find((value) => !isHeader(value));
    if (record) return isRecord(record);
    return head !== undefined && typeof head.created_at === 'number';
  },
  open: (path) => {
    const folder = sessionFolder(path);
    return { format: 'kimi-code', path: folder ?? path, rebuilt: false, read: (found) => read(path, folder, found) };
  },
};

/** The folder that contains `agents`, if the file is in there. */
export function sessionFolder(path: string): string | null {
  const agents = dirname(dirname(path));
  return basename(path) === WIRE && basename(agents) === 'agents' ? dirname(agents) : null;
}

/** The main agent's file, which represents the session's folder. */
export function mainFile(folder: string): string | null {
  return agentFiles(folder)[0] ?? null;
}

const WIRE = 'wire.jsonl';

function agentFiles(folder: string): string[] {
  const agents = join(folder, 'agents');
  if (!existsSync(agents)) return [];
  const names = readdirSync(agents).sort((a, b) => Number(b === 'main') - Number(a === 'main') || (a < b ? -1 : 1));
  return names.map((name) => join(agents, name, WIRE)).filter((file) => existsSync(file));
}

/** Every record has a type; most have a time, and all have had one since 1.4. */
function isRecord({ type, time }: ForeignRecord): boolean {
  return typeof type === 'string' && (typeof time === 'number' || /^[a-z_]+(\.[a-zA-Z_]+)+$/.test(type));
}

function* read(path: string, folder: string | null, findings: ImportFindings): Generator<ImportEntry> {
  const files = folder ? agentFiles(folder) : [path];
  const names = files.map((file) => (folder ? `agents/${basename(dirname(file))}/${WIRE}` : basename(file)));
  describe(folder, findings);
  const streams = files.map((file, i) => records(file, findings, files.length > 1 ? names[i] : undefined));
  let before = files.length > 1 ? -1 : 0;
  for (const [entry, i] of inOrderOfTime(streams)) {
    if (i !== before) {
      const detail = { path: names[i], agent: basename(dirname(files[i]!)) };
      yield { is: 'event', at: entry.at, from: 'proc', event: 'file', detail };
    }
    before = i;
    yield entry;
  }
}

function describe(folder: string | null, findings: ImportFindings): void {
  const state = folder ? readJson(join(folder, 'state.json')) : null;
  findings.cwd = typeof state?.cwd === 'string' ? state.cwd : '';
  if (folder) findings.metadata.agent_session = basename(folder);
  if (typeof state?.title === 'string') findings.metadata.title = state.title;
  findings.notes.add("records from kimi-code's own journal, unchanged; it does not have what crossed a pipe");
  findings.notes.add("the client's lines, stderr and the exit are not in kimi-code's own files");
}

function* records(path: string, findings: ImportFindings, file: string | undefined): Generator<ImportEntry> {
  for (const record of jsonLines(path)) {
    const { value, line } = record;
    if (value && isHeader(value)) {
      findings.metadata.protocol ??= value.protocol_version;
      findings.startedAt ??= microsFrom(value.created_at, 1000);
    } else if (value && isRecord(value)) {
      const raw = Buffer.from(line);
      yield { is: 'line', at: microsFrom(value.time, 1000), begunAt: null, from: 'agent', raw, eol: '\n' };
    } else {
      yield unreadEvent(findings, record, file);
    }
  }
}
