/** The timeline as JSON rows, one per entry, with the same keys as frames. Keys are added, never renamed. */
import { isoMicros } from '../frame.ts';
import { micros } from '../interval.ts';
import type { Ask, Call } from '../ledger/records.ts';
import type { Entry, Item, Step, Turn } from './entries.ts';

export type TimelineRow = Record<string, unknown>;

/** `startedAt` in microseconds. Entries come before their children. */
export function* timelineRows(
  session: string,
  startedAt: number,
  entries: Entry[],
  turn: number | null = null,
): Generator<TimelineRow> {
  for (const entry of entries) {
    yield entryRow(session, startedAt, entry, turn);
    yield* timelineRows(session, startedAt, childrenOf(entry), entry.is === 'turn' ? entry.n : turn);
  }
}

/** Its children. */
export function childrenOf(entry: Entry): Entry[] {
  return entry.is === 'turn' && entry.prompt ? [entry.prompt, ...entry.entries] : entry.entries;
}

/** The row of one entry. `turn`: the number of the turn that contains it. Literals, because spreads take long. */
export function entryRow(session: string, startedAt: number, entry: Entry, turn: number | null): TimelineRow {
  const row = rowOf(entry, turn, session, null);
  row.at = isoMicros(startedAt + entry.t * 1e6);
  return row;
}

/** The same for a page: what is empty is left out of its JSON, and so is what all rows have or what follows from others. */
export function leanRow(entry: Entry, turn: number | null): TimelineRow {
  return rowOf(entry, turn, undefined, undefined);
}

/** What stands for nothing: JSON leaves out what is undefined. */
type EmptyValue = null | undefined;

function rowOf(entry: Entry, turn: number | null, session: string | undefined, none: EmptyValue): TimelineRow {
  if (entry.is === 'turn') return turnRow(session, entry, none);
  if (entry.is === 'step') return stepRow(session, entry, turn, none);
  const row = itemRow(session, entry, none);
  if (entry.call) addCall(row, entry.call, none);
  if (entry.ask) addAsk(row, entry.ask, none);
  return row;
}

function turnRow(session: string | undefined, turn: Turn, none: EmptyValue): TimelineRow {
  return {
    session,
    is: 'turn',
    f: turn.f,
    f_end: turn.f_end,
    t: rounded(turn.t),
    t_end: rounded(turn.t_end),
    turn: turn.n,
    status: turn.status ?? none,
    code: turn.code ?? none,
    cancelled_f: turn.cancelled_f ?? none,
    usage: turn.usage,
    hidden: turn.hidden ?? none,
    wait: rounded(turn.wait) ?? none,
  };
}

/** A step belongs to the agent that speaks in it; `turn` is the turn that contains it. */
function stepRow(session: string | undefined, step: Step, turn: number | null, none: EmptyValue): TimelineRow {
  const firstItem = step.entries.find((entry) => entry.is === 'item') ?? { turn, subagent: null, parent: null };
  return {
    session,
    is: 'step',
    f: step.f,
    f_end: step.f_end,
    t: rounded(step.t),
    t_end: rounded(step.t_end),
    step: step.n,
    n: step.shown ?? none,
    status: step.state,
    usage: step.usage,
    turn: firstItem.turn ?? none,
    subagent: firstItem.subagent ?? none,
    parent: firstItem.parent ?? none,
  };
}

function itemRow(session: string | undefined, item: Item, none: EmptyValue): TimelineRow {
  const { call, ask, answer } = item;
  return {
    session,
    is: 'item',
    f: item.f,
    f_end: item.f_end,
    t: rounded(item.t),
    t_end: rounded(item.t_end),
    kind: item.kind,
    turn: item.turn ?? none,
    step: item.step ?? none,
    subagent: item.subagent ?? none,
    parent: item.parent ?? none,
    name: item.name ?? none,
    text: item.text,
    longer: item.longer,
    parts: item.parts,
    flags: listOrEmpty(item.flags, none),
    blocks: listOrEmpty(item.blocks, none),
    tool: call?.tool ?? ask?.tool ?? none,
    tool_call_id: call?.id ?? ask?.call_id ?? none,
    pair_f: answer?.f ?? none,
    latency: rounded(answer ? answer.t - item.t : null) ?? none,
    code: answer?.code ?? item.code ?? none,
    answer_text: answer?.text ?? none,
    status: (call ? stateOf(call) : answer?.status) ?? none,
    wait: rounded(call?.wait ?? ask?.wait ?? null) ?? none,
  };
}

const stateOf = ({ result, state }: Call): string => (result ? (result.ok ? 'ok' : 'error') : state);

function addCall(row: TimelineRow, { args, queue, run, result, asks }: Call, none: EmptyValue): void {
  row.arguments = args ?? none;
  row.queue = rounded(queue) ?? none;
  row.run = rounded(run) ?? none;
  row.result_f = result?.f ?? none;
  row.approval_f = asks[0]?.f ?? none;
  row.output = listOrEmpty(result?.blocks ?? [], none);
  row.displays = listOrEmpty(result?.displays ?? [], none);
}

function addAsk(row: TimelineRow, ask: Ask, none: EmptyValue): void {
  row.request_id = ask.request ?? none;
  row.action = ask.action ?? none;
  row.description = ask.description ?? none;
  row.options = listOrEmpty(ask.options, none);
  row.questions = listOrEmpty(ask.questions, none);
  row.arguments = ask.arguments ?? none;
  row.decision = ask.decision ?? none;
  row.feedback = ask.feedback ?? none;
  row.answers = ask.answers ?? none;
  row.displays = listOrEmpty(ask.displays, none);
  row.edited = ask.edited ?? none;
  row.resolved = ask.resolved?.decision ?? none;
  row.resolved_f = ask.resolved?.f ?? none;
}

const listOrEmpty = (list: readonly unknown[], none: EmptyValue): unknown =>
  list.length === 0 && none === undefined ? none : list;

const rounded = (seconds: number | null): number | null => (seconds === null ? null : micros(seconds));
