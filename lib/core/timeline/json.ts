/** The timeline as JSON rows, one per entry, with the same keys as frames. Keys are added, never renamed. */
import { isoMicros } from '../frame.ts';
import { micros } from '../interval.ts';
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

/** The row of one entry. `turn`: the number of the turn that contains it. */
export function entryRow(session: string, startedAt: number, entry: Entry, turn: number | null): Row {
  return { session, ...rowOf(entry, turn), at: isoMicros(startedAt + entry.t * 1e6) };
}

function rowOf(entry: Entry, turn: number | null): Row {
  const { f, f_end, t, t_end } = entry;
  const span = { f, f_end, t: rounded(t), t_end: rounded(t_end) };
  if (entry.is === 'turn') return { is: 'turn', ...span, ...turnRow(entry) };
  if (entry.is === 'step') return { is: 'step', ...span, ...stepRow(entry, turn) };
  return { is: 'item', ...span, ...itemRow(entry) };
}

function turnRow({ n, status, code, cancelled_f, usage, hidden, wait }: Turn): Row {
  return { turn: n, status, code, cancelled_f, usage, hidden, wait: rounded(wait) };
}

/** A step belongs to the agent that speaks in it; `turn` is the turn that contains it. */
function stepRow({ n, shown, state, usage, entries }: Step, turn: number | null): Row {
  const said = entries.find((entry) => entry.is === 'item') ?? { turn, subagent: null, parent: null };
  const whose = { turn: said.turn, subagent: said.subagent, parent: said.parent };
  return { step: n, n: shown, status: state, usage, ...whose };
}

function itemRow(item: Item): Row {
  const { call, ask, answer } = item;
  return {
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
    ...(call ? callRow(item) : {}),
    ...(ask ? askRow(item) : {}),
  };
}

function callRow({ call }: Item): Row {
  const { args, queue, run, result, asks } = call!;
  return {
    arguments: args,
    queue: rounded(queue),
    run: rounded(run),
    result_f: result?.f ?? null,
    approval_f: asks[0]?.f ?? null,
    output: result?.blocks ?? [],
    displays: result?.displays ?? [],
  };
}

function askRow({ ask }: Item): Row {
  const { request, action, description, options, questions, decision, feedback, answers, resolved, displays } = ask!;
  return {
    request_id: request,
    action,
    description,
    options,
    questions,
    arguments: ask!.arguments,
    decision,
    feedback,
    answers,
    displays,
    edited: ask!.edited ?? null,
    resolved: resolved?.decision ?? null,
    resolved_f: resolved?.f ?? null,
  };
}

const rounded = (seconds: number | null): number | null => (seconds === null ? null : micros(seconds));
