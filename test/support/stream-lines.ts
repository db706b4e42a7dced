/** Reads lines and tapes with one dialect, as tests of dialects want to see them. */
import { fileURLToPath } from 'node:url';
import type { Dialect, FirstLines } from '../../lib/dialects/dialect.ts';
import type { Event } from '../../lib/model/event.ts';
import type { Frame } from '../../lib/model/frame.ts';
import { isObject, parseJson, textOf } from '../../lib/model/message.ts';
import type { DecodedFrame } from '../../lib/model/read-frame.ts';
import { SessionReader } from '../../lib/session/reader.ts';
import { readLineLog } from '../../lib/storage/tape/import/line-log.ts';

export const FIXTURES = fileURLToPath(new URL('../fixtures/tapes', import.meta.url));

export interface Tape {
  first: FirstLines;
  readings: DecodedFrame[];
  /** By line of the tape, from 1. */
  line(n: number): DecodedFrame;
}

export function readTape(dialect: Dialect, path: string): Tape {
  const { command, frames } = readLineLog(path);
  const reader = new SessionReader(dialect, { command });
  const readings = frames.map((frame) => reader.read(frame));
  const lines = readings.filter(({ frame }) => frame.form !== 'event');
  return { first: { command, lines: firstLines(frames) }, readings, line: (n) => lines[n - 1]! };
}

function firstLines(frames: Frame[]): FirstLines['lines'] {
  const lines: FirstLines['lines'] = [];
  for (const { from, form, raw } of frames) {
    if (form === 'event' || (from !== 'client' && from !== 'agent')) continue;
    const value = parseJson(textOf(raw));
    if (isObject(value) && lines.length < 20) lines.push({ from, value });
  }
  return lines;
}

/**
 * A session of made-up lines: `>` before what the client says, `<` before what the agent says; a string is the line as it
 * is. Frames are numbered from 1.
 */
export function readLines(dialect: Dialect, lines: ['>' | '<', unknown][], command: string[] = []): DecodedFrame[] {
  const reader = new SessionReader(dialect, { command });
  return lines.map(([side, value], index) => {
    const raw = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    const from = side === '>' ? 'client' : 'agent';
    return reader.read({
      f: index + 1,
      t: index,
      t0: null,
      from,
      form: 'message',
      raw,
      eol: '\n',
      event: null,
      detail: {},
    });
  });
}

export const kindsOf = ({ events }: DecodedFrame): string => events.map(({ kind }) => kind).join(' + ');

/** What TRUTH.tsv counts: turns, tools, approvals, and the client's first valid answers: allow, always, deny, other. */
export function counts(readings: DecodedFrame[]): number[] {
  const all = readings.flatMap((reading) => reading.events.map((event) => ({ event, reading })));
  const live = all.filter(({ event }) => !event.flags?.includes('replayed'));
  const count = (wanted: (event: Event) => boolean) => live.filter(({ event }) => wanted(event)).length;
  const turns = new Set(live.map(({ event }) => event.takes).filter((f) => f !== undefined));
  const tools = count((event) => event.kind === 'tool-call' && !event.restates);
  const approvals = count((event) => event.kind === 'approval' && !event.flags?.includes('resent'));
  const decided = new Map<unknown, string>();
  for (const { event, reading } of live) {
    const exchange = reading.pairing?.exchange;
    if (event.kind === 'approval-answer' && event.decision && exchange && !decided.has(exchange)) {
      decided.set(exchange, event.decision);
    }
  }
  const by = (decision: string) => [...decided.values()].filter((made) => made === decision).length;
  const [allow, always, deny] = [by('allow'), by('allow-always'), by('deny')];
  return [turns.size, tools, approvals, allow, always, deny, approvals - decided.size];
}
