/**
 * Logs of other recorders: lines of `{"t": epoch seconds, "dir": "c2a"|"a2c"|"err", "line": "…"}`, with spawn, EOF, signals
 * and exit in `NAME.meta.jsonl` beside it. Lines keep the order of the log; events come after lines of the same time. The
 * `line` of a record with a `head` is the body of a Content-Length frame.
 */
import { existsSync } from 'node:fs';
import { isHeader } from '../../../model/content-length.ts';
import type { Frame, From } from '../../../model/frame.ts';
import { type JsonLine, jsonLines, unread } from './json-lines.ts';
import { rejoined } from './rejoined.ts';
import { type Entry, type Findings, type Format, type Loose, microsFrom, type Source } from './source.ts';
import { survey, timed } from './survey.ts';

const SPEAKERS: Record<string, From> = { c2a: 'client', a2c: 'agent', err: 'stderr' };

export const lineLog: Format = {
  name: 'line-log',
  recognise: (first) => first.some(isRecord),
  open: (path) => ({
    format: 'line-log',
    path,
    rebuilt: false,
    read: (findings) => rejoined(read(path, findings), findings),
  }),
};

/** The file with the events of the process. */
export function metaOf(path: string): string {
  return path.replace(/(\.jsonl)?$/, '.meta.jsonl');
}

function isRecord({ t, dir, line }: Loose): boolean {
  return typeof t === 'number' && typeof line === 'string' && typeof dir === 'string' && Object.hasOwn(SPEAKERS, dir);
}

function* read(path: string, findings: Findings): Generator<Entry> {
  const events = readMeta(path, findings);
  let clock = 0;
  for (const record of jsonLines(path)) {
    const { value } = record;
    if (!value || !isRecord(value)) {
      yield unread(findings, record);
      continue;
    }
    const at = microsFrom(value.t, 1e6);
    clock = Math.max(clock, at ?? 0);
    while (events[0] && (events[0].at ?? 0) < clock) yield events.shift()!;
    yield lineOf(value, at, findings);
  }
  yield* events;
}

function lineOf({ dir, line, partial, head }: Loose, at: number | null, findings: Findings): Entry {
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
    from: SPEAKERS[dir as string]!,
    raw,
    eol: partial || header !== null ? '' : crlf ? '\r\n' : '\n',
    head: header,
  };
}

/** The events of the process, in order of time: start, signals, EOF and exit. */
function readMeta(path: string, findings: Findings): Entry[] {
  const meta = metaOf(path);
  if (!existsSync(meta)) {
    findings.notes.add('no .meta.jsonl beside it: the command, signals and the exit are not known');
    return [];
  }
  const events: Entry[] = [];
  for (const record of jsonLines(meta)) {
    if (record.value?.event === 'remark') findings.remarks.push(String(record.value.text));
    else events.push(eventOf(record, findings));
  }
  if (!events.some((entry) => entry.is === 'event' && entry.event === 'exit')) {
    findings.notes.add('the log does not say how the agent ended');
  }
  return events.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

function eventOf(record: JsonLine, findings: Findings): Entry {
  const { event, t, code = null, signal = null, cmd, args, cwd } = record.value ?? {};
  const made = (from: From, name: string, detail: Loose = {}): Entry => {
    return { is: 'event', at: microsFrom(t, 1e6), from, event: name, detail };
  };
  if (event === 'stdin_eof') return made('client', 'eof');
  if (event === 'exit') return made('proc', 'exit', { code, signal });
  if (event === 'signal') return made('proc', 'signal', { signal });
  if (event !== 'spawn') return unread(findings, record, 'meta');
  findings.command = [String(cmd ?? ''), ...(Array.isArray(args) ? args.map(String) : [])];
  findings.cwd = typeof cwd === 'string' ? cwd : '';
  return made('proc', 'spawn');
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
  const source: Source = lineLog.open(path);
  const { findings, startedAt } = survey(source);
  const frames = [...timed(source, startedAt)].map((entry, i): Frame => {
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
