/**
 * A session as spans, for tools that draw traces: turns, steps, texts, tool calls and waits. Waiting is a span
 * of its own inside its call. What was replayed from an earlier session is left out.
 */
import type { Ask } from '../ledger/records.ts';
import type { Entry, Item, Step, Timeline, Turn } from './entries.ts';

interface TraceSpanBase {
  /** The same whenever the session is read, also while it grows; of the span that contains it, or null. */
  key: string;
  parent: string | null;
  name: string;
  f: number;
  t: number;
  t_end: number;
  /** It never ended, or without an outcome: it is drawn to the end of what contains it. */
  open: boolean;
  /** The subagent that did it; null for the main agent. */
  subagent: string | null;
}

export type TraceSpan = TraceSpanBase &
  (
    | { is: 'turn'; turn: Turn }
    | { is: 'step'; step: Step }
    | { is: 'tool' | 'text' | 'thinking' | 'subagent' | 'request' | 'mark'; item: Item }
    | { is: 'wait'; ask: Ask }
  );

type UnkeyedSpan = TraceSpan extends infer S ? (S extends TraceSpan ? Omit<S, 'key' | 'parent'> : never) : never;

/** Moments that are worth a mark. */
const MARKED_KINDS = new Set<Item['kind']>([
  'error',
  'compaction',
  'cancel',
  'steer',
  'mode',
  'step-retry',
  'noise',
  'log',
]);

/** In the order of the timeline; a span comes before those inside it. `end`: the end of the session, in seconds. */
export function* spansOf({ entries }: Pick<Timeline, 'entries'>, end: number): Generator<TraceSpan> {
  const stack: { entries: readonly Entry[]; at: number; parent: string | null; end: number }[] = [
    { entries, at: 0, parent: null, end },
  ];
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const entry = top.entries[top.at++];
    if (!entry) {
      stack.pop();
      continue;
    }
    let { parent } = top;
    let over = top.end;
    for (const span of entrySpans(entry, top.end)) {
      const key = keyOf(span);
      yield { ...span, key, parent } as TraceSpan;
      // Waits are inside the call.
      if (span.is === 'wait') continue;
      parent = key;
      if (span.is === 'turn') over = span.t_end;
    }
    stack.push({ entries: entry.entries, at: 0, parent, end: over });
  }
}

/** A line may announce several calls, make several requests, or have a text and a call. */
function keyOf(span: UnkeyedSpan): string {
  const n = span.is === 'wait' ? span.ask.n : span.is === 'tool' ? span.item.call!.n : 0;
  return `${span.is} ${span.f} ${n}`;
}

/** The span of an entry, then the waits of its call. */
function* entrySpans(entry: Entry, end: number): Generator<UnkeyedSpan> {
  if (entry.is === 'turn') yield turnSpan(entry, end);
  else if (entry.is === 'step') yield stepSpan(entry, end);
  else if (!entry.flags.includes('replayed')) yield* itemSpans(entry, end);
}

function turnSpan(turn: Turn, end: number): UnkeyedSpan {
  const { n, f, t, t_end, status } = turn;
  const over = status === null ? end : t_end;
  const open = status === null || status === 'unanswered';
  return { is: 'turn', turn, name: `turn ${n}`, f, t, t_end: over, open, subagent: null };
}

function stepSpan(step: Step, end: number): UnkeyedSpan {
  const { n, f, t, t_end, state, entries } = step;
  const open = state === 'running';
  const firstItem = entries.find((entry) => entry.is === 'item');
  const subagent = firstItem?.subagent ?? null;
  return {
    is: 'step',
    step,
    name: `step ${n}`,
    f,
    t,
    t_end: open ? Math.max(t_end, t) : t_end,
    open: open && t_end >= end,
    subagent,
  };
}

function* itemSpans(item: Item, end: number): Generator<UnkeyedSpan> {
  const { kind, f, t, t_end, call, ask, answer, subagent, name } = item;
  const at = { item, f, t, subagent };
  if (call) {
    const open = call.result === null && call.state !== 'discarded';
    const over = open ? Math.max(end, t_end) : (call.result?.t ?? t_end);
    yield { ...at, is: 'tool', name: call.tool ?? 'tool', t_end: over, open };
    for (const one of call.asks) yield waitSpan(one, end);
  } else if (ask) {
    // A request that belongs to a call is shown with the call.
    if (!ask.bound) yield waitSpan(ask, end);
  } else if (kind === 'text' || kind === 'thinking') yield { ...at, is: kind, name: kind, t_end, open: false };
  else if (item.entries.length > 0) yield { ...at, is: 'subagent', name: subagent ?? name ?? kind, t_end, open: false };
  else if (answer && kind !== 'prompt')
    yield { ...at, is: 'request', name: name ?? kind, t_end: answer.t, open: false };
  else if (MARKED_KINDS.has(kind)) yield { ...at, is: 'mark', name: name ?? kind, t_end: t, open: false };
}

function waitSpan(ask: Ask, end: number): UnkeyedSpan {
  const { kind, f, t, wait, subagent, gone, settled } = ask;
  const open = wait === null || gone !== null;
  const t_end = gone?.t ?? (wait === null ? (settled?.t ?? end) : t + wait);
  return { is: 'wait', ask, name: `wait: ${kind}`, f, t, t_end: Math.max(t, t_end), open, subagent };
}
