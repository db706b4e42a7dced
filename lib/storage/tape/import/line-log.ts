/**
 * Logs of other recorders: lines of `{"t": epoch seconds, "dir": "c2a"|"a2c"|"err", "line": "…"}`, with spawn, EOF, signals
 * and exit in `NAME.meta.jsonl` beside it. Lines keep the order of the log; events come after lines of the same time. The
 * `line` of a record with a `head` is the body of a Content-Length frame.
 */

import { existsSync } from 'node:fs';
import { isHeader } from '../../../model/content-length.ts';
import type { Frame, From } from '../../../model/frame.ts';
import { textOfValue } from '../../../model/text/text.ts';
import { type JsonLine, jsonLines, unreadEvent } from './json-lines.ts';
import { rejoinEntries } from './rejoin-entries.ts';
import {
  type ForeignRecord,
  type ImportEntry,
  type ImportFindings,
  type ImportFormat,
  type ImportSource,
  microsFrom,
} from './source.ts';
import { surveySource, timedEntries } from './survey.ts';

const STREAM_OF_DIR: Record<string, From> = { c2a: 'client', a2c: 'agent', err: 'stderr' };

export const lineLog: ImportFormat = {
  name: 'line-log',
  recognise: (first) => first.some(isRecord),
  open: (path) => ({
    format: 'line-log',
    path,
    rebuilt: false,
    read: (findings) => rejoinEntries(read(path, findings), findings),
  }),
};

/** The file with the events of the process. */
export function metaOf(path: string): string {
  return path.replace(/(\.jsonl)?$/, '.meta.jsonl');
}

function isRecord({ t, dir, line }: ForeignRecord): boolean {
  return (
    typeof t === 'number' && typeof line === 'string' && typeof dir === 'string' && Object.hasOwn(STREAM_OF_DIR, dir)
  );
}

function* read(path: string, findings: ImportFindings): Generator<ImportEntry> {
  const events = readMeta(path, findings);
  let clock = 0;
  for (const record of jsonLines(path)) {
    const { value } = record;
    if (!value || !isRecord(value)) {
      yield unreadEvent(findings, record);
      continue;
    }
    const at = microsFrom(value.t, 1e6);
    clock = Math.max(clock, at ?? 0);
    while (events[0] && (events[0].at ?? 0) < clock) yield events.shift()!;
    yield lineOf(value, at, findings);
  }
  yield* events;
}

function lineOf({ dir, line, partial, head }: ForeignRecord, at: number | null, findings: ImportFindings): ImportEntry {
  const text = line as string;
  if (text.includes('\ufffd'))
    findings.notes.add('bytes that are not valid UTF-8 were replaced before the log was written');
  const header = typeof head === 'string' && isHeader(head) ? head : null;
  const crlf = header === null && !partial && text.endsWith('\r');
  const raw = Buffer.from(crlf ? text.slice(0, -1) : text);
  return {
    is: 'line',
    at,
    begunAt: null,
    from: STREAM_OF_DIR[dir as string]!,
    raw,
    eol: partial || header !== null ? '' : crlf ? '\r\n' : '\n',
    head: header,
  };
}

/** The events of the process, in order of time: start, signals, EOF and exit. */
function readMeta(path: string, findings: ImportFindings): ImportEntry[] {
  const meta = metaOf(path);
  if (!existsSync(meta)) {
    findings.notes.add('no .meta.jsonl beside it: the command, signals and the exit are not known');
    return [];
  }
  const events: ImportEntry[] = [];
  for (const record of jsonLines(meta)) {
    if (record.value?.event === 'remark') findings.remarks.push(textOfValue(record.value.text));
    else events.push(eventOf(record, findings));
  }
  if (!events.some((entry) => entry.is === 'event' && entry.event === 'exit')) {
    findings.notes.add('the log does not say how the agent ended');
  }
  return events.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

function eventOf(record: JsonLine, findings: ImportFindings): ImportEntry {
  const { event, t, code = null, signal = null, cmd, args, cwd } = record.value ?? {};
  const newEvent = (from: From, name: string, detail: ForeignRecord = {}): ImportEntry => {
    return { is: 'event', at: microsFrom(t, 1e6), from, event: name, detail };
  };
  if (event === 'stdin_eof') return newEvent('client', 'eof');
  if (event === 'exit') return newEvent('proc', 'exit', { code, signal });
  if (event === 'signal') return newEvent('proc', 'signal', { signal });
  if (event !== 'spawn') return unreadEvent(findings, record, 'meta');
  findings.command = [textOfValue(cmd ?? ''), ...(Array.isArray(args) ? args.map(textOfValue) : [])];
  findings.cwd = typeof cwd === 'string' ? cwd : '';
  return newEvent('proc', 'spawn');
}

export interface LineLog {
  command: string[];
  cwd: string;
  /** The time of the first event, in seconds since the epoch. */
  started: number;
  frames: Frame[];
  notes: string[];
}

/** The frames of a log that is small enough to hold. */
export function readLineLog(path: string): LineLog {
  const source: ImportSource = lineLog.open(path);
  const { findings, startedAt } = surveySource(source);
  const frames = [...timedEntries(source, startedAt)].map((entry, i): Frame => {
    const head = { f: i + 1, t: entry.t / 1e6, t0: null, from: entry.from };
    if (entry.is === 'line') {
      const { raw, eol, head: header } = entry;
      const frame: Frame = { ...head, form: 'message', raw: raw as Uint8Array, eol, event: null, detail: {} };
      return header ? { ...frame, head: header } : frame;
    }
    return { ...head, form: 'event', raw: Buffer.alloc(0), eol: '\n', event: entry.event, detail: entry.detail };
  });
  const { command, cwd, remarks } = findings;
  return { command, cwd, started: startedAt / 1e6, frames, notes: remarks };
}
