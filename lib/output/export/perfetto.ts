/**
 * Trace events in JSON, which Perfetto, speedscope and chrome://tracing open: turns with their steps and texts, tools,
 * waits, a process for each subagent, tokens and context as counters. Spans that overlap without containing each other
 * are on tracks of their own, as the format demands.
 */
import { visible } from '../../model/text/text.ts';
import { spansOf, type TraceSpan } from '../../model/timeline/trace-spans.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { FrameMeter } from '../../session/stats.ts';
import type { ExportFormat } from './index.ts';

export const perfetto: ExportFormat = {
  name: 'perfetto',
  ending: 'perfetto.json',
  summary: 'trace events for Perfetto and speedscope',
  *write(session) {
    yield '{"displayTimeUnit":"ms","traceEvents":[\n';
    let before = '';
    for (const event of traceEvents(session)) {
      yield `${before}${JSON.stringify(event)}`;
      before = ',\n';
    }
    yield '\n]}\n';
  },
};

type TraceEvent = Record<string, unknown>;

/** Where a span is drawn. */
type TraceLane = 'turns' | 'tools' | 'waiting for the client' | 'events';

const LANES: readonly TraceLane[] = ['turns', 'tools', 'waiting for the client', 'events'];

function* traceEvents(session: Session): Generator<TraceEvent> {
  const meter = new FrameMeter();
  const pass = new Pass(session, { tree: true }).run(meter);
  const { timeline } = pass;
  const { agent } = timeline.handshake;
  const main = visible(agent?.name ?? session.metadata.command[0] ?? 'agent');
  const tracks = new Tracks(main);
  for (const span of spansOf(timeline, meter.seconds)) yield* tracks.place(span);
  for (const { t, used, share } of meter.context) {
    const args = used === null ? { percent: Math.round(share! * 1000) / 10 } : { tokens: used };
    yield { ph: 'C', name: used === null ? 'context %' : 'context', pid: MAIN_PID, ts: microsOf(t), args };
  }
}

const MAIN_PID = 1;

/** Gives every span a process (an agent) and a thread (a lane) on which it overlaps nothing that does not contain it. */
class Tracks {
  readonly #processes = new Map<string | null, number>();
  /** When the open spans of each thread end, by process and lane. */
  readonly #threads = new Map<string, number[][]>();
  readonly #main: string;
  /** Tokens so far. */
  readonly #tokens = { input: 0, output: 0 };

  constructor(main: string) {
    this.#main = main;
  }

  *place(span: TraceSpan): Generator<TraceEvent> {
    const { subagent, t, t_end, name } = span;
    let pid = this.#processes.get(subagent);
    if (pid === undefined) {
      pid = this.#processes.size + MAIN_PID;
      this.#processes.set(subagent, pid);
      yield metadataEvent('process_name', pid, 0, subagent === null ? this.#main : `subagent ${visible(subagent)}`);
      yield { ph: 'M', name: 'process_sort_index', pid, tid: 0, args: { sort_index: pid } };
    }
    const lane = laneOf(span);
    const key = `${pid} ${lane}`;
    const threads = this.#threads.get(key) ?? [];
    this.#threads.set(key, threads);
    // Speedscope loses its way in spans of no length.
    const [ts, end] = [microsOf(t), Math.max(microsOf(t) + 1, microsOf(t_end))];
    let i = threads.findIndex((open) => fits(open, ts, end));
    const tid = () => 1 + LANES.indexOf(lane) + i * LANES.length;
    if (i < 0) {
      i = threads.push([]) - 1;
      yield metadataEvent('thread_name', pid, tid(), i === 0 ? lane : `${lane} ${i + 1}`);
      yield { ph: 'M', name: 'thread_sort_index', pid, tid: tid(), args: { sort_index: tid() } };
    }
    const event = { name: visible(name), cat: span.is, pid, tid: tid(), ts, args: argsOf(span) };
    if (span.is === 'mark') yield { ph: 'i', s: 't', ...event };
    else {
      threads[i]!.push(end);
      yield { ph: 'X', ...event, dur: end - ts };
    }
    if (span.is === 'step') yield* this.#count(span);
  }

  *#count(span: TraceSpan & { is: 'step' }): Generator<TraceEvent> {
    const { input, cache_read, cache_write, output } = span.step.usage;
    if (input + cache_read + cache_write + output === 0) return;
    this.#tokens.input += input + cache_read + cache_write;
    this.#tokens.output += output;
    yield { ph: 'C', name: 'tokens', pid: MAIN_PID, ts: microsOf(span.t_end), args: { ...this.#tokens } };
  }
}

/** Whether a span fits on a thread: everything open there contains it. Forgets what has ended. */
function fits(open: number[], ts: number, end: number): boolean {
  while (open.length > 0 && open.at(-1)! <= ts) open.pop();
  return open.length === 0 || open.at(-1)! >= end;
}

function laneOf({ is }: TraceSpan): TraceLane {
  if (is === 'tool' || is === 'request') return 'tools';
  if (is === 'wait') return 'waiting for the client';
  return is === 'mark' ? 'events' : 'turns';
}

const microsOf = (seconds: number): number => Math.round(seconds * 1e6);

function metadataEvent(name: string, pid: number, tid: number, value: string): TraceEvent {
  return { ph: 'M', name, pid, tid, args: { name: value } };
}

/** What is shown when a span is selected: the frame first, by which everything else is found. */
function argsOf(span: TraceSpan): Record<string, unknown> {
  const args: Record<string, unknown> = { frame: `f${span.f}` };
  if (span.open) args.open = true;
  if (span.is === 'turn') Object.assign(args, { status: span.turn.status, usage: span.turn.usage });
  else if (span.is === 'step') Object.assign(args, { state: span.step.state, usage: span.step.usage });
  else if (span.is === 'wait') Object.assign(args, { decision: span.ask.decision, tool: span.ask.tool });
  else if (span.is === 'tool') {
    const { id, result, run, wait, queue } = span.item.call!;
    Object.assign(args, { call: id, ok: result?.ok ?? null, run, wait, queue });
  } else if (span.item.text !== '') args.text = visible(span.item.text.slice(0, 200), true);
  return args;
}
