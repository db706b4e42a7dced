/** What `why` says of a session while it runs is not contradicted by what comes later. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import { mcp } from '../../../../lib/dialects/mcp/index.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import { TapeSource } from '../../../../lib/storage/tape/tape-source.ts';
import * as $ from '../../../support/audit.ts';

const folder = (name: string) => fileURLToPath(new URL(`../../../fixtures/${name}/`, import.meta.url));
const tapes = (name: string, pattern: RegExp) =>
  readdirSync(folder(name))
    .filter((file) => pattern.test(file))
    .map((file) => `${folder(name)}${file}`);

const sessions: [string, Frame[]][] = [
  ...tapes('broken', /^mcp-.*\.jsonl$/).map((path): [string, Frame[]] => [
    path,
    [...new TapeSource(path).frames()].map((frame) => ({ ...frame, raw: Uint8Array.from(frame.raw) })),
  ]),
  ...tapes('tapes/mcp', /^[^.]+\.jsonl$/).map((path): [string, Frame[]] => [path, readLineLog(path).frames]),
];

interface Times {
  /** When each request of the client was answered, by its frame, and when the client reacted to each of the agent's. */
  answered: Map<number, number>;
  reacted: Map<number, number>;
}

/** Nobody reads a line that is not JSON. */
function parsed(line: string): { id?: unknown; method?: string } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** By frames alone: an id in the wrong type is a reaction too, which some servers accept. */
function timesOf(frames: Frame[]): Times {
  const answered = new Map<number, number>();
  const reacted = new Map<number, number>();
  const asked = new Map<string, number>();
  for (const { f, from, raw, event } of frames) {
    if (event !== null || from === 'stderr' || from === 'proc') continue;
    const { id, method } = parsed(Buffer.from(raw).toString());
    if (id === undefined) continue;
    const key = `${method === undefined ? (from === 'client' ? 'agent' : 'client') : from} ${String(id)}`;
    if (method !== undefined) asked.set(key, f);
    else (from === 'client' ? reacted : answered).set(asked.get(key) ?? 0, f);
  }
  return { answered, reacted };
}

it.each(sessions.map(([path, frames]): [string, Frame[]] => [path.split('/').pop()!, frames]))('%s', (_, frames) => {
  const { answered, reacted } = timesOf(frames);
  const watch = new SessionWatch({ command: [], dialect: 'mcp' });
  const contradicted: string[] = [];
  let waits = 0;
  for (const read of $.readAll(mcp, frames)) {
    watch.take(read);
    const moment = { t: read.frame.t, running: true, process: null, unfinished: [] };
    for (const { f, rule, cause } of explain('s', 0, watch, moment)) {
      const named =
        rule === 'waits-for-client' && !cause.includes('may be') ? Number(/\(f(\d+), /.exec(cause)![1]) : null;
      if (named === null) continue;
      waits++;
      const isOver = answered.get(f!) ?? Number.POSITIVE_INFINITY;
      // The call was answered, but what it was said to wait for never was, or only later.
      if (isOver < Number.POSITIVE_INFINITY && (reacted.get(named) ?? Number.POSITIVE_INFINITY) > isOver)
        contradicted.push(`f${read.frame.f}: ${cause}`);
    }
  }
  expect(contradicted).toEqual([]);
  expect(waits > 0).toBe(
    frames.some(({ raw }) => /"(?:elicitation\/create|sampling\/createMessage)"/.test(Buffer.from(raw).toString())),
  );
});
