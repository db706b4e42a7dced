/** What happened to the client's and the agent's processes and pipes, as the recorder saw it. */
import type { Frame } from '../frame.ts';
import type { Place } from './records.ts';

export interface Ending extends Place {
  event: 'exit' | 'spawn-failed' | 'lost';
  code: number | null;
  signal: string | null;
  /** Bytes that never reached the other side. */
  undelivered: number;
}

const ENDINGS = new Set<string | null>(['exit', 'spawn-failed', 'lost']);
const HOLES = new Set<string | null>(['gap', 'lost', 'abandoned']);

export class ProcessBook {
  spawn: (Place & { pid: number | null }) | null = null;
  agentEof: Place | null = null;
  /** The client closed the agent's stdin before the agent closed its stdout. Afterwards it no longer matters. */
  clientEof: Place | null = null;
  /** The first and the latest signal sent to the agent. */
  firstSignal: Place | null = null;
  signal: (Place & { name: string }) | null = null;
  ending: Ending | null = null;
  /** One side does not read, so the other is blocked. */
  stalled: (Place & { whose: string; stream: string }) | null = null;
  /** Part of the traffic is not on the tape. */
  isTorn = false;
  /** Which side has sent a line. */
  readonly spoke = { client: false, agent: false };

  take(frame: Frame): void {
    const { from } = frame;
    if (frame.form === 'event') return this.#event(frame);
    if (from === 'proc') return;
    if (from === 'agent') this.spoke.agent = true;
    else if (from === 'client') this.spoke.client = true;
    if (this.stalled?.stream === from) this.stalled = null;
  }

  #event({ f, t, from, event, detail }: Frame): void {
    if (event === 'spawn') this.spawn = { f, t, pid: number(detail.pid) };
    if (event === 'eof' && from === 'agent') this.agentEof ??= { f, t };
    if (event === 'eof' && from === 'client' && detail.by !== 'agent' && !this.agentEof) this.clientEof ??= { f, t };
    // SIGCONT ends nothing; it may follow SIGTERM, to wake the agent.
    if (event === 'signal' && detail.signal !== 'SIGCONT') {
      this.firstSignal ??= { f, t };
      this.signal = { f, t, name: word(detail.signal) ?? '' };
    }
    if (event === 'stalled')
      this.stalled = { f, t, whose: word(detail.whose) ?? '', stream: word(detail.stream) ?? '' };
    if (HOLES.has(event)) this.isTorn = true;
    if (!ENDINGS.has(event)) return;
    const undelivered = sum((detail.undelivered ?? {}) as Record<string, unknown>);
    const ended = event as Ending['event'];
    this.ending = { f, t, event: ended, code: number(detail.code), signal: word(detail.signal), undelivered };
  }
}

const word = (value: unknown) => (typeof value === 'string' ? value : null);
const number = (value: unknown) => (typeof value === 'number' ? value : null);

function sum(counts: Record<string, unknown>): number {
  return Object.values(counts).reduce<number>((all, n) => all + (typeof n === 'number' ? n : 0), 0);
}
