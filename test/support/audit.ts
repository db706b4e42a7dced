/** Audits of tapes, and of sessions written by hand. */
import { fileURLToPath } from 'node:url';
import { Audit } from '../../lib/analysis/audit/audit.ts';
import type { ApprovalRow } from '../../lib/analysis/audit/row.ts';
import { DialectDetector } from '../../lib/dialects/detect.ts';
import type { Dialect } from '../../lib/dialects/dialect.ts';
import { wire } from '../../lib/dialects/wire/index.ts';
import type { Frame } from '../../lib/model/frame.ts';
import type { ReadFrame } from '../../lib/model/read-frame.ts';
import { TimelineBuilder } from '../../lib/model/timeline/builder.ts';
import { SessionReader } from '../../lib/session/reader.ts';
import { readLineLog } from '../../lib/storage/tape/import/line-log.ts';
import { auditOf } from '../truth/approvals.mjs';
import { framesOf, type Said } from './reading.ts';
import { sessionOn } from './session.ts';

/** What happens to the process: an end of input, an exit, a signal. */
export type Happening = ['eof' | 'exit' | 'signal' | 'lost', detail?: Record<string, unknown>];

/** Lines and happenings as frames, a second apart, numbered from 1. */
export function sessionOf(what: (Said | Happening)[]): Frame[] {
  return what.map((one, i) => {
    const [name, detail] = one;
    if (name === 'client' || name === 'agent') return { ...framesOf([one as Said])[0]!, f: i + 1, t: i };
    return {
      ...{ f: i + 1, t: i, t0: null, from: name === 'eof' ? 'client' : 'proc', form: 'event', eol: '\n' },
      ...{ raw: new Uint8Array(), event: name, detail: (detail ?? {}) as Record<string, unknown> },
    };
  });
}

/** As the index reads it: without keeping anything. */
export function* readAll(dialect: Dialect, frames: Frame[], command: readonly string[] = []): Generator<ReadFrame> {
  const reader = new SessionReader(dialect, { command });
  const builder = new TimelineBuilder({ keep: false });
  for (const frame of frames) {
    const reading = reader.read(frame);
    yield { ...reading, where: builder.take(reading), ledger: builder.ledger };
  }
}

export interface Audited {
  audit: Audit;
  frames: Frame[];
  rows: ApprovalRow[];
}

export function auditTape(path: string, live = false): Audited {
  const { command, frames } = readLineLog(path);
  const detector = new DialectDetector(command);
  for (const frame of frames) detector.take(frame);
  return auditFrames(detector.best.dialect, frames, command, live);
}

/** A recording of test/fixtures/audit. */
export const auditRecording = (name: string): Audited =>
  auditFile(fileURLToPath(new URL(`../fixtures/audit/${name}.jsonl`, import.meta.url)));

/** A tape of wiretape's own. */
export function auditFile(path: string): Audited {
  const session = sessionOn(path);
  const frames: Frame[] = [];
  // The buffer of a line is used again for the next one.
  for (const frame of session.frames()) frames.push({ ...frame, raw: new Uint8Array(frame.raw) });
  const { command } = session.metadata;
  const detector = new DialectDetector(command);
  for (const frame of frames) detector.take(frame);
  return auditFrames(detector.best.dialect, frames, command);
}

export function auditFrames(dialect: Dialect, frames: Frame[], command: string[] = [], live = false): Audited {
  const audit = new Audit({ command, dialect: dialect.name });
  return { audit, frames, rows: auditOf(audit, readAll(dialect, frames, command), live) };
}

/** An audit of Wire that has not begun, and what it will take. */
export function auditing(frames: Frame[], dialect: Dialect = wire): { audit: Audit; reads: Generator<ReadFrame> } {
  return { audit: new Audit({ command: [], dialect: dialect.name }), reads: readAll(dialect, frames) };
}

export const auditSaid = (dialect: Dialect, what: (Said | Happening)[], command: string[] = []): Audited =>
  auditFrames(dialect, sessionOf(what), command);

/** The only row. */
export function rowOf({ rows }: Audited): ApprovalRow {
  if (rows.length !== 1) throw new Error(`${rows.length} rows: ${JSON.stringify(rows)}`);
  return rows[0]!;
}

/** What a test looks at: `allow client f5 yes f7 [flags]`. */
export function words(row: ApprovalRow): string {
  const f = (frame: number | null) => (frame === null ? '-' : `f${frame}`);
  const { decision, by, answer_f, executed, result_f, flags } = row;
  return `${decision} ${by} ${f(answer_f)} ${executed} ${f(result_f)} [${flags.join(' ')}]`;
}

export const auditWire = (what: (Said | Happening)[], command: string[] = ['kimi', '--wire']): Audited =>
  auditSaid(wire, what, command);

/** Wire, short. */
export const says = (type: string, payload: object): Said => [
  'agent',
  { jsonrpc: '2.0', method: 'event', params: { type, payload } },
];
export const asks = (id: string, type: string, payload: object): Said => [
  'agent',
  { jsonrpc: '2.0', method: 'request', id, params: { type, payload: { id, ...payload } } },
];
export const prompts = (id: string, user_input = id): Said => [
  'client',
  { jsonrpc: '2.0', method: 'prompt', id, params: { user_input } },
];
export const begins = (user_input: string) => says('TurnBegin', { user_input });
export const calls = (id: string, name = 'Shell', args: object = { command: 'ls' }) =>
  says('ToolCall', { type: 'function', id, function: { name, arguments: JSON.stringify(args) } });
export const wants = (id: string, call: string, more: object = {}) =>
  asks(id, 'ApprovalRequest', {
    ...{ tool_call_id: call, sender: 'Shell', action: 'run command', description: 'Run command `ls`', ...more },
  });
export const replies = (id: string, result: unknown): Said => ['client', { jsonrpc: '2.0', id, result }];
export const decides = (id: string, response: unknown, more: object = {}) =>
  replies(id, { request_id: id, response, ...more });
export const resolves = (request_id: string, response: string, feedback = '') =>
  says('ApprovalResponse', { request_id, response, feedback });
export const results = (id: string, is_error = false, output = 'done') =>
  says('ToolResult', { tool_call_id: id, return_value: { is_error, output, message: '', display: [] } });
export const finishes = (id: string, status = 'finished'): Said => [
  'agent',
  { jsonrpc: '2.0', id, result: { status } },
];
