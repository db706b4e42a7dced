/** Wire sessions for tests: tapes of real agents, and lines by hand, as their dialect reads them. */
import { fileURLToPath } from 'node:url';
import type { Dialect } from '../../lib/dialects/dialect.ts';
import { wire } from '../../lib/dialects/wire/index.ts';
import { wireLegacy } from '../../lib/dialects/wire-legacy/index.ts';
import type { Event } from '../../lib/model/event.ts';
import type { Frame } from '../../lib/model/frame.ts';
import type { DecodedFrame } from '../../lib/model/read-frame.ts';
import { SessionReader } from '../../lib/session/reader.ts';
import { readLineLog } from '../../lib/storage/tape/import/line-log.ts';

const tapes = fileURLToPath(new URL('../fixtures/tapes/', import.meta.url));
const known = new Map<string, DecodedFrame[]>();

/** The lines of a tape, from 1, as its dialect reads them. */
export function readTape(name: string): DecodedFrame[] {
  let lines = known.get(name);
  if (!lines) {
    const { frames, command } = readLineLog(`${tapes}${name}.jsonl`);
    const reader = new SessionReader(/^wire-0\.(46|58)\//.test(name) ? wireLegacy : wire, { command });
    lines = [undefined!, ...frames.map((frame) => reader.read(frame)).filter(({ frame }) => frame.form !== 'event')];
    known.set(name, lines);
  }
  return lines;
}

export const eventsAt = (example: string): Event[] => {
  const [name, line] = example.split('#');
  return readTape(name!)[Number(line)]!.events;
};

export const kindsOf = (events: Event[]) => events.map(({ kind }) => kind).join(' ');

/** Lines by hand: `>` the client's, `<` the agent's. */
export function read(dialect: Dialect, ...lines: string[]): Event[][] {
  const reader = new SessionReader(dialect, { command: [] });
  return lines.map((line, index) => {
    const frame: Frame = {
      ...{ f: index + 1, t: index, t0: null, from: line[0] === '>' ? 'client' : 'agent', form: 'message' },
      ...{ raw: new TextEncoder().encode(line.slice(1)), eol: '\n', event: null, detail: {} },
    };
    return reader.read(frame).events;
  });
}

export const event = (type: string, payload: unknown) =>
  `<${JSON.stringify({ jsonrpc: '2.0', method: 'event', params: { type, payload } })}`;
export const request = (id: string, type: string, payload: object) =>
  `<${JSON.stringify({ jsonrpc: '2.0', method: 'request', id, params: { type, payload: { id, ...payload } } })}`;
export const ask = (id: unknown, method: string, params?: unknown) => `>${JSON.stringify({ id, method, params })}`;
export const prompt = (id: unknown, user_input: unknown) => ask(id, 'prompt', { user_input });
export const answer = (who: '>' | '<', id: unknown, result: unknown) => `${who}${JSON.stringify({ id, result })}`;
export const error = (who: '>' | '<', id: unknown, error: unknown) => `${who}${JSON.stringify({ id, error })}`;
export const last = (events: Event[][]) => events.at(-1)![0]!;
