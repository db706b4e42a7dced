/** What happened to the two processes and their pipes, as the recorder saw it. */
import type { Frame } from '../core/frame.ts';
import type { Place } from './place.ts';

export interface Ending extends Place {
  event: string;
  code: number | null;
  signal: string | null;
  /** Bytes that never reached the other side. */
  undelivered: number;
}

const ENDINGS = new Set(['exit', 'spawn-failed', 'lost']);

export class Fate {
  spawn: (Place & { pid: number | null }) | null = null;
  clientEof: Place | null = null;
  signal: (Place & { name: string }) | null = null;
  ending: Ending | null = null;
  /** Somebody does not read, and what is written to it is held back. */
  stalled: (Place & { whose: string; stream: string }) | null = null;

  take({ f, t, from, event, detail }: Frame): void {
    const word = (key: string) => (typeof detail[key] === 'string' ? (detail[key] as string) : null);
    const number = (key: string) => (typeof detail[key] === 'number' ? (detail[key] as number) : null);
    if (event === 'spawn') this.spawn = { f, t, pid: number('pid') };
    if (event === 'eof' && from === 'client' && detail.by !== 'agent') this.clientEof ??= { f, t };
    if (event === 'signal') this.signal = { f, t, name: word('signal') ?? '' };
    if (event === 'stalled') this.stalled = { f, t, whose: word('whose') ?? '', stream: word('stream') ?? '' };
    if (!ENDINGS.has(event!)) return;
    const undelivered = sum((detail.undelivered ?? {}) as Record<string, unknown>);
    this.ending = { f, t, event: event!, code: number('code'), signal: word('signal'), undelivered };
  }

  /** A line has come through. */
  flows(stream: string): void {
    if (this.stalled?.stream === stream) this.stalled = null;
  }
}

function sum(counts: Record<string, unknown>): number {
  return Object.values(counts).reduce<number>((all, n) => all + (typeof n === 'number' ? n : 0), 0);
}
