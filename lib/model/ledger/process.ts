/** What happened to the client's and the agent's processes and pipes, as the recorder saw it. */
import type { Frame } from '../frame.ts';
import type { FramePosition } from './records.ts';

export interface ProcessEnding extends FramePosition {
  event: 'exit' | 'spawn-failed' | 'lost';
  code: number | null;
  signal: string | null;
  /** Bytes that never reached the other side. */
  undelivered: number;
}

const ENDING_EVENTS = new Set<string | null>(['exit', 'spawn-failed', 'lost']);
const HOLE_EVENTS = new Set<string | null>(['gap', 'lost', 'abandoned']);

export class ProcessRecord {
  spawn: (FramePosition & { pid: number | null }) | null = null;
  agentEof: FramePosition | null = null;
  /** The client closed the agent's stdin before the agent closed its stdout. Afterwards it no longer matters. */
  clientEof: FramePosition | null = null;
  /** The first and the latest signal sent to the agent. */
  firstSignal: FramePosition | null = null;
  signal: (FramePosition & { name: string }) | null = null;
  ending: ProcessEnding | null = null;
  /** One side does not read, so the other is blocked. */
  stalled: (FramePosition & { whose: string; stream: string }) | null = null;
  /** Part of the traffic is not on the tape. */
  hasHoles = false;
  /** Which side has sent a line. */
  readonly hasSentLine = { client: false, agent: false };

  take(frame: Frame): void {
    const { from } = frame;
    if (frame.form === 'event') return this.#takeEvent(frame);
    if (from === 'proc') return;
    if (from === 'agent') this.hasSentLine.agent = true;
    else if (from === 'client') this.hasSentLine.client = true;
    if (this.stalled?.stream === from) this.stalled = null;
  }

  #takeEvent({ f, t, from, event, detail }: Frame): void {
    if (event === 'spawn') this.spawn = { f, t, pid: numberOrNull(detail.pid) };
    if (event === 'eof' && from === 'agent') this.agentEof ??= { f, t };
    if (event === 'eof' && from === 'client' && detail.by !== 'agent' && !this.agentEof) this.clientEof ??= { f, t };
    // SIGCONT ends nothing; it may follow SIGTERM, to wake the agent.
    if (event === 'signal' && detail.signal !== 'SIGCONT') {
      this.firstSignal ??= { f, t };
      this.signal = { f, t, name: stringOrNull(detail.signal) ?? '' };
    }
    if (event === 'stalled')
      this.stalled = { f, t, whose: stringOrNull(detail.whose) ?? '', stream: stringOrNull(detail.stream) ?? '' };
    if (HOLE_EVENTS.has(event)) this.hasHoles = true;
    if (!ENDING_EVENTS.has(event)) return;
    const undelivered = sum((detail.undelivered ?? {}) as Record<string, unknown>);
    const ended = event as ProcessEnding['event'];
    this.ending = {
      f,
      t,
      event: ended,
      code: numberOrNull(detail.code),
      signal: stringOrNull(detail.signal),
      undelivered,
    };
  }
}

const stringOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
const numberOrNull = (value: unknown) => (typeof value === 'number' ? value : null);

function sum(counts: Record<string, unknown>): number {
  return Object.values(counts).reduce<number>((all, n) => all + (typeof n === 'number' ? n : 0), 0);
}
