/** A row of the table `frames`, as facts. Done for every frame that is looked at: nothing is copied that need not be. */
import type { Kind } from '../core/event.ts';
import type { From } from '../core/frame.ts';
import { idOfJson } from '../core/id.ts';
import type { Envelope } from '../core/message.ts';
import type { Facts } from '../facts/facts.ts';
import type { FrameFacts, SessionFacts } from '../filter/facts.ts';

/** What is read of a frame, in this order. */
export const COLUMNS = [
  ...['f', 't', 'from', 'envelope', 'kind', 'kinds', 'method', 'type', 'id', 'tool', 'tool_call_id', 'turn', 'step'],
  ...['subagent', 'parent', 'item', 'status', 'code', 'pair_f', 'latency', 'wait', 'gap', 'approval', 'by', 'size'],
  ...['flags', 'marks', 'offset'],
].map((name) => `"${name}"`);

type Text = string | null;
type Numeric = number | null;

/** As SQLite gives them, by the order of `COLUMNS`. */
export type FrameRow = [
  ...[f: number, t: number, from: From, envelope: Envelope, kind: Kind | null, kinds: Text, method: Text, type: Text],
  ...[id: Text, tool: Text, call: Text, turn: Numeric, step: Numeric, subagent: Text, parent: Text, item: Numeric],
  ...[status: Text, code: Numeric, pair: Numeric, latency: Numeric, wait: Numeric, gap: Numeric, approval: Text],
  ...[by: Text, size: number, flags: Text, marks: number, offset: number],
];

/** A frame that was found: what is known of it, and where its line is in the tape. */
export interface Found {
  facts: Facts;
  offset: number;
}

const NO_WORDS: readonly string[] = [];
const KINDS_OF_ONE = new Map<Kind | null, readonly Kind[]>([[null, []]]);

/** The same keys as from a tape. */
export function foundIn(row: FrameRow): Found {
  const [f, t, from, envelope, kind, kinds, method, type, id, tool, tool_call_id, turn, step, subagent, parent] = row;
  const flags = row[25];
  const facts: Facts = {
    f,
    t,
    from,
    envelope,
    kinds: kinds === null ? kindsOfOne(kind) : (kinds.split(' ') as Kind[]),
    method,
    type,
    id: id === null ? null : idOfJson(id),
    turn,
    step,
    subagent,
    parent,
    tool,
    tool_call_id,
    item: row[15],
    pair_f: row[18],
    latency: row[19],
    wait: row[20],
    gap: row[21],
    approval: row[22],
    by: row[23],
    status: row[16],
    code: row[17],
    size: row[24],
    flags: flags === null ? NO_WORDS : flags.split(' '),
    marks: row[26],
  };
  return { facts, offset: row[27] };
}

function kindsOfOne(kind: Kind | null): readonly Kind[] {
  const known = KINDS_OF_ONE.get(kind) ?? [kind!];
  KINDS_OF_ONE.set(kind, known);
  return known;
}

export interface SearchedSession {
  readonly key: number;
  readonly facts: SessionFacts;
  /** Microseconds since the epoch. */
  readonly startedAt: number;
  /** The JSON of a frame's line, which begins there in its tape. */
  message(f: number, offset: number): unknown;
}

/** As a query asks it. */
export function asked({ facts, offset }: Found, session: SearchedSession, says: SaysIn): FrameFacts {
  const { f, t, from, envelope, kinds, method, type, id, tool, turn, step, subagent, status } = facts;
  const { code, size, latency, wait, gap, approval, by, marks } = facts;
  return {
    session: session.facts,
    f,
    t,
    at: session.startedAt + Math.round(t * 1e6),
    from,
    envelope,
    kinds,
    method,
    type,
    id,
    tool,
    turn,
    step,
    subagent,
    status,
    code,
    size,
    latency,
    wait,
    gap,
    approval,
    by,
    marks,
    message: () => session.message(f, offset),
    says: (text) => says(f, text),
  };
}

/** Whether a frame of the session says this. */
type SaysIn = (f: number, text: string | RegExp) => boolean;
