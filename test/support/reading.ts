/** Sessions read as a dialect has them: from tapes, and from lines written by hand. */
import { fileURLToPath } from 'node:url';
import { DialectDetector } from '../../lib/dialects/detect.ts';
import type { Dialect } from '../../lib/dialects/dialect.ts';
import type { Event, EventKind } from '../../lib/model/event.ts';
import type { Frame } from '../../lib/model/frame.ts';
import type { DecodedFrame } from '../../lib/model/read-frame.ts';
import { TimelineBuilder } from '../../lib/model/timeline/builder.ts';
import { Pass } from '../../lib/session/pass.ts';
import { SessionReader } from '../../lib/session/reader.ts';
import { readLineLog } from '../../lib/storage/tape/import/line-log.ts';
import { type Counts, count } from '../truth/count.mjs';

export type Said = [from: 'client' | 'agent', value: unknown];

const fixtures = fileURLToPath(new URL('../fixtures/tapes/', import.meta.url));

export function readTape(path: string): { dialect: string; readings: DecodedFrame[] } {
  const { command, frames } = readLineLog(path);
  const detector = new DialectDetector(command);
  for (const frame of frames) detector.take(frame);
  const reader = new SessionReader(detector.best.dialect, { command });
  return { dialect: detector.best.dialect.name, readings: frames.map((frame) => reader.read(frame)) };
}

/** A tape of test/fixtures/tapes, as `acp/kimi-allow`. */
export const readFixture = (name: string) => readTape(`${fixtures}${name}.jsonl`);

/** What is pinned of a tape: its dialect, the kinds of its lines, as one text, and how much of everything it holds. */
export function pinned(name: string): { dialect: string; kinds: string; counts: Counts } {
  const { dialect, readings } = readFixture(name);
  return { dialect, kinds: kindsOf(readings).join(' '), counts: count(readings) };
}

/** Lines as frames, numbered from 1; a string is a line as it is. */
export function framesOf(said: Said[]): Frame[] {
  return said.map(([from, value], i) => ({
    ...{ f: i + 1, t: i, t0: null, from, form: 'message', eol: '\n', event: null, detail: {} },
    raw: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  }));
}

/** The agent's exit, as the frame after these. */
export function exitAfter(frames: Frame[], code: number | null, signal: string | null = null): Frame {
  const f = frames.length + 1;
  return {
    ...{ f, t: f - 1, t0: null, from: 'proc', form: 'event', eol: '', event: 'exit', detail: { code, signal } },
    raw: Buffer.alloc(0),
  };
}

/** Events of each line. */
export function eventsOf(dialect: Dialect, said: Said[], command: string[] = []): Event[][] {
  const reader = new SessionReader(dialect, { command });
  return framesOf(said).map((frame) => reader.read(frame).events);
}

/** The kinds of each line of client and agent, as `approval+tool-call`. */
function kindsOf(readings: DecodedFrame[]): string[] {
  return readings
    .filter(({ frame: { from, form } }) => form !== 'event' && (from === 'client' || from === 'agent'))
    .map(({ events }) => kinds(events));
}

export const kinds = (events: Event[]) => events.map(({ kind }) => kind).join('+');

export function only<K extends EventKind>(events: Event[], kind: K): Extract<Event, { kind: K }> {
  const found = events.filter((event) => event.kind === kind);
  if (found.length !== 1) throw new Error(`${found.length} events of kind ${kind} in ${JSON.stringify(events)}`);
  return found[0] as Extract<Event, { kind: K }>;
}

/** JSON-RPC, short. */
export const ask = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: '2.0', id, method, params });
export const tell = (method: string, params?: unknown) => ({ jsonrpc: '2.0', method, params });
export const answer = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result });
export const refuse = (id: unknown, code: number, message = 'no') => ({ jsonrpc: '2.0', id, error: { code, message } });

/** The whole timeline of these frames. */
export function timelineIn(frames: readonly Frame[], command: string[] = []) {
  const pass = new Pass({ command, frames: () => frames }, { tree: true }).run();
  return { ...pass.timeline, dialect: pass.dialect, confidence: pass.confidence };
}

/** A tape of test/fixtures/tapes, whole. */
export function timelineOf(name: string) {
  const { dialect, readings } = readFixture(name);
  const builder = new TimelineBuilder();
  for (const reading of readings) builder.take(reading);
  return { dialect, readings, timeline: builder.timeline };
}
