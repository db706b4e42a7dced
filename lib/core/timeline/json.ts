/** The timeline as JSON rows, one per entry, with the same keys as frames. Keys are added, never renamed. */
import { isoMicros } from '../frame.ts';
import { micros } from '../interval.ts';
import type { Ask, Call } from '../ledger/records.ts';
import type { Entry, Item, Step, Turn } from './shape.ts';

export type Row = Record<string, unknown>;

/** `startedAt` in microseconds. Entries come before their children. */
export function* timelineRows(
  session: string,
  startedAt: number,
  entries: Entry[],
  turn: number | null = null,
): Generator<Row> {
  for (const entry of entries) {
    yield entryRow(session, startedAt, entry, turn);
    yield* timelineRows(session, startedAt, insideOf(entry), entry.is === 'turn' ? entry.n : turn);
  }
}

/** What comes behind it, one level deeper. */
export function insideOf(entry: Entry): Entry[] {
  return entry.is === 'turn' && entry.prompt ? [entry.prompt, ...entry.entries] : entry.entries;
}

/** The row of one entry. `turn`: the number of the turn that contains it. Literals, because spreads take long. */
export function entryRow(session: string, startedAt: number, entry: Entry, turn: number | null): Row {
  const at = isoMicros(startedAt + entry.t * 1e6);
  if (entry.is === 'turn') return turnRow(session, entry, at);
  if (entry.is === 'step') return stepRow(session, entry, turn, at);
  const row = itemRow(session, entry);
  if (entry.call) addCall(row, entry.call);
  if (entry.ask) addAsk(row, entry.ask);
  row.at = at;
  return row;
}

function turnRow(session: string, turn: Turn, at: string): Row {
  return {
    session,
    is: 'turn',
    f: turn.f,
    f_end: turn.f_end,
    t: rounded(turn.t),
    t_end: rounded(turn.t_end),
    turn: turn.n,
    status: turn.status,
    code: turn.code,
    cancelled_f: turn.cancelled_f,
    usage: turn.usage,
    hidden: turn.hidden,
    wait: rounded(turn.wait),
    at,
  };
}

/** A step belongs to the agent that speaks in it; `turn` is the turn that contains it. */
function stepRow(session: string, step: Step, turn: number | null, at: string): Row {
  const said = step.entries.find((entry) => entry.is === 'item') ?? { turn, subagent: null, parent: null };
  return {
    session,
    is: 'step',
    f: step.f,
    f_end: step.f_end,
    t: rounded(step.t),
    t_end: rounded(step.t_end),
    step: step.n,
    n: step.shown,
    status: step.state,
    usage: step.usage,
    turn: said.turn,
    subagent: said.subagent,
    parent: said.parent,
    at,
  };
}

function itemRow(session: string, item: Item): Row {
  const { call, ask, answer } = item;
  return {
    session,
    is: 'item',
    f: item.f,
    f_end: item.f_end,
    t: rounded(item.t),
    t_end: rounded(item.t_end),
    kind: item.kind,
    turn: item.turn,
    step: item.step,
    subagent: item.subagent,
    parent: item.parent,
    name: item.name,
    text: item.text,
    longer: item.longer,
    parts: item.parts,
    flags: item.flags,
    blocks: item.blocks,
    tool: call?.tool ?? ask?.tool ?? null,
    tool_call_id: call?.id ?? ask?.call_id ?? null,
    pair_f: answer?.f ?? null,
    latency: rounded(answer ? answer.t - item.t : null),
    code: answer?.code ?? item.code,
    answer_text: answer?.text ?? null,
    status: call ? (call.result ? (call.result.ok ? 'ok' : 'error') : call.state) : (answer?.status ?? null),
    wait: rounded(call?.wait ?? ask?.wait ?? null),
  };
}

function addCall(row: Row, { args, queue, run, result, asks }: Call): void {
  row.arguments = args;
  row.queue = rounded(queue);
  row.run = rounded(run);
  row.result_f = result?.f ?? null;
  row.approval_f = asks[0]?.f ?? null;
  row.output = result?.blocks ?? [];
  row.displays = result?.displays ?? [];
}

function addAsk(row: Row, ask: Ask): void {
  row.request_id = ask.request;
  row.action = ask.action;
  row.description = ask.description;
  row.options = ask.options;
  row.questions = ask.questions;
  row.arguments = ask.arguments;
  row.decision = ask.decision;
  row.feedback = ask.feedback;
  row.answers = ask.answers;
  row.displays = ask.displays;
  row.edited = ask.edited ?? null;
  row.resolved = ask.resolved?.decision ?? null;
  row.resolved_f = ask.resolved?.f ?? null;
}

const rounded = (seconds: number | null): number | null => (seconds === null ? null : micros(seconds));
